"""A virtual pipeline size is set where it cannot work.

## What it finds
Megatron with `virtual_pipeline_model_parallel_size` set while `pipeline_model_parallel_size` is 1; or set at all on NPU
with the old mbridge (`vanilla_mbridge=True`), whose weight mapping does not know it.

## Why it hurts
The interleaved schedule needs at least two stages. On NPU mbridge fails with an IndexError at the first weight sync.

## When it fails
at init: RuntimeError "pipeline-model-parallel size should be greater than 1" (NPU with mbridge: first step)

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.virtual_pipeline_model_parallel_size=2  # <- here
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
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop the virtual size, or raise `pipeline_model_parallel_size`.

## Sources
- Megatron-LM core_r0.16.0 megatron/core/parallel_state.py :: initialize_model_parallel
- verl#4815 (NPU, mbridge)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, engine
from lint.subject.subject import Subject

NODE = f"{ACTOR}.megatron"
STAGES, VIRTUAL = f"{NODE}.pipeline_model_parallel_size", f"{NODE}.virtual_pipeline_model_parallel_size"
MBRIDGE = f"{NODE}.vanilla_mbridge"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Virtual size without stages, or on NPU with mbridge."""
    virtual, stages = subject.integer(VIRTUAL), subject.integer(STAGES)
    if engine(subject) != "megatron" or virtual is None:
        return
    if stages == 1:
        yield subject.finding(
            check,
            f"{subject.describe(VIRTUAL)} needs more than one stage, but {subject.describe(STAGES)}",
            key=VIRTUAL,
            also=(STAGES,),
            help=f"set {VIRTUAL}=null",
            fix=subject.change(VIRTUAL, "null", safe=True),
        )
    elif virtual > 1 and subject.boolean(MBRIDGE) and subject.device is not None and subject.device.kind == "npu":
        yield subject.finding(
            check,
            f"{subject.describe(VIRTUAL)}: the weight mapping of mbridge fails with virtual stages on NPU (verl#4815)",
            key=VIRTUAL,
            also=(MBRIDGE,),
            severity="warning",
            confidence="medium",
            phase="update_weights",
            help=f"set {VIRTUAL}=null",
        )
