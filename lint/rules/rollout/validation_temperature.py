r"""Sampling in validation is switched on while the rollout's temperature is 0.

## What it finds
`rollout.val_kwargs.do_sample=True` with `rollout.temperature` of 0 or less.

## Why it hurts
`validate_config` asserts a positive `rollout.temperature` (the one of training) when validation samples.

## When it fails
at start: in validate_config

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.temperature=0  # <- here
    actor_rollout_ref.rollout.val_kwargs.do_sample=True
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.temperature=1.0
    actor_rollout_ref.rollout.val_kwargs.do_sample=True
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Train at a positive temperature; it decides how much the policy explores.

## Sources
- verl 0.6.1, 0.7.1, 0.8.0, 0.9.0, main: verl/utils/config.py :: validate_config
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

TEMPERATURE, SAMPLE = f"{ROLLOUT}.temperature", f"{ROLLOUT}.val_kwargs.do_sample"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Sampling at no temperature."""
    temperature = subject.number(TEMPERATURE)
    if temperature is None or temperature > 0 or not subject.boolean(SAMPLE):
        return
    yield subject.finding(
        check,
        f"val_kwargs.do_sample is True, and rollout.temperature is {temperature:g}: validate_config wants more than 0",
        key=TEMPERATURE,
        also=[SAMPLE],
        help=f"write {TEMPERATURE}=1.0",
    )
