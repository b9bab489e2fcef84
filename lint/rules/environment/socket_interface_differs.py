r"""HCCL, Gloo and tensor parallel groups are sent over different network cards.

## What it finds
`HCCL_SOCKET_IFNAME`, `GLOO_SOCKET_IFNAME`, `NCCL_SOCKET_IFNAME` and `TP_SOCKET_IFNAME` with known values that cannot
mean one card, in a launch over several nodes. What the device does not use (NCCL on NPUs, HCCL on GPUs) is left out.

## Why it hurts
All of them set up connections between the same hosts. If one card cannot reach the other nodes, its group waits for
them until a time-out, while the others work.

## When it fails
at init: a hang at the first group of that library

## Example that fails
```bash
export HCCL_SOCKET_IFNAME=eth0
export GLOO_SOCKET_IFNAME=eth1  # <- here
python3 -m verl.trainer.main_ppo trainer.device=npu trainer.nnodes=2 trainer.n_gpus_per_node=8
```

## Example that passes
```bash
export HCCL_SOCKET_IFNAME=eth0
export GLOO_SOCKET_IFNAME=eth0
python3 -m verl.trainer.main_ppo trainer.device=npu trainer.nnodes=2 trainer.n_gpus_per_node=8
```

## Fix
Name the same card in all of them.

## Sources
- verl main: docs/ascend_tutorial/model_support/examples/multi-machine_task_startup_practice.rst sets them together
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding, Related
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, variable

NAMES = ("HCCL_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME")
UNREAD = {"cuda": "HCCL_SOCKET_IFNAME", "npu": "NCCL_SOCKET_IFNAME"}


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Two cards for one network."""
    if (subject.integer("trainer.nnodes") or 1) < 2:
        return
    read = [name for name in NAMES if name != UNREAD.get(accelerator(subject) or "")]
    found = [one for one in (variable(subject, name) for name in read) if one is not None and one.value]
    for other in found[1:]:
        if not may_agree(found[0].value or "", other.value or ""):
            yield subject.finding(
                check,
                f"{other.name} is {other.value}, but {found[0].name} is {found[0].value}",
                span=other.span,
                help=f"set {other.name}={found[0].value}, if that card connects the nodes",
                related=[Related(found[0].span, f"{found[0].name} is set here")],
            )
            return


def may_agree(one: str, other: str) -> bool:
    """True if both can mean the same card: HCCL and NCCL take beginnings of names, lists, `=name` and `^name`."""
    if "^" in one + other:
        return True
    names, others = ([name.strip("= ") for name in value.split(",")] for value in (one, other))
    return any(name.startswith(also) or also.startswith(name) for name in names for also in others)
