r"""What the processes of one node keep in host memory exceeds the node's memory.

## What it finds
Offloaded parameters and optimizer, the reference on the host, the rollout's copy of its weights and the processes
themselves, summed over the devices of a node, against the host memory of the usual server with these devices, or
against what the settings say:

    [tool.recipe-lint.rules.host-memory]
    host_memory_gib = 1024

Error where the offloaded tensors alone exceed it, warning where only the sum with the processes does.

## Why it hurts
The kernel or Ray kills a worker; the message names neither the tensor nor the setting.

## When it fails
first step: when parameters and optimizer are first moved to the host

## Example that fails
```bash
# recipe-lint: device=h200
LAUNCH=(
    model_engine=megatron
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=deepseek-ai/DeepSeek-V3
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=8
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=6
    actor_rollout_ref.actor.megatron.expert_model_parallel_size=8
    actor_rollout_ref.actor.megatron.expert_tensor_parallel_size=1
    +actor_rollout_ref.actor.megatron.override_transformer_config.num_layers_in_last_pipeline_stage=11
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=1
    actor_rollout_ref.actor.megatron.param_offload=True  # <- here
    +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True
    +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_offload_fraction=1
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=16
    actor_rollout_ref.rollout.gpu_memory_utilization=0.7
    trainer.nnodes=6
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Example that passes
```bash
# recipe-lint: device=h200
LAUNCH=(
    model_engine=megatron
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=deepseek-ai/DeepSeek-V3
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=8
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=12
    actor_rollout_ref.actor.megatron.expert_model_parallel_size=8
    actor_rollout_ref.actor.megatron.expert_tensor_parallel_size=1
    +actor_rollout_ref.actor.megatron.override_transformer_config.num_layers_in_last_pipeline_stage=6
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=1
    actor_rollout_ref.actor.megatron.param_offload=True
    +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True
    +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_offload_fraction=1
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=16
    actor_rollout_ref.rollout.gpu_memory_utilization=0.7
    trainer.nnodes=12
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Fix
More nodes, a larger tensor parallel size of the rollout (its host copy shrinks), or less offload.

## Sources
- verl/utils/fsdp_utils.py :: offload_fsdp_model_to_cpu, offload_fsdp_optimizer (0.9.1)
- verl/third_party/vllm: sleep level 1 copies weights to host memory; docs/perf/dpsk.md (1.5 TB measured)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.memory.checks import gib
from lint.memory.terms import GIB
from lint.rules.memory._prediction import prediction_of
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, engine_node
from lint.subject.subject import Subject


@rule(severity="warning", confidence="medium", options={"host_memory_gib": 0})
def check(subject: Subject) -> Iterator[Finding]:
    """Sum of one node > memory of one node."""
    prediction = prediction_of(subject)
    if prediction is None:
        return
    stated = subject.options.get("host_memory_gib")
    node = (
        int(stated * GIB) if isinstance(stated, (int, float)) and stated else prediction.inputs.device.host_memory_bytes
    )
    if node is None or prediction.host["total"] <= node:
        return
    tensors = prediction.host["total"] - prediction.host.get("processes", 0)
    parts = sorted((item for item in prediction.host.items() if item[0] != "total"), key=lambda item: -item[1])
    sums = " + ".join(f"{name.replace('_', ' ')} {size / GIB:.0f}" for name, size in parts)
    nodes = prediction.inputs.nodes
    yield subject.finding(
        check,
        f"one node needs {gib(prediction.host['total'])} of host memory, it has {gib(node)}: {sums} GiB",
        key=f"{engine_node(subject) or ACTOR}.param_offload",
        also=["trainer.nnodes"],
        severity="error" if tensors > node else "warning",
        phase="init",
        help=f"write trainer.nnodes={2 * nodes}, or offload less",
    )
