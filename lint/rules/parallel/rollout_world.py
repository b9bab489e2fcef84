"""The devices of the rollout do not divide into replicas.

## What it finds
Devices of the rollout's pool modulo `rollout.tensor_model_parallel_size` (default 2) x `data_parallel_size` x
`pipeline_model_parallel_size`; a replica that is larger than a node but not a whole number of nodes, or smaller but
not a divisor of one; and, with data parallel replicas, a tensor parallel size that does not divide a node. From 0.8.0
on a rollout with devices of its own starts as many replicas as there is room for: idle devices are a warning.

## Why it hurts
The assertions stand where the rollout is built, after actor and reference were loaded on every device. A job with one
device meets the first through the default of 2.

## When it fails
at init: AssertionError "rollout world_size is not divisible by infer_world_size"

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.train_batch_size=1536
    actor_rollout_ref.actor.ppo_mini_batch_size=384
    actor_rollout_ref.rollout.tensor_model_parallel_size=4  # <- here
    trainer.nnodes=2
    trainer.n_gpus_per_node=3
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.tensor_model_parallel_size=4
    trainer.nnodes=2
    trainer.n_gpus_per_node=4
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use a tensor parallel size that divides the devices of a node.

## Sources
- verl/workers/engine_workers.py :: ActorRolloutRefWorker.init_model, step 3 (0.8.0, 0.9.0, 0.9.1)
- verl/workers/rollout/replica.py :: RolloutReplica.__init__, init_standalone; llm_server.py ::
  _initialize_llm_servers; vllm_rollout/vllm_async_server.py :: launch_server
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least, divisors, either, replica_size, rollout_pool, separate_pools
from lint.subject.subject import Subject

TENSOR, DATA = f"{ROLLOUT}.tensor_model_parallel_size", f"{ROLLOUT}.data_parallel_size"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Pool modulo replica, replica modulo node, node modulo tensor size."""
    pool, replica = rollout_pool(subject), replica_size(subject)
    tensor, data = subject.integer(TENSOR), subject.integer(DATA)
    if pool is None or not replica or not tensor or not data or min(pool) <= 0:
        return
    nodes, per_node = pool
    if subject.boolean(f"{ROLLOUT}.disaggregation.enabled"):
        return
    own = separate_pools(subject) and at_least(subject, "0.8.0")
    straddles = not own and nodes > 1 and replica < per_node and per_node % replica
    shown = f"tensor {tensor} x data {data} parallel" if data > 1 else subject.describe(TENSOR)
    idle = own and nodes * per_node > replica and nodes * per_node % replica
    if idle:
        problem = f"{idle} of the {nodes} x {per_node} devices of the rollout get no server of {replica} ({shown})"
    elif own and nodes * per_node < replica:
        problem = f"a server of {replica} devices ({shown}) has no room on the {nodes * per_node} of the rollout"
    elif nodes * per_node % replica:
        problem = f"the {nodes} x {per_node} = {nodes * per_node} devices of the rollout do not divide by {shown}"
        problem += f" = {replica}" if data > 1 else ""
    elif replica > per_node and replica % per_node:
        problem = f"a replica of {replica} devices ({shown}) is not a whole number of nodes of {per_node}"
    elif straddles:
        problem = (
            f"replicas of {replica} devices ({shown}) do not fill a node of {per_node}: some would straddle two nodes"
        )
    elif data > 1 and min(per_node, replica) % tensor:
        problem = f"{shown}: a node of {per_node} devices does not divide by tensor size {tensor}"
    else:
        return
    legal = divisors(per_node)
    yield subject.finding(
        check,
        problem,
        key=TENSOR,
        also=(DATA, "trainer.nnodes", "trainer.n_gpus_per_node"),
        confidence="medium" if straddles and nodes * per_node % replica == 0 else None,
        severity="warning" if idle else None,
        help=f"set {TENSOR} to {either(legal)}",
    )
