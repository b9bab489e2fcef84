"""Uniform recomputation works on chunks of layers that do not fill a stage.

## What it finds
`recompute_method=uniform` with a `recompute_num_layers` that does not divide the layers of a pipeline stage.

## Why it hurts
Up to Megatron-Core 0.16 the last chunk reaches beyond the layers of its stage; from 0.17 on it is cut. The GPU images
from 0.9.0 on hold 0.18; those for NPU hold 0.16.

## When it fails
first step: IndexError in the first update

## Example that fails
```bash
# recipe-lint: release=0.8.0
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=5  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
# recipe-lint: release=0.8.0
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform
    +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=1
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use a divisor of the layers of a stage; 1 saves most memory.

## Sources
- Megatron-LM megatron/core/transformer/transformer_block.py :: _checkpointed_forward (core_r0.15.0, core_r0.16.0;
  core_r0.17.0 cuts the last chunk)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.parallel._recomputing import GRANULARITY, LAYERS, METHOD, NODE
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, at_least, divisors, either, engine, megatron_sizes
from lint.subject.subject import Subject
from lint.subject.workers import on_npu

VIRTUAL = f"{ACTOR}.megatron.virtual_pipeline_model_parallel_size"
UNEVEN = (
    "num_layers_in_first_pipeline_stage",
    "num_layers_in_last_pipeline_stage",
    "pipeline_model_parallel_layout",
    "account_for_embedding_in_pipeline_split",
    "account_for_loss_in_pipeline_split",
)


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Layers of a stage against layers of a chunk."""
    if engine(subject) != "megatron" or subject.string(GRANULARITY) != "full" or subject.string(METHOD) != "uniform":
        return
    if at_least(subject, "0.9.0") and not on_npu(subject):
        return
    chunk, stage = subject.integer(LAYERS), layers_of_a_stage(subject)
    if chunk is None or chunk < 1 or stage is None or stage % chunk == 0:
        return
    yield subject.finding(
        check,
        f"{subject.describe(LAYERS)} does not divide the {stage} layers of a stage: IndexError with Megatron-Core 0.16 "
        "and before",
        key=LAYERS,
        also=(f"{ACTOR}.megatron.pipeline_model_parallel_size", METHOD),
        help=f"set {LAYERS} to {either(divisors(stage))}",
    )


def layers_of_a_stage(subject: Subject) -> int | None:
    """Layers of each pipeline stage where all are alike; None if the split is not even or not known."""
    model, sizes = subject.model, megatron_sizes(subject)
    if model is None or sizes is None or sizes[1] < 1 or model.layers % sizes[1]:
        return None
    if subject.value(VIRTUAL) is not None or any(subject.value(f"{NODE}.{name}") for name in UNEVEN):
        return None
    return model.layers // sizes[1]
