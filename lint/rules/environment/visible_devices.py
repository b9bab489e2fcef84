r"""Fewer devices are visible than the launch wants.

## What it finds
A list in `ASCEND_RT_VISIBLE_DEVICES` or `CUDA_VISIBLE_DEVICES` that names fewer devices than the pools of a launch on
one node need (`trainer.n_gpus_per_node`, and the rollout's own devices if it has any), or one device twice.

## Why it hurts
Ray counts the visible devices of the node. The placement group is never ready: "Total available GPUs 2.0 is less than
total desired GPUs 8", or the run waits for ever.

## When it fails
at start: when the resource pools are made

## Example that fails
```bash
export CUDA_VISIBLE_DEVICES=0,1  # <- here
python3 -m verl.trainer.main_ppo trainer.nnodes=1 trainer.n_gpus_per_node=8
```

## Example that passes
```bash
export CUDA_VISIBLE_DEVICES=0,1
python3 -m verl.trainer.main_ppo trainer.nnodes=1 trainer.n_gpus_per_node=2
```

## Fix
Set `trainer.n_gpus_per_node` to the number of devices, or make more of them visible.

## Sources
- verl main: verl/single_controller/ray/base.py :: ResourcePoolManager._check_resource_available
- verl issues 2515, 746, 539
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import rollout_pool, separate_pools
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, variable

NAMES = {"ASCEND_RT_VISIBLE_DEVICES": "npu", "CUDA_VISIBLE_DEVICES": "cuda"}


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """A list of devices that is too short for a launch on one node."""
    nodes, wanted = subject.integer("trainer.nnodes"), subject.integer("trainer.n_gpus_per_node")
    if nodes != 1 or wanted is None:
        return
    if separate_pools(subject):
        pool = rollout_pool(subject)
        if pool is None or pool[0] > 1:
            return
        wanted += pool[0] * pool[1]
    for name, kind in NAMES.items():
        found = variable(subject, name)
        if found is None or not found.value or accelerator(subject) not in (kind, None):
            continue
        devices = [part.strip() for part in found.value.split(",")]
        if not all(device.isdigit() for device in devices):
            continue
        if len(set(devices)) < len(devices):
            yield subject.finding(check, f"{name} names a device twice: {found.value}", span=found.span)
        elif len(devices) < wanted:
            yield subject.finding(
                check,
                f"{name} shows {len(devices)} devices and the launch wants {wanted} on this node",
                span=found.span,
                also=["trainer.n_gpus_per_node"],
                help=f"set trainer.n_gpus_per_node={len(devices)}, or list {wanted} devices",
            )
