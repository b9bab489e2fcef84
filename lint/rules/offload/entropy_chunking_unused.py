"""Chunked entropy is asked for, but the padded path does not use it.

## What it finds
`entropy_from_logits_with_chunking=True` for the actor (FSDP, VeOmni) while `model.use_remove_padding` is False.

## Why it hurts
With padding kept, the entropy comes from another function, over all logits at once. The memory that the key was to save
is needed, and the update runs out of it.

## When it fails
silently: the saving does not happen

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.use_remove_padding=False
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.entropy_from_logits_with_chunking=True  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.use_remove_padding=True
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.entropy_from_logits_with_chunking=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `actor_rollout_ref.model.use_remove_padding=True`, or `entropy_checkpointing=True`, which the padded path knows.

## Sources
- verl/workers/engine/fsdp/transformer_impl.py :: prepare_model_outputs (0.8.0, 0.9.0, 0.9.1); verl PR#7582
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, MODEL, engine, legacy_workers
from lint.subject.subject import Subject

CHUNKED, PACKED = "entropy_from_logits_with_chunking", f"{MODEL}.use_remove_padding"


@rule(severity="warning", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Chunking on, packing off."""
    family = engine(subject)
    if family not in ("fsdp", "veomni") or subject.boolean(PACKED) is not False:
        return
    node = ACTOR if legacy_workers(subject) else f"{ACTOR}.{'fsdp_config' if family == 'fsdp' else family}"
    key = f"{node}.{CHUNKED}"
    if subject.boolean(key) is True:
        yield subject.finding(
            check,
            f"{subject.describe(key)} has no effect with {subject.describe(PACKED)}: the padded path takes the entropy "
            "of all logits at once",
            key=key,
            also=(PACKED,),
            phase="update_actor",
            help=f"set {PACKED}=True",
        )
