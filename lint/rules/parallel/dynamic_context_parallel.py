"""Dynamic context parallelism is asked for a model or a number of devices that it cannot split.

## What it finds
`dynamic_context_parallel=True` for a model that takes images, or with an odd number of devices beside tensor and
pipeline parallelism.

## Why it hurts
The groups over which sequences are split on the fly are built for an even number of ranks and for language models.

## When it fails
at init: NotImplementedError or ValueError when the actor is built

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.path=Qwen/Qwen2.5-VL-7B-Instruct
    actor_rollout_ref.actor.megatron.max_seqlen_per_dp_cp_rank=4096
    actor_rollout_ref.actor.megatron.dynamic_context_parallel=True  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.megatron.max_seqlen_per_dp_cp_rank=4096
    actor_rollout_ref.actor.megatron.dynamic_context_parallel=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use a fixed `context_parallel_size`, or an even number of devices beside tensor and pipeline parallelism.

## Sources
- verl/workers/engine/megatron/transformer_impl.py :: _check_dcp_unsupported_features, _validate_dcp_world_size
  (0.9.0, 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, engine, megatron_sizes, world_size
from lint.subject.subject import Subject

NODE = f"{ACTOR}.megatron"
SWITCH, SPLIT = f"{NODE}.dynamic_context_parallel", ("tensor_model_parallel_size", "pipeline_model_parallel_size")


@rule(severity="error", since="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Model and ranks against what the engine accepts."""
    if engine(subject) != "megatron" or subject.boolean(SWITCH) is not True:
        return
    model, world, sizes = subject.model, world_size(subject), megatron_sizes(subject)
    if model is not None and model.vision is not None:
        yield subject.finding(
            check,
            f"{subject.describe(SWITCH)} does not support {model.name}, which takes images",
            key=SWITCH,
            also=("actor_rollout_ref.model.path",),
            help=f"set {SWITCH}=False and {NODE}.context_parallel_size",
        )
    if world is None or sizes is None or world % (sizes[0] * sizes[1]):
        return
    ranks = world // (sizes[0] * sizes[1])
    if ranks % 2:
        yield subject.finding(
            check,
            f"{subject.describe(SWITCH)} needs an even number of data and context parallel ranks: {world} devices / "
            f"tensor {sizes[0]} / pipeline {sizes[1]} = {ranks}",
            key=SWITCH,
            also=tuple(f"{NODE}.{name}" for name in SPLIT),
            help=f"choose tensor and pipeline sizes that leave an even number of the {world} devices",
        )
