"""Router replay is on for a model that has no routers.

## What it finds
`router_replay.mode` R2 or R3 for a model without experts.

## Why it hurts
Routes are recorded and replayed to make the experts of training and rollout agree. A dense model has none: nothing is
recorded, and every pass carries the machinery for it.

## When it fails
first step: where recorded routes are put together, or not at all

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.megatron.router_replay.mode=R2  # <- here
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
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B
    actor_rollout_ref.actor.megatron.router_replay.mode=R2
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `router_replay.mode=disabled`.

## Sources
- verl/utils/megatron/router_replay_utils.py :: merge_router_topk_indices (0.9.1)
- verl/workers/engine/megatron/transformer_impl.py: apply_router_replay_patch (0.8.0 to 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, engine
from lint.subject.subject import Subject


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Replay switched on, model without experts."""
    model = subject.model
    if model is None or model.experts is not None or model.confidence == "low":
        return
    for key in (f"{ACTOR}.{engine(subject)}.router_replay.mode", f"{ACTOR}.router_replay.mode"):
        if subject.string(key) in ("R2", "R3"):
            yield subject.finding(
                check,
                f"router_replay.{subject.describe(key)}, but {model.name} has no experts and so no routes",
                key=key,
                also=("actor_rollout_ref.model.path",),
                help=f"set {key}=disabled",
                fix=subject.change(key, "disabled", safe=False),
            )
            return
