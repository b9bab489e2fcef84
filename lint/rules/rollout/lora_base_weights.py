r"""A LoRA run starts its rollout with random base weights and sends the real ones once.

## What it finds
A LoRA adapter (rank above 0, not merged) with `rollout.load_format=dummy`, the default.

## Why it hurts
The trainer has to gather and send the whole base model before the first step; loading it in the rollout is faster and
needs no bucket for the largest weight. verl's documentation recommends `safetensors`.

## When it fails
silently: the first weight update is slow and large

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.model.lora_rank=32  # <- here
    actor_rollout_ref.rollout.name=vllm
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.model.lora_rank=32
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.load_format=safetensors
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Add `actor_rollout_ref.rollout.load_format=safetensors`.

## Sources
- verl main: docs/advance/ppo_lora.rst; verl/workers/engine_workers.py :: base_sync_done
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import MODEL, ROLLOUT, lora_rank
from lint.subject.subject import Subject

FORMAT = f"{ROLLOUT}.load_format"


@rule(severity="info")
def check(subject: Subject) -> Iterator[Finding]:
    """An adapter on top of random weights; with layered summon another rule says that it fails."""
    rank = lora_rank(subject)
    if not rank or subject.boolean(f"{MODEL}.lora.merge") or subject.boolean(f"{ROLLOUT}.layered_summon"):
        return
    if "dummy" in (subject.string(FORMAT) or ""):
        yield subject.finding(
            check,
            f"{subject.describe(FORMAT)} with a LoRA adapter of rank {rank}: the whole base model is sent once",
            also=[f"{MODEL}.lora_rank", f"{MODEL}.lora.rank"],
            help=f"write {FORMAT}=safetensors",
        )
