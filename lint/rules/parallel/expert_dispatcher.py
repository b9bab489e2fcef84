"""The token dispatcher of a mixture of experts is combined with what it does not support.

## What it finds
Megatron with experts: `moe_token_dispatcher_type=allgather` (verl always has variable lengths); `moe_enable_deepep`
without `flex`; `moe_shared_expert_overlap` without `alltoall` (from 0.9.0 on GPUs: or `flex`); tensor parallel size
above 1 with `sequence_parallel=False`.

## Why it hurts
Megatron refuses while the actor is built, the last one in the first training step.

## When it fails
at init: ValueError of TransformerConfig (sequence_parallel: first step)

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    +actor_rollout_ref.actor.megatron.override_transformer_config.moe_token_dispatcher_type=allgather  # <- here
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
    +actor_rollout_ref.actor.megatron.override_transformer_config.moe_token_dispatcher_type=alltoall
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use `alltoall`, or `flex` with DeepEP.

## Sources
- Megatron-LM core_v0.16.1, core_v0.18.0 transformer_config.py :: __post_init__, moe/moe_layer.py :: MoELayer.forward
- verl/workers/engine/megatron/transformer_impl.py :: _build_tf_config, variable_seq_lengths (0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, at_least, engine
from lint.subject.subject import Subject
from lint.subject.workers import on_npu

NODE = f"{ACTOR}.megatron"
OVERRIDE = f"{NODE}.override_transformer_config"
DISPATCHER, DEEPEP = f"{OVERRIDE}.moe_token_dispatcher_type", f"{OVERRIDE}.moe_enable_deepep"
OVERLAP = f"{OVERRIDE}.moe_shared_expert_overlap"
TENSOR, SEQUENCE = f"{NODE}.tensor_model_parallel_size", f"{NODE}.sequence_parallel"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Dispatcher, its options, and sequence parallelism of a model with experts."""
    if engine(subject) != "megatron" or subject.model is None or subject.model.experts is None:
        return
    unset = subject.setting(DISPATCHER) is None
    dispatcher = "alltoall" if unset else subject.string(DISPATCHER)
    shown = "the dispatcher is alltoall (verl's default)" if unset else subject.describe(DISPATCHER)
    if dispatcher == "allgather":
        yield subject.finding(
            check,
            f"{shown} does not support sequences of variable length, which verl always has",
            key=DISPATCHER,
            help=f"set {DISPATCHER}=alltoall",
        )
    if subject.boolean(DEEPEP) and dispatcher not in (None, "flex"):
        yield subject.finding(
            check,
            f"{subject.describe(DEEPEP)} needs the flex dispatcher, but {shown}",
            key=DEEPEP,
            also=(DISPATCHER,),
            help=f"set {'+' if unset else ''}{DISPATCHER}=flex",
        )
    overlapping = ("alltoall", "flex") if at_least(subject, "0.9.0") and not on_npu(subject) else ("alltoall",)
    shared = subject.model.experts.shared_intermediate_size > 0  # without shared experts Megatron does not look at it
    if shared and subject.boolean(OVERLAP) and dispatcher not in (None, *overlapping):
        yield subject.finding(
            check,
            f"{subject.describe(OVERLAP)} works with dispatcher {' or '.join(overlapping)} only, but {shown}",
            key=OVERLAP,
            also=(DISPATCHER,),
            help=f"drop {OVERLAP}, or set {DISPATCHER}=alltoall",
        )
    tensor = subject.integer(TENSOR)
    if tensor and tensor > 1 and subject.boolean(SEQUENCE) is False:
        yield subject.finding(
            check,
            f"{subject.describe(SEQUENCE)}: experts with {subject.describe(TENSOR)} cannot train without it",
            key=SEQUENCE,
            also=(TENSOR,),
            phase="update_actor",
            help=f"drop {SEQUENCE}=False",
        )
