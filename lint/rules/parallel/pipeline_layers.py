"""The layers of the model do not divide over the pipeline stages.

## What it finds
Megatron: layers modulo `pipeline_model_parallel_size`, after what `override_transformer_config` says about the first
and last stage or about counting embedding and loss as layers, and layers per stage modulo the virtual size. Giving
both kinds at once is refused too. A `pipeline_model_parallel_layout` is not checked.

## Why it hurts
Megatron refuses while the actor is built. Typical: 61 layers of DeepSeek-V3, 94 of Qwen3-235B, 27 of Moonlight.

## When it fails
at init: ValueError or AssertionError of TransformerConfig

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=8  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=8
    +actor_rollout_ref.actor.megatron.override_transformer_config.num_layers_in_first_pipeline_stage=3
    +actor_rollout_ref.actor.megatron.override_transformer_config.num_layers_in_last_pipeline_stage=3
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use a pipeline size that divides the layers, or set the number of layers of the first and last stage.

## Sources
- Megatron-LM core_r0.16.0 transformer_config.py :: __post_init__, transformer_block.py :: get_num_layers_to_build
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.parallel._pipeline import split_problem
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, either, engine, megatron_sizes, world_size
from lint.subject.subject import Subject

NODE = f"{ACTOR}.megatron"
OVERRIDE = f"{NODE}.override_transformer_config"
STAGES, VIRTUAL = f"{NODE}.pipeline_model_parallel_size", f"{NODE}.virtual_pipeline_model_parallel_size"
ENDS = (f"{OVERRIDE}.num_layers_in_first_pipeline_stage", f"{OVERRIDE}.num_layers_in_last_pipeline_stage")
COUNTED = (f"{OVERRIDE}.account_for_embedding_in_pipeline_split", f"{OVERRIDE}.account_for_loss_in_pipeline_split")


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Layers left for the middle stages modulo their number, then per stage modulo the virtual size."""
    model, stages = subject.model, subject.integer(STAGES)
    layout = subject.value(f"{OVERRIDE}.pipeline_model_parallel_layout")
    if engine(subject) != "megatron" or model is None or not stages or stages < 2 or layout is not None:
        return
    if any(subject.setting(key) is not None and subject.value(key) is None and subject.is_set(key) for key in ENDS):
        return
    given = [size for size in map(subject.integer, ENDS) if size is not None]
    counted = sum(subject.boolean(key) is True for key in COUNTED)
    problem = split_problem(model.layers, stages, given, counted, subject.integer(VIRTUAL))
    if problem is None:
        return
    yield subject.finding(
        check,
        f"{model.name} has {model.layers} layers, {subject.describe(STAGES)}: {problem}",
        key=STAGES,
        also=(*ENDS, *COUNTED, VIRTUAL),
        confidence="medium" if model.confidence == "low" else None,
        help=_remedy(subject, model.layers, stages, given, counted),
    )


def _remedy(subject: Subject, layers: int, stages: int, given: list[int], counted: int) -> str:
    """A virtual size where only that does not fit, else the pipeline sizes that layers and devices allow."""
    virtual = subject.integer(VIRTUAL)
    if split_problem(layers, stages, given, counted, None) is None:
        sizes = [
            size for size in range(2, layers // stages + 1) if not split_problem(layers, stages, given, counted, size)
        ]
        return f"set {VIRTUAL} to {either([*sizes, 'null'])}"
    world, parallel = world_size(subject), megatron_sizes(subject)
    smallest = parallel[0] * parallel[2] if parallel else 1
    fitting = [
        size
        for size in range(2 if virtual else 1, 2 * stages + 1)
        if not split_problem(layers, size, given, counted, virtual) and not (world and world % (smallest * size))
    ]
    ends = "num_layers_in_first_pipeline_stage and _last_"
    return f"set {STAGES} to {either(fitting)}, or set {ends}" if fitting else f"set {ends}, or other parallel sizes"
