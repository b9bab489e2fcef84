"""More devices per node are asked for than a node has.

## What it finds
`trainer.n_gpus_per_node` above the devices of one node of the known kind (Atlas A2: 8, A3: 16 dies).

## Why it hurts
verl compares only the totals of the cluster: 2 nodes of 8 pass as 1 node of 16. Then the placement group waits for a
node that does not exist, for ever and without a message.

## When it fails
at start: no error, the job hangs

## Example that fails
```bash
# recipe-lint: device=ascend-a2
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.n_gpus_per_node=16  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.n_gpus_per_node=16
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `trainer.n_gpus_per_node` to the devices of one node and `trainer.nnodes` to the nodes.

## Sources
- verl/single_controller/ray/base.py :: ResourcePoolManager._check_resource_available, RayResourcePool (0.8.0 to 0.9.1)
- lint/facts: devices per node of each kind
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject

PER_NODE = "trainer.n_gpus_per_node"


@rule(severity="error", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Asked devices above those of a node."""
    asked, device = subject.integer(PER_NODE), subject.device
    if asked is not None and device is not None and asked > device.per_node:
        yield subject.finding(
            check,
            f"{subject.describe(PER_NODE)}, but a node of {device.title} has {device.per_node}: the job waits for ever",
            key=PER_NODE,
            help=f"set {PER_NODE}={device.per_node} and trainer.nnodes to the number of nodes",
        )
