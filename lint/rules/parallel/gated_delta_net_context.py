"""Context parallelism is asked for a model whose linear attention cannot be split along the sequence.

## What it finds
Megatron on GPUs, a model with gated delta net layers (Qwen3-Next, Qwen3.5), and `megatron.context_parallel_size` above
1. MindSpeed on NPU brings a split of its own.

## Why it hurts
Megatron-Core refuses while the actor is built.

## When it fails
at init: AssertionError "Gated delta net does not support context parallel for now"

## Example that fails
```bash
# recipe-lint: device=h200
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.model.path=Qwen/Qwen3.5-4B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.context_parallel_size=2  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
# recipe-lint: device=h200
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.model.path=Qwen/Qwen3.5-4B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.context_parallel_size=1
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `context_parallel_size=1` and split by tensor and pipeline.

## Sources
- Megatron-LM core_r0.16.0 transformer_config.py :: __post_init__, gated_delta_net
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, engine
from lint.subject.subject import Subject

CONTEXT = f"{ACTOR}.megatron.context_parallel_size"


@rule(severity="error", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Linear attention, context parallelism, GPU."""
    size, model, device = subject.integer(CONTEXT), subject.model, subject.device
    if engine(subject) != "megatron" or size is None or size < 2 or device is None or device.kind != "cuda":
        return
    if model is not None and model.linear_attention is not None:
        yield subject.finding(
            check,
            f"{subject.describe(CONTEXT)} splits sequences, but the linear attention of {model.name} cannot be split "
            "in Megatron-Core 0.16",
            key=CONTEXT,
            help=f"set {CONTEXT}=1",
        )
