"""Expert parallelism is asked for a model that has no experts.

## What it finds
An expert parallel size above 1 (actor of Megatron or VeOmni, rollout of vLLM or SGLang) with a dense model.

## Why it hurts
Megatron and vLLM refuse; the rollout does so after the training models were loaded.

## When it fails
at init: ValueError "num_moe_experts must be non None to use expert-parallel"

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.tensor_model_parallel_size=4
    actor_rollout_ref.rollout.expert_parallel_size=4  # <- here
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
    actor_rollout_ref.rollout.expert_parallel_size=4
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set the expert parallel size to 1.

## Sources
- Megatron-LM core_r0.16.0 transformer_config.py :: __post_init__
- vLLM vllm/config/model.py :: _verify_with_expert_parallelism (0.18.0)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, ROLLOUT, engine
from lint.subject.subject import Subject

ACTOR_KEYS = {
    "megatron": f"{ACTOR}.megatron.expert_model_parallel_size",
    "veomni": f"{ACTOR}.veomni.expert_parallel_size",
}


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Expert parallel size above 1, model without experts."""
    model = subject.model
    if model is None or model.experts is not None or model.confidence == "low":
        return
    keys = [ACTOR_KEYS.get(engine(subject) or "")]
    if subject.string(f"{ROLLOUT}.name") in ("vllm", "sglang"):
        keys.append(f"{ROLLOUT}.expert_parallel_size")
    for key in keys:
        if key is None or (subject.integer(key) or 1) < 2:
            continue
        yield subject.finding(
            check,
            f"{subject.describe(key)}, but {model.name} has no experts",
            key=key,
            also=("actor_rollout_ref.model.path",),
            help=f"set {key}=1",
            fix=subject.change(key, "1", safe=True),
        )
