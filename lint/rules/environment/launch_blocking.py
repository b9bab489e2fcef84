r"""A debugging variable that makes every kernel synchronous is left on.

## What it finds
`ASCEND_LAUNCH_BLOCKING=1` or `CUDA_LAUNCH_BLOCKING=1`. On NPUs it is an error while the rollout captures graphs
(`enforce_eager=False`, the default, with vLLM): vllm-ascend refuses to start.

## Why it hurts
Each kernel is waited for: training is several times slower, and torch_npu switches its operator queue off, whatever
`TASK_QUEUE_ENABLE` says. With graph capture vllm-ascend raises a ValueError: ACL graphs are incompatible with it.

## When it fails
at init: with graph capture on NPUs; silently (slow) otherwise

## Example that fails
```bash
# recipe-lint: device=ascend-a3
export ASCEND_LAUNCH_BLOCKING=1  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
export ASCEND_LAUNCH_BLOCKING=0
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Fix
Remove it, or set it to 0.

## Sources
- vllm-ascend v0.11, v0.13, v0.18, v0.23, main: vllm_ascend/platform.py (ValueError)
- Ascend/pytorch: docs/zh/api/environment_variable/op_execution/ASCEND_LAUNCH_BLOCKING.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject
from lint.subject.workers import replace, variable


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Synchronous kernels in a training run."""
    for name in ("ASCEND_LAUNCH_BLOCKING", "CUDA_LAUNCH_BLOCKING"):
        found = variable(subject, name)
        if found is None or found.value != "1":
            continue
        refused = (
            name.startswith("ASCEND")
            and subject.string(f"{ROLLOUT}.name") == "vllm"
            and subject.boolean(f"{ROLLOUT}.enforce_eager") is False
        )
        message = "makes every kernel synchronous: the host waits for each one, and the run is slow"
        if refused:
            message = "is refused by vllm-ascend while graphs are captured (enforce_eager is False)"
        yield subject.finding(
            check,
            f"{name}=1 {message}",
            span=found.span,
            severity="error" if refused else None,
            help=f"set {name}=0 or remove it",
            fix=replace(subject, found, "0"),
        )
