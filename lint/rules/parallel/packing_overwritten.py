"""Packing is switched for Megatron by a key that verl overwrites.

## What it finds
An override of `actor.megatron.use_remove_padding` (or of the reference's) that says another thing than
`model.use_remove_padding`. The workers of 0.8.0 and later (0.7.1: with `trainer.use_legacy_worker_impl=disable`) copy
the model's value over it.

## Why it hurts
Nothing says so. A model whose layers take no packed sequences gets them after all, or padding is computed, too.

## When it fails
silently: packed where it should be padded, or the other way round

## Example that fails
```bash
SETTINGS=(
    model_engine=megatron
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.use_remove_padding=False  # <- here
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
    actor_rollout_ref.model.use_remove_padding=False
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `actor_rollout_ref.model.use_remove_padding`.

## Sources
- verl/workers/engine_workers.py :: TrainingWorker.__init__, ActorRolloutRefWorker.init_model (0.7.1 to 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, MODEL, REF, engine, follows_verl, legacy_workers
from lint.subject.subject import Subject

PACKED = f"{MODEL}.use_remove_padding"
OVERWRITTEN = (f"{ACTOR}.megatron.use_remove_padding", f"{REF}.megatron.use_remove_padding")


@rule(severity="warning", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """The switch of Megatron against that of the model."""
    decided = subject.boolean(PACKED)
    if decided is None or engine(subject) != "megatron" or legacy_workers(subject) or not follows_verl(subject):
        return
    lost = [key for key in OVERWRITTEN if subject.is_set(key) and subject.boolean(key) is (not decided)]
    if lost:
        yield subject.finding(
            check,
            f"megatron.{subject.describe(lost[0])} has no effect: the workers copy model.{subject.describe(PACKED)} "
            "over it",
            key=lost[0],
            also=(PACKED, *lost[1:]),
            help=f"set {PACKED}={not decided}",
        )
