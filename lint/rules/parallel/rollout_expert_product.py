"""The rollout's expert parallel size is not the product that verl demands.

## What it finds
`rollout.expert_parallel_size` above 1 (vLLM, SGLang) and not `tensor_model_parallel_size` x `data_parallel_size`;
`moe_tensor_parallel_size` above 1 for another rollout than TensorRT-LLM; a pipeline parallel size above 1.

## Why it hurts
These are assertions of the rollout's config, but it is first built inside `init_model`, after actor and reference were
loaded on every device.

## When it fails
at init: AssertionError "expert_parallel_size must be equal to tensor_model_parallel_size * data_parallel_size"

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.tensor_model_parallel_size=4
    actor_rollout_ref.rollout.expert_parallel_size=8  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.tensor_model_parallel_size=4
    actor_rollout_ref.rollout.data_parallel_size=2
    actor_rollout_ref.rollout.expert_parallel_size=8
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `rollout.expert_parallel_size` to the product, or to 1.

## Sources
- verl/workers/config/rollout.py :: RolloutConfig.__post_init__ (0.7.1, 0.8.0, 0.9.0, 0.9.1)
- verl/workers/engine_workers.py :: ActorRolloutRefWorker.init_model, step 3
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

EXPERTS, TENSOR = f"{ROLLOUT}.expert_parallel_size", f"{ROLLOUT}.tensor_model_parallel_size"
DATA, PIPELINE = f"{ROLLOUT}.data_parallel_size", f"{ROLLOUT}.pipeline_model_parallel_size"
EXPERT_TENSOR = f"{ROLLOUT}.moe_tensor_parallel_size"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Expert size against the product; sizes that the rollout does not know."""
    name = subject.string(f"{ROLLOUT}.name")
    if name is None:
        return
    experts, tensor, data = subject.integer(EXPERTS), subject.integer(TENSOR), subject.integer(DATA)
    if name != "trtllm" and experts and tensor and data and experts > 1 and experts != tensor * data:
        yield subject.finding(
            check,
            f"rollout {subject.describe(EXPERTS)} is not {subject.describe(TENSOR)} x {subject.describe(DATA)} = "
            f"{tensor * data}",
            key=EXPERTS,
            also=(TENSOR, DATA),
            help=f"set {EXPERTS}={tensor * data}, or 1",
            fix=subject.change(EXPERTS, str(tensor * data), safe=False),
        )
    split = subject.integer(EXPERT_TENSOR)
    if name != "trtllm" and split and split > 1:
        yield subject.finding(
            check,
            f"{subject.describe(EXPERT_TENSOR)} is for trtllm only, the rollout is {name}",
            key=EXPERT_TENSOR,
            help=f"drop {EXPERT_TENSOR}",
        )
    stages = subject.integer(PIPELINE)
    if name in ("vllm", "sglang", "trtllm") and stages and stages > 1:
        yield subject.finding(
            check,
            f"rollout {subject.describe(PIPELINE)}: verl has no pipeline parallelism for {name}",
            key=PIPELINE,
            help=f"set {PIPELINE}=1 and use {TENSOR}",
        )
