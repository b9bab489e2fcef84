"""The devices do not divide over Megatron's parallel sizes.

## What it finds
Devices modulo tensor x pipeline x context parallel size; and, for experts, modulo expert tensor x expert x pipeline
parallel size, where a null `expert_tensor_parallel_size` means the dense tensor parallel size, not 1.

## Why it hurts
Static batches: refused at start. Dynamic batches, and the experts always: Megatron refuses while the engine is built.

## When it fails
at init: RuntimeError "world_size is not divisible by ..."

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2
    actor_rollout_ref.actor.megatron.expert_model_parallel_size=2  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2
    actor_rollout_ref.actor.megatron.expert_model_parallel_size=2
    actor_rollout_ref.actor.megatron.expert_tensor_parallel_size=1
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Make the products divide the devices; for experts usually `expert_tensor_parallel_size=1`.

## Sources
- Megatron-LM core_r0.16.0 megatron/core/parallel_state.py :: initialize_model_parallel
- verl/utils/config.py :: validate_config (0.7.1, 0.8.0, 0.9.0, 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, engine, expert_tensor_parallel, megatron_sizes, world_size
from lint.subject.subject import Subject

NODE = f"{ACTOR}.megatron"
TENSOR, STAGES = f"{NODE}.tensor_model_parallel_size", f"{NODE}.pipeline_model_parallel_size"
CONTEXT = f"{NODE}.context_parallel_size"
EXPERTS, EXPERT_TENSOR = f"{NODE}.expert_model_parallel_size", f"{NODE}.expert_tensor_parallel_size"
CLUSTER = ("trainer.nnodes", "trainer.n_gpus_per_node")


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """World modulo the dense product, then modulo the experts' product."""
    world, sizes = world_size(subject), megatron_sizes(subject)
    if engine(subject) != "megatron" or not world or sizes is None:
        return
    tensor, stages, context = sizes
    if world % (tensor * stages * context):
        yield subject.finding(
            check,
            f"{world} devices do not divide by tensor {tensor} x pipeline {stages} x context {context} parallel = "
            f"{tensor * stages * context}",
            key=TENSOR,
            also=(STAGES, CONTEXT, *CLUSTER),
            help=f"choose sizes whose product divides {world}",
        )
        return
    experts, expert_tensor = subject.integer(EXPERTS), expert_tensor_parallel(subject)
    if not experts or not expert_tensor or world % (expert_tensor * experts * stages) == 0:
        return
    null = " (null: the dense tensor size)" if subject.is_null(EXPERT_TENSOR) else ""
    yield subject.finding(
        check,
        f"{world} devices do not divide by expert tensor {expert_tensor}{null} x expert {experts} x pipeline {stages} "
        f"parallel = {expert_tensor * experts * stages}",
        key=EXPERTS,
        also=(EXPERT_TENSOR, TENSOR, STAGES, *CLUSTER),
        help=f"set {EXPERT_TENSOR}=1" if world % (experts * stages) == 0 else f"choose sizes that divide {world}",
    )
