"""The LoRA rank is given with the key of another engine, so no adapter is trained.

## What it finds
`model.lora.rank`, which Megatron reads, for an actor under FSDP; `model.lora_rank`, which FSDP reads, for one under
Megatron; where the key of the actor's own engine is not set.

## Why it hurts
The engine trains the whole model, with the memory that this takes. Trainer and vLLM read both keys and believe in the
adapter: the reference is to be the actor with its adapter off, and the rollout waits for adapter weights.

## When it fails
first step: AttributeError at `disable_adapter` with a reference policy; else silently

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.model.lora.rank=32  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.model.lora_rank=32
```

## Fix
Write the key of the engine: `model.lora_rank` for FSDP, `model.lora.rank` for Megatron, and alpha beside it.

## Sources
- verl/workers/engine/fsdp/transformer_impl.py :: FSDPEngine._is_lora, disable_adapter (0.7.1 to main)
- verl/workers/config/megatron_peft.py :: get_peft_cls (0.7.1 to main)
- verl/trainer/ppo/ray_trainer.py, v1/trainer_base.py :: ref_in_actor (0.8.0, 0.9.0, main)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import MODEL, engine, trains
from lint.subject.subject import Subject

RANKS = {"fsdp": f"{MODEL}.lora_rank", "megatron": f"{MODEL}.lora.rank"}
OTHER = {"fsdp": "megatron", "megatron": "fsdp"}


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """A positive rank under the other engine's key, none under that of the actor's."""
    family = engine(subject)
    if family not in OTHER or not trains(subject):
        return
    read, written = RANKS[family], RANKS[OTHER[family]]
    rank = subject.integer(written)
    if not rank or rank <= 0 or (subject.integer(read) or 0) > 0 or subject.value(f"{MODEL}.lora_adapter_path"):
        return
    yield subject.finding(
        check,
        f"{written} {rank} is not read by the {family} engine: it trains the whole model, and trainer and rollout "
        "believe in an adapter",
        key=written,
        also=("actor_rollout_ref.actor.strategy",),
        phase="update_actor",
        help=f"write {read}={rank}",
    )
