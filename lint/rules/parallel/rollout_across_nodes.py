"""A tensor parallel group of the rollout spans nodes.

## What it finds
`rollout.tensor_model_parallel_size` above the devices of a node, for a model below 200 B parameters. Models above that
need it.

## Why it hurts
Each layer of each generated token waits for the network between nodes: slow, and hangs were reported.

## When it fails
silently: the rollout is several times slower

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-32B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.tensor_model_parallel_size=16  # <- here
    trainer.nnodes=2
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-32B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.tensor_model_parallel_size=8
    trainer.nnodes=2
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Keep the group within a node (A2: 8 devices, A3: 16).

## Sources
- verl/workers/rollout/replica.py :: RolloutReplica.__init__ (nodes of a replica); verl#2995, verl#3324
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, rollout_pool
from lint.subject.subject import Subject

TENSOR = f"{ROLLOUT}.tensor_model_parallel_size"
NEEDS_NODES = 200e9  # parameters from which one node does not hold the model


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Tensor size above a node, small model."""
    pool, tensor, model = rollout_pool(subject), subject.integer(TENSOR), subject.model
    if pool is None or tensor is None or model is None or model.parameters.total >= NEEDS_NODES:
        return
    nodes, per_node = pool
    if not 0 < per_node < tensor or nodes * per_node % tensor:
        return
    yield subject.finding(
        check,
        f"{subject.describe(TENSOR)} spans {-(-tensor // per_node)} nodes of {per_node} devices, for a model of "
        f"{model.parameters.total / 1e9:.0f} B parameters: each layer waits for the network between nodes",
        key=TENSOR,
        also=("trainer.n_gpus_per_node",),
        phase="generate",
        help=f"set {TENSOR} to at most {per_node}",
    )
