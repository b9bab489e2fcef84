"""Tiled MLP is on where it is refused or not applied.

## What it finds
`model.tiled_mlp.enabled=True` for an FSDP actor: with the legacy workers of 0.7 and strategy `fsdp`; from 0.8.0 on with
any strategy.

## Why it hurts
The legacy workers refuse it without FSDP2. The engine workers never hand the setting on, so the memory that the tiles
were to save is needed.

## When it fails
silently: no tile is made (0.7 with legacy workers: ValueError at init)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.tiled_mlp.enabled=True  # <- here
    actor_rollout_ref.actor.strategy=fsdp2
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
# recipe-lint: release=0.7.1
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.model.tiled_mlp.enabled=True
    actor_rollout_ref.actor.strategy=fsdp2
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
0.7: set `actor_rollout_ref.actor.strategy=fsdp2`. Later: drop it, and save memory by other means.

## Sources
- verl/workers/fsdp_workers.py :: ActorRolloutRefWorker._build_model_optimizer (0.7.1)
- verl/models/transformers/monkey_patch.py :: apply_monkey_patch, whose callers give no `use_tiled_mlp` (0.8.0 to 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, MODEL, engine, legacy_workers, strategy
from lint.subject.subject import Subject

TILED, STRATEGY = f"{MODEL}.tiled_mlp.enabled", f"{ACTOR}.strategy"


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Refused by the legacy workers without FSDP2, not applied by the engine workers."""
    if subject.boolean(TILED) is not True or engine(subject) != "fsdp":
        return
    if not legacy_workers(subject):
        yield subject.finding(
            check,
            f"tiled_mlp.{subject.describe(TILED)} is not applied: the engine workers of {subject.verl} do not "
            "hand it on",
            key=TILED,
            help=f"drop {TILED}",
        )
    elif strategy(subject) == "fsdp":
        yield subject.finding(
            check,
            f"tiled_mlp.{subject.describe(TILED)} needs fsdp2, but {subject.describe(STRATEGY)}",
            key=TILED,
            also=(STRATEGY,),
            severity="error",
            help=f"set {STRATEGY}=fsdp2",
            fix=subject.change(STRATEGY, "fsdp2", safe=False),
        )
