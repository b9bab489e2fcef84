r"""`HCCL_OP_EXPANSION_MODE=AIV` is exported for the trainer too.

## What it finds
`HCCL_OP_EXPANSION_MODE=AIV` in the environment of a training launch on NPUs, without `HCCL_DETERMINISTIC=true` (which
switches it off).

## Why it hurts
CANN documents AIV for inference only and not for several communicators in AIV mode at once ("may lead to unpredictable
behaviour"). A trainer has many: the world, data, tensor, pipeline and expert groups, and those of the rollout.
vllm-ascend suggests AIV in its log, for inference; an export gives it to the trainer too. Shipped recipes do so and
many runs get through; a hang in a collective is the first thing to suspect here.

## When it fails
late: collectives that hang or fail now and then

## Example that fails
```bash
# recipe-lint: device=ascend-a3
export HCCL_OP_EXPANSION_MODE=AIV  # <- here
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=16
```

## Fix
Remove the export, or suppress this finding with a reason if the run is known to be stable with it.

## Sources
- CANN 8.5, 9.0, 9.1 environment variable reference, HCCL_OP_EXPANSION_MODE (envref_07_0096): constraints of AIV
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, known, remove, variable


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """AIV in the environment of the trainer."""
    mode = variable(subject, "HCCL_OP_EXPANSION_MODE")
    if mode is None or mode.value != "AIV" or accelerator(subject) == "cuda":
        return
    if (known(subject, "HCCL_DETERMINISTIC") or "").lower() in ("true", "strict"):
        return
    yield subject.finding(
        check,
        "HCCL_OP_EXPANSION_MODE is AIV for the trainer too: CANN supports it for inference and for one communicator "
        "at a time, and a trainer has many",
        span=mode.span,
        help="remove it, or keep it if this run is known to be stable with it",
        fix=remove(subject, mode, safe=False),
    )
