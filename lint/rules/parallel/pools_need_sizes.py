"""A pool of devices of its own is asked for without its size.

## What it finds
`reward.reward_model.enable_resource_pool=True` without positive `nnodes` and `n_gpus_per_node` there, or with fewer
devices than its rollout's tensor parallel size; a V1 `separate_async` trainer without `rollout.nnodes`; a fully
asynchronous or one-step-off trainer without devices under `rollout`.

## Why it hurts
verl refuses, or starts a reward model with no replica.

## When it fails
at start: ValueError or AssertionError about the pool

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    reward.reward_model.enable=True
    reward.reward_model.enable_resource_pool=True  # <- here
    reward.reward_model.nnodes=0
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    reward.reward_model.enable=True
    reward.reward_model.enable_resource_pool=True
    reward.reward_model.nnodes=1
    reward.reward_model.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Give the pool its `nnodes` and `n_gpus_per_node`.

## Sources
- verl/trainer/ppo/v1/trainer_base.py :: _init_resource_pool_mgr, trainer_separate_async.py :: __init__ (0.9.0, 0.9.1)
- verl/experimental/reward_loop/reward_model.py :: RewardModelManager (replicas)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, trainer_mode
from lint.subject.subject import Subject

REWARD = "reward.reward_model"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Each separate pool that is switched on has a size."""
    pools = []
    if subject.boolean(f"{REWARD}.enable_resource_pool"):
        pools.append((REWARD, "the reward model", f"{REWARD}.enable_resource_pool"))
    if trainer_mode(subject) == "separate_async":
        pools.append((ROLLOUT, "the rollout", "trainer.v1.trainer_mode"))
    if subject.setting("rollout.nnodes") is not None:
        pools.append(("rollout", "the rollout", "rollout.nnodes"))
    for node, owner, switch in pools:
        sizes = {key: subject.integer(key) for key in (f"{node}.nnodes", f"{node}.n_gpus_per_node")}
        empty = [key for key, size in sizes.items() if size is not None and size <= 0]
        if empty:
            yield subject.finding(
                check,
                f"{owner} has a pool of its own, but {' and '.join(map(subject.describe, empty))}",
                key=switch,
                also=empty,
                help=f"set {empty[0]} to the nodes or devices of that pool",
            )
    tensor = f"{REWARD}.rollout.tensor_model_parallel_size"
    nodes, per_node = subject.integer(f"{REWARD}.nnodes"), subject.integer(f"{REWARD}.n_gpus_per_node")
    size = subject.integer(tensor)
    if pools and pools[0][0] == REWARD and nodes and per_node and size and nodes * per_node < size:
        yield subject.finding(
            check,
            f"the reward model's pool of {nodes} x {per_node} devices is smaller than its {subject.describe(tensor)}",
            key=tensor,
            also=(f"{REWARD}.nnodes", f"{REWARD}.n_gpus_per_node"),
            help="enlarge the pool or lower the tensor parallel size",
        )
