"""The mini-batch is larger than the train batch.

## What it finds
`actor.ppo_mini_batch_size` (or that of a critic that is built) is above `data.train_batch_size`. The usual cause is
the default of 256 next to a small train batch.

## Why it hurts
With static batches verl refuses at start. With `use_dynamic_bsz=True` it does not look: V0 dies in the first update,
V1 fills each batch up with padding rows.

## When it fails
at start: ValueError "train_batch_size must be >= actor.ppo_mini_batch_size" (dynamic batches: first step)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4
    actor_rollout_ref.actor.ppo_mini_batch_size=128  # <- here
    data.train_batch_size=64
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4
    actor_rollout_ref.actor.ppo_mini_batch_size=64
    data.train_batch_size=64
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `ppo_mini_batch_size` to the train batch size or a divisor of it.

## Sources
- verl/workers/config/actor.py :: ActorConfig.validate, critic.py :: CriticConfig.validate (0.7.1, 0.8.0, 0.9.0, main)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import PREFIXES, generation, trained_roles, trains
from lint.subject.subject import Subject

TRAIN = "data.train_batch_size"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Mini-batch above train batch, where static batches make verl look."""
    train = subject.integer(TRAIN)
    for role in trained_roles(subject):
        key = f"{PREFIXES[role]}.ppo_mini_batch_size"
        mini = subject.integer(key)
        if not trains(subject) or not train or mini is None or mini <= train:
            continue
        dynamic = subject.boolean(f"{PREFIXES[role]}.use_dynamic_bsz")
        if dynamic is None or (dynamic and generation(subject) != "v0"):
            continue
        yield subject.finding(
            check,
            f"{role} {subject.describe(key)} is larger than {subject.describe(TRAIN)}",
            key=key,
            also=(TRAIN,),
            phase="update_actor" if dynamic else None,
            help=f"set {key}={train} or a divisor of {train}",
            fix=subject.change(key, str(train), safe=False),
        )
