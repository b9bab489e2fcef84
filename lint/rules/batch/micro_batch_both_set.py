"""The micro-batch size is given both per device and over all devices.

## What it finds
With static batches, both `..._micro_batch_size_per_gpu` and the deprecated `..._micro_batch_size` of the same pass have
a value. `critic.ppo_micro_batch_size` alone is enough: the key per device follows it.

## Why it hurts
verl refuses to guess which one is meant.

## When it fails
at start: ValueError "You have set both ..."

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.ppo_micro_batch_size=64  # <- here
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8
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
Drop the key without `_per_gpu`.

## Sources
- verl/utils/config.py :: validate_config, check_mutually_exclusive (0.7.1, 0.8.0, 0.9.0, main)
- verl/workers/config/actor.py :: ActorConfig.__post_init__, critic.py :: CriticConfig._check_mutually_exclusive
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.batch._micro_batches import CRITIC_UPDATE, static_passes
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Two values for one size."""
    for one in static_passes(subject):
        if subject.integer(one.overall) is None or subject.integer(one.per_device) is None:
            continue
        keep = one.per_device
        advice = f"write {keep} instead of" if one is CRITIC_UPDATE and not subject.is_set(keep) else "drop"
        yield subject.finding(
            check,
            f"the {one.name} has two sizes: {subject.describe(one.overall)} and {subject.describe(keep)}",
            key=one.overall,
            also=(keep,),
            help=f"{advice} the deprecated {one.overall}",
        )
