"""The linear attention of a model is split along the sequence as Megatron does not support it.

## What it finds
Megatron on GPUs, a model with gated delta net layers (Qwen3-Next, Qwen3.5), and `megatron.context_parallel_size` above
1: up to 0.8.0 (images with Megatron-Core 0.16) always, from 0.9.0 on (0.18) where tensor x context parallel size does
not divide the heads of the linear attention. MindSpeed on NPU brings a split of its own.

## Why it hurts
Megatron-Core refuses while the actor is built.

## When it fails
at init: AssertionError "Gated delta net does not support context parallel for now", or "must be a multiple of"

## Example that fails
```bash
# recipe-lint: device=h200 release=0.8.0
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.model.path=Qwen/Qwen3.5-4B
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1
    actor_rollout_ref.model.use_remove_padding=False
    actor_rollout_ref.actor.megatron.context_parallel_size=2  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
# recipe-lint: device=h200 release=0.8.0
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.model.path=Qwen/Qwen3.5-4B
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1
    actor_rollout_ref.model.use_remove_padding=False
    actor_rollout_ref.actor.megatron.context_parallel_size=1
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `context_parallel_size=1` and split by tensor and pipeline.

## Sources
- Megatron-LM core_v0.16.1, core_v0.18.0 transformer_config.py :: __post_init__, gated_delta_net
- verl/docker/Dockerfile.stable.vllm: MCORE_VERSION (0.16 up to 0.8.0, 0.18.0 in 0.9.0 and main)
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, at_least, between_releases, engine
from lint.subject.subject import Subject

CONTEXT = f"{ACTOR}.megatron.context_parallel_size"
TENSOR = f"{ACTOR}.megatron.tensor_model_parallel_size"


@rule(severity="error", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Linear attention, context parallelism, GPU."""
    size, tensor = subject.integer(CONTEXT), subject.integer(TENSOR)
    device = subject.device
    heads = None if subject.model is None else subject.model.linear_attention
    if engine(subject) != "megatron" or size is None or size < 2 or device is None or device.kind != "cuda":
        return
    if subject.model is None or heads is None:
        return
    name = subject.model.name
    if not at_least(subject, "0.9.0"):
        yield subject.finding(
            check,
            f"{subject.describe(CONTEXT)} splits sequences, but the linear attention of {name} cannot be split in "
            "Megatron-Core 0.16",
            key=CONTEXT,
            severity="warning" if between_releases(subject) else None,
            help=f"set {CONTEXT}=1",
        )
    elif tensor and (heads.key_heads % (tensor * size) or heads.value_heads % (tensor * size)):
        yield subject.finding(
            check,
            f"{subject.describe(TENSOR)} x {subject.describe(CONTEXT)} = {tensor * size} does not divide the "
            f"{heads.key_heads} key and {heads.value_heads} value heads of the linear attention of {name}",
            key=CONTEXT,
            also=(TENSOR,),
            help=f"set {CONTEXT} and {TENSOR} so that their product divides {gcd(heads.key_heads, heads.value_heads)}",
        )
