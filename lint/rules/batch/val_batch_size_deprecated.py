"""`data.val_batch_size` is deprecated.

## What it finds
`data.val_batch_size` is set.

## Why it hurts
The rollout engine schedules validation by itself; verl warns and advises against the key.

## When it fails
silently: one warning in the log

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.val_batch_size=1312  # <- here
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
Drop the key.

## Sources
- verl/utils/config.py :: validate_config (0.7.1, 0.8.0, 0.9.0, main)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject

KEY = "data.val_batch_size"


@rule(severity="info")
def check(subject: Subject) -> Iterator[Finding]:
    """The key has a value."""
    if subject.is_set(KEY) and subject.integer(KEY) is not None:
        yield subject.finding(
            check,
            f"{subject.describe(KEY)}: the key is deprecated, the rollout engine schedules validation by itself",
            key=KEY,
            help=f"drop {KEY}",
        )
