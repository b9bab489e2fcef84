r"""`layered_summon` needs the base model in the rollout, and `load_format=dummy` does not load it.

## What it finds
A LoRA adapter (rank above 0, not merged) on FSDP with `rollout.layered_summon=True` and a `load_format` that holds
`dummy`, the default.

## Why it hurts
With layered summon only the adapter is collected. verl raises ValueError at the first weight update: the base model
must have been loaded by the rollout itself.

## When it fails
first step: in the first weight update

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.model.lora_rank=32
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.layered_summon=True  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.model.lora_rank=32
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.layered_summon=True
    actor_rollout_ref.rollout.load_format=safetensors
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Add `actor_rollout_ref.rollout.load_format=safetensors`.

## Sources
- verl 0.6.1 to 0.9.1: verl/utils/fsdp_utils.py :: collect_lora_params
- verl 0.6.1, 0.7.1: verl/workers/fsdp_workers.py; 0.8.0 to 0.9.1: verl/workers/engine_workers.py :: base_sync_done
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import MODEL, ROLLOUT, engine, lora_rank
from lint.subject.subject import Subject

KEY, FORMAT = f"{ROLLOUT}.layered_summon", f"{ROLLOUT}.load_format"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """An adapter, layered summon, and random base weights in the rollout."""
    if not subject.boolean(KEY) or "dummy" not in (subject.string(FORMAT) or "") or not lora_rank(subject):
        return
    if engine(subject) != "fsdp" or subject.boolean(f"{MODEL}.lora.merge"):
        return
    yield subject.finding(
        check,
        f"layered_summon sends only the adapter, and {subject.describe(FORMAT)} leaves it without base weights",
        key=KEY,
        also=[FORMAT],
        phase="update_weights",
        help=f"write {FORMAT}=safetensors",
    )
