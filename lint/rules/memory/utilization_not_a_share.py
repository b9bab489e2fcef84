"""`gpu_memory_utilization` is no share of a device: a percentage, zero or below.

## What it finds
`rollout.gpu_memory_utilization` above 1, or not above 0. The other memory rules are silent then.

## Why it hurts
vLLM refuses the number when its server starts, after the training models were loaded.

## When it fails
at init: ValidationError of vLLM's CacheConfig

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.rollout.gpu_memory_utilization=80  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.rollout.gpu_memory_utilization=0.8
```

## Fix
Write a number above 0 and up to 1.

## Sources
- vllm/config/cache.py :: CacheConfig.gpu_memory_utilization (gt=0, le=1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.memory._prediction import SHARE, is_share
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """The number is not above 0 and at most 1."""
    share = subject.number(SHARE)
    if share is None or is_share(share):
        return
    meant = f"{SHARE}={share / 100:g}" if 1 < share <= 100 else "a number above 0 and up to 1"
    yield subject.finding(
        check,
        f"{subject.describe(SHARE)} is no share of a device, which is above 0 and at most 1",
        key=SHARE,
        phase="init",
        help=f"write {meant}",
    )
