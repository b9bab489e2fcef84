r"""`HCCL_EXEC_TIMEOUT` is above 1091 s, or 0, while `HCCL_OP_EXPANSION_MODE=AIV` caps it at 1091 s.

## What it finds
`HCCL_OP_EXPANSION_MODE=AIV` together with an `HCCL_EXEC_TIMEOUT` that is 0 (never) or more than 1091.

## Why it hurts
With AIV the waiting time of a collective is at most 1091 s (18 minutes), whatever the variable says; CANN 8.1 fixes it
there. A step in which one rank waits longer, for a long rollout, a checkpoint or a validation, ends the run, although
the script seems to allow for it.

## When it fails
late: when one rank waits for another for more than 18 minutes

## Example that fails
```bash
# recipe-lint: device=ascend-a3
export HCCL_OP_EXPANSION_MODE=AIV
export HCCL_EXEC_TIMEOUT=3600  # <- here
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
export HCCL_EXEC_TIMEOUT=3600
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=16
```

## Fix
Leave `HCCL_OP_EXPANSION_MODE` at its default, or expect 1091 s.

## Sources
- CANN 8.1, 8.5, 9.0, 9.1 environment variable reference, HCCL_EXEC_TIMEOUT (envref_07_0078)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.numbers import whole
from lint.findings import Finding, Related
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, variable

LIMIT = 1091  # seconds


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """AIV with a time-out that it does not honour."""
    mode, timeout = variable(subject, "HCCL_OP_EXPANSION_MODE"), variable(subject, "HCCL_EXEC_TIMEOUT")
    if mode is None or timeout is None or timeout.value is None or accelerator(subject) == "cuda":
        return
    if mode.value != "AIV" or not timeout.value.isdecimal() or 0 < whole(timeout.value) <= LIMIT:
        return
    yield subject.finding(
        check,
        f"HCCL_EXEC_TIMEOUT is {timeout.value}, but with HCCL_OP_EXPANSION_MODE=AIV a rank waits {LIMIT} s at most",
        span=timeout.span,
        help="leave HCCL_OP_EXPANSION_MODE unset for training",
        related=[Related(mode.span, "AIV is chosen here")],
    )
