r"""`CUDA_DEVICE_MAX_CONNECTIONS=1` is exported for an FSDP2 trainer.

## What it finds
The variable set to 1 for a launch on GPUs whose actor strategy is `fsdp2`, from verl 0.9.0 on.

## Why it hurts
One hardware queue serializes kernels in launch order. Megatron needs that for tensor parallel overlap; FSDP2 loses the
overlap of its all-gathers with computation. Since 0.9.0 verl sets the variable for Megatron only, but an export in the
shell wins.

## When it fails
silently: steps are slower

## Example that fails
```bash
# recipe-lint: device=h100
export CUDA_DEVICE_MAX_CONNECTIONS=1  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.strategy=fsdp2 trainer.n_gpus_per_node=8
```

## Example that passes
```bash
# recipe-lint: device=h100
python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.strategy=fsdp2 trainer.n_gpus_per_node=8
```

## Fix
Remove the export.

## Sources
- verl 0.9.0, main: verl/trainer/constants_ppo.py (the comment above _is_hopper_or_ampere)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import strategy
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, remove, variable


@rule(severity="info", since="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """One hardware queue for FSDP2."""
    found = variable(subject, "CUDA_DEVICE_MAX_CONNECTIONS")
    if found is None or found.value != "1" or accelerator(subject) == "npu" or strategy(subject) != "fsdp2":
        return
    yield subject.finding(
        check,
        "CUDA_DEVICE_MAX_CONNECTIONS=1 serializes kernels, and the actor's fsdp2 needs them to overlap",
        span=found.span,
        also=["actor_rollout_ref.actor.strategy"],
        help="remove the export: verl sets it itself where Megatron needs it",
        fix=remove(subject, found),
    )
