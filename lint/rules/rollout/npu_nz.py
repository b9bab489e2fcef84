r"""`VLLM_ASCEND_ENABLE_NZ` is exported as 1 or 2, and a rollout that sleeps refuses to wake up.

## What it finds
`VLLM_ASCEND_ENABLE_NZ` with a value other than 0 in a launch on NPUs whose vLLM rollout uses sleep mode, or
`additional_config.weight_nz_mode`, which stands for it from 0.9.0 on.

## Why it hurts
`wake_up` raises "FRACTAL_NZ mode is enabled": the layout of the weights would be lost between updates. verl sets the
variable to 0 by itself, but only if the environment does not hold it already.

## When it fails
first step: at the first weight update

## Example that fails
```bash
# recipe-lint: device=ascend-a3
export VLLM_ASCEND_ENABLE_NZ=1  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
export VLLM_ASCEND_ENABLE_NZ=0
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Fix
`VLLM_ASCEND_ENABLE_NZ=0`, or remove the export.

## Sources
- vllm-ascend v0.13, v0.18, v0.23, main: vllm_ascend/worker/worker.py :: wake_up; v0.23: ascend_config.py
- verl 0.7.1 to main: verl/workers/rollout/vllm_rollout/utils.py :: VLLM_ASCEND_REQUIRED_ENV_VARS
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, replace, variable

MODE = f"{ROLLOUT}.engine_kwargs.vllm.additional_config.weight_nz_mode"
"""What vllm-ascend v0.23 takes in place of the variable."""


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """The NZ layout and a rollout that sleeps."""
    if subject.string(f"{ROLLOUT}.name") != "vllm" or subject.boolean(f"{ROLLOUT}.free_cache_engine") is not True:
        return
    if accelerator(subject) == "cuda":
        return
    refused = f"vllm-ascend refuses to wake the rollout up ({subject.describe(f'{ROLLOUT}.free_cache_engine')})"
    mode = subject.integer(MODE) if at_least(subject, "0.9.0") else None
    if mode:
        message = f"{subject.describe(MODE)}: {refused}"
        yield subject.finding(check, message, key=MODE, help=f"set {MODE}=0, or leave it out")
    found = variable(subject, "VLLM_ASCEND_ENABLE_NZ")
    if mode is None and found is not None and found.value in ("1", "2"):
        yield subject.finding(
            check,
            f"VLLM_ASCEND_ENABLE_NZ is {found.value}: {refused}",
            span=found.span,
            help="set VLLM_ASCEND_ENABLE_NZ=0",
            fix=replace(subject, found, "0"),
        )
