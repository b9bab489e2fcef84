"""Static batches are in force but a micro-batch size is not given.

## What it finds
With `use_dynamic_bsz=False`, one of `actor.ppo_micro_batch_size_per_gpu`, `rollout.log_prob_micro_batch_size_per_gpu`,
`ref.log_prob_micro_batch_size_per_gpu` (reference in use) and `critic.ppo_micro_batch_size_per_gpu` (critic built) is
null. The old keys without `_per_gpu` satisfy the check at start, but from 0.8.0 not the engine.

## Why it hurts
With neither key verl refuses at start. With only the old key it refuses when the actor is built, after the reference
model was loaded on every device.

## When it fails
at start: ValueError "Please set at least one of ..."; with the old key: at init

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.ppo_micro_batch_size=64  # <- here
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Give the `_per_gpu` key, or switch `use_dynamic_bsz` on and size by tokens.

## Sources
- verl/utils/config.py :: validate_config; verl/workers/config/actor.py :: ActorConfig.__post_init__ (0.7.1 to main)
- verl/workers/engine_workers.py :: ActorRolloutRefWorker.init_model (0.8.0, 0.9.0, main)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.batch._micro_batches import CRITIC_UPDATE, static_passes
from lint.rules.rule import rule
from lint.subject.derived import legacy_workers
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Both keys null, or only the deprecated one set where the engine reads the other."""
    for one in static_passes(subject):
        if not subject.is_null(one.per_device):
            continue
        name = one.per_device.removeprefix("actor_rollout_ref.")
        if subject.is_null(one.overall):
            yield subject.finding(
                check,
                f"the {one.name} has static micro-batches but no size: {name} is null",
                key=one.per_device,
                also=(one.dynamic,),
                help=f"add {one.per_device}=N, or actor_rollout_ref.actor.use_dynamic_bsz=True",
            )
        elif subject.integer(one.overall) is not None and not legacy_workers(subject) and one is not CRITIC_UPDATE:
            yield subject.finding(
                check,
                f"{subject.describe(one.overall)} passes the check at start, but the engine reads only {name}, "
                "which is null",
                key=one.overall,
                help=f"replace it by {one.per_device}, the number per device",
            )
