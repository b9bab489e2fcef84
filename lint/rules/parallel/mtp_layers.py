"""Multi-token prediction is on for a model that has no such layers.

## What it finds
`model.mtp.enable=True` with Megatron, and the model has no multi-token prediction layers.

## Why it hurts
verl refuses while the actor is built.

## When it fails
at init: ValueError "enable mtp while model has no mtp layer"

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.mtp.enable=True  # <- here
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
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop `model.mtp.enable`.

## Sources
- verl/workers/engine/megatron/transformer_impl.py :: _build_tf_config, check_mtp_config (0.8.0, 0.9.0, 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import MODEL, engine
from lint.subject.subject import Subject

ENABLE = f"{MODEL}.mtp.enable"


@rule(severity="error", since="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Switched on without layers."""
    model = subject.model
    if engine(subject) != "megatron" or model is None or model.mtp_layers or model.confidence == "low":
        return
    if subject.boolean(ENABLE) is True:
        yield subject.finding(
            check,
            f"mtp.{subject.describe(ENABLE)}, but {model.name} has no multi-token prediction layers",
            key=ENABLE,
            also=(f"{MODEL}.path",),
            help=f"leave {ENABLE} out",
            fix=subject.change(ENABLE, "False", safe=True),
        )
