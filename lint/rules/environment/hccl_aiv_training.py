r"""`HCCL_OP_EXPANSION_MODE=AIV` is exported for the trainer too.

## What it finds
`HCCL_OP_EXPANSION_MODE=AIV` in the environment of a training launch on NPUs.

## Why it hurts
CANN's reference allows AIV on A2 and A3 for inference, and not for several communicators in AIV mode at once: what
happens then is said to be unpredictable. A trainer has many of them. verl's own nightly runs and Ascend guides export
it all the same, and get through, so this is a remark: a collective that hangs now and then is the first thing to
suspect. On A2, `HCCL_DETERMINISTIC=true` switches AIV off, so the export has no effect.

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
- CANN 8.0 to 9.0 environment variable reference, HCCL_OP_EXPANSION_MODE (envref_07_0096, hcclenvref_07_0009): what AIV
  supports; HCCL_DETERMINISTIC and AIV on A2
- verl main: .github/workflows/nightly_ascend.yml, docs/ascend_tutorial/**: export it
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, known, remove, variable


@rule(severity="info", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """AIV in the environment of the trainer."""
    mode = variable(subject, "HCCL_OP_EXPANSION_MODE")
    if mode is None or mode.value != "AIV" or accelerator(subject) == "cuda":
        return
    if (known(subject, "HCCL_DETERMINISTIC") or "").lower() in ("true", "strict"):
        if subject.device is not None and subject.device.name == "ascend-a2":
            yield subject.finding(
                check,
                "HCCL_OP_EXPANSION_MODE AIV has no effect on A2: HCCL_DETERMINISTIC switches it off",
                span=mode.span,
                help="remove one of the two",
            )
        return
    yield subject.finding(
        check,
        "HCCL_OP_EXPANSION_MODE is AIV for the trainer too: CANN supports it for inference and for one communicator "
        "at a time, and a trainer has many; verl's nightly runs work with it",
        span=mode.span,
        help="remove it where a collective hangs",
        fix=remove(subject, mode, safe=False),
    )
