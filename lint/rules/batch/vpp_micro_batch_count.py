"""The interleaved pipeline gets a number of micro-batches that its stages cannot share.

## What it finds
Megatron with `virtual_pipeline_model_parallel_size` above 1 and static batches: mini-batch x n / data parallel ranks /
micro-batch is not a multiple of `pipeline_model_parallel_size`.

## Why it hurts
The interleaved schedule hands micro-batches out in groups of the pipeline size. Dynamic batches are rounded up by verl.

## When it fails
first step: AssertionError "must be divisible by num_batches_divided_by ... for megatron backend"

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    data.train_batch_size=48
    actor_rollout_ref.actor.ppo_mini_batch_size=24
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4  # <- here
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=4
    actor_rollout_ref.actor.megatron.virtual_pipeline_model_parallel_size=3
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    data.train_batch_size=64
    actor_rollout_ref.actor.ppo_mini_batch_size=32
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=4
    actor_rollout_ref.actor.megatron.virtual_pipeline_model_parallel_size=3
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Choose a micro-batch size that makes the count a multiple of the pipeline size.

## Sources
- verl/workers/engine/megatron/transformer_impl.py :: forward_backward_batch (main)
- Megatron-LM core_r0.16.0 megatron/core/pipeline_parallel/schedules.py, microbatch_group_size_per_vp_stage
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, data_parallel, engine, mini_batch_rows
from lint.subject.subject import Subject

MICRO = f"{ACTOR}.ppo_micro_batch_size_per_gpu"
VIRTUAL = f"{ACTOR}.megatron.virtual_pipeline_model_parallel_size"
STAGES = f"{ACTOR}.megatron.pipeline_model_parallel_size"
GROUP = f"{ACTOR}.megatron.override_transformer_config.microbatch_group_size_per_vp_stage"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Micro-batches per update modulo pipeline size, unless groups of another size are asked for."""
    if engine(subject) != "megatron" or subject.boolean(f"{ACTOR}.use_dynamic_bsz") is not False:
        return
    if subject.setting(GROUP) is not None:
        return
    rows, ranks, micro = mini_batch_rows(subject), data_parallel(subject), subject.integer(MICRO)
    virtual, stages = subject.integer(VIRTUAL), subject.integer(STAGES)
    if not rows or not ranks or not micro or not stages or virtual is None or virtual < 2:
        return
    count = rows // ranks // micro
    if rows % (ranks * micro) or count % stages == 0:
        return
    yield subject.finding(
        check,
        f"{rows} responses of a mini-batch / {ranks} data parallel ranks / micro-batch {micro} = {count} micro-batches "
        f"are not a multiple of pipeline size {stages} (virtual size {virtual})",
        key=MICRO,
        also=(f"{ACTOR}.ppo_mini_batch_size", VIRTUAL, STAGES),
        phase="update_actor",
        help=f"make the number of micro-batches a multiple of {stages}",
    )
