r"""Exporting an HCCL port range in the launch script takes away verl's own `auto` on a running Ray cluster.

## What it finds
`HCCL_HOST_SOCKET_PORT_RANGE` or `HCCL_NPU_SOCKET_PORT_RANGE` exported by a script that runs on several nodes, that is
on a Ray cluster which was started before, and does not start Ray itself.

## Why it hurts
verl hands both variables to Ray's workers as `auto`, but drops each one that is set in the driver's environment.
Workers inherit from `ray start`, not from the driver. If Ray was started without the export, the workers get neither
value and all processes of an NPU meet at the default ports (60000 on the host, 16666 on the NPU): EI0019 or EJ0003,
"have been bound already".

## When it fails
at init: when the rollout joins the trainer on the device

## Example that fails
```bash
# recipe-lint: device=ascend-a2
export HCCL_HOST_SOCKET_PORT_RANGE=60000-60050  # <- here
export HCCL_NPU_SOCKET_PORT_RANGE=61000-61050  # <- here
python3 -m verl.trainer.main_ppo trainer.nnodes=2 trainer.n_gpus_per_node=8
```

## Example that passes
```bash
# recipe-lint: device=ascend-a2
python3 -m verl.trainer.main_ppo trainer.nnodes=2 trainer.n_gpus_per_node=8
```

## Fix
Delete both exports: `auto` lets the system choose free ports, which CANN recommends for several processes per NPU.

## Sources
- verl 0.7.1, 0.8.0, 0.9.0, main: verl/trainer/constants_ppo.py :: get_ppo_ray_runtime_env (the loop that pops)
- CANN 8.5 environment variable reference (envref_07_0143, 0144)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.environment._npu import PORT_RANGES
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import on_npu, remove, variable


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """An exported range other than `auto`, on several nodes."""
    nodes = subject.integer("trainer.nnodes")
    if nodes is None or nodes < 2 or not on_npu(subject):
        return
    for name in PORT_RANGES:
        found = variable(subject, name)
        if found is None or not found.exported or found.value in (None, "auto"):
            continue
        yield subject.finding(
            check,
            f"{name} is exported here, so verl does not send its own auto to the workers; with trainer.nnodes {nodes} "
            "they get the range only if ray start had it too, else the default ports, which collide",
            span=found.span,
            help=f"remove the export of {name}",
            fix=remove(subject, found),
        )
