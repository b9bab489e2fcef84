r"""A launch over several NPU nodes leaves `HCCL_CONNECT_TIMEOUT` at 120 s.

## What it finds
`trainer.nnodes` above 1 on NPUs and no `HCCL_CONNECT_TIMEOUT` in the script or in Ray's `runtime_env`.

## Why it hurts
A rank that is more than 120 s (and 20 s of grace) behind the others, because it loads weights from a slow disk or
compiles, makes all of them fail with EI0006 "getting socket times out". Shipped recipes set 1500 to 7200.

## When it fails
at init: the first communicator over nodes

## Example that fails
```bash
# recipe-lint: device=ascend-a2
python3 -m verl.trainer.main_ppo trainer.nnodes=2 trainer.n_gpus_per_node=8  # <- here
```

## Example that passes
```bash
# recipe-lint: device=ascend-a2
export HCCL_CONNECT_TIMEOUT=1500
python3 -m verl.trainer.main_ppo trainer.nnodes=2 trainer.n_gpus_per_node=8
```

## Fix
`export HCCL_CONNECT_TIMEOUT=1500`, before `ray start` on every node.

## Sources
- CANN 8.0 to 8.5 environment variable reference, HCCL_CONNECT_TIMEOUT (envref_07_0077)
- vllm-ascend issue 486: EI0006 with the default
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import on_npu, variable


@rule(severity="info", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Several NPU nodes and the default time-out."""
    nodes = subject.integer("trainer.nnodes")
    if nodes is None or nodes < 2 or not on_npu(subject) or variable(subject, "HCCL_CONNECT_TIMEOUT") is not None:
        return
    yield subject.finding(
        check,
        f"HCCL_CONNECT_TIMEOUT is not set here and trainer.nnodes is {nodes}: a rank 140 s late fails all others",
        key="trainer.nnodes",
        help="export HCCL_CONNECT_TIMEOUT=1500 before ray start on every node",
    )
