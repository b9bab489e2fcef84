"""Actor and log-probability pass disagree on dynamic batches.

## What it finds
`actor.use_dynamic_bsz` differs from `rollout.log_prob_use_dynamic_bsz`. The second follows the first, so this takes an
explicit override.

## Why it hurts
Both passes run in one engine. It is built with an assertion that carries no message, after the reference model was
loaded on every device. The legacy workers of 0.7 keep the two apart.

## When it fails
at init: a bare AssertionError in `init_model`

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.log_prob_use_dynamic_bsz=False  # <- here
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop `rollout.log_prob_use_dynamic_bsz`.

## Sources
- verl/workers/engine_workers.py :: ActorRolloutRefWorker.init_model (0.8.0, 0.9.0, main; engine workers of 0.7.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, ROLLOUT, legacy_workers
from lint.subject.subject import Subject

OF_ACTOR, OF_ROLLOUT = f"{ACTOR}.use_dynamic_bsz", f"{ROLLOUT}.log_prob_use_dynamic_bsz"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """The two switches differ."""
    actor, rollout = subject.boolean(OF_ACTOR), subject.boolean(OF_ROLLOUT)
    if actor is None or rollout is None or actor == rollout or legacy_workers(subject):
        return
    yield subject.finding(
        check,
        f"rollout {subject.describe(OF_ROLLOUT)} but actor {subject.describe(OF_ACTOR)}: one engine runs both passes",
        key=OF_ROLLOUT,
        also=(OF_ACTOR,),
        help=f"drop {OF_ROLLOUT}, it follows the actor",
    )
