r"""Settings of a LoRA adapter are given, and the rank is 0: the whole model is trained.

## What it finds
`lora_alpha`, `target_modules` or `exclude_modules` of the model (Megatron: `model.lora.alpha` and so on) in a launch
whose rank is 0 and that loads no adapter. With an alpha of 0 too, the adapter is switched off on purpose.

## Why it hurts
The rank alone decides whether there is an adapter. With 0 nothing else of it is read: every weight is trained, with
gradients and optimizer for all of them, and at the learning rate that was chosen for an adapter.

## When it fails
silently: the whole model is trained

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.name=vllm \
    algorithm.adv_estimator=grpo \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.model.lora_rank=0 \
    actor_rollout_ref.model.lora_alpha=32  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.name=vllm \
    algorithm.adv_estimator=grpo \
    actor_rollout_ref.actor.use_dynamic_bsz=True \
    actor_rollout_ref.model.lora_rank=16 \
    actor_rollout_ref.model.lora_alpha=32
```

## Fix
Set the rank, or drop the settings of the adapter.

## Sources
- verl 0.7.1, 0.8.0, 0.9.0, main: workers/engine/fsdp/transformer_impl.py :: _is_lora, _build_lora_module
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import MODEL, lora_rank
from lint.subject.subject import Subject

OF_MODEL = tuple(f"{MODEL}.{name}" for name in ("lora_alpha", "target_modules", "exclude_modules"))
OF_MEGATRON = tuple(f"{MODEL}.lora.{name}" for name in ("alpha", "target_modules", "exclude_modules"))
ALPHAS = (OF_MODEL[0], OF_MEGATRON[0])
RANKS = (f"{MODEL}.lora_rank", f"{MODEL}.lora.rank")


@rule(severity="info")
def check(subject: Subject) -> Iterator[Finding]:
    """Settings with a value, a rank that is known to be 0, and no adapter to load."""
    if lora_rank(subject) != 0 or subject.is_set(f"{MODEL}.lora_adapter_path"):
        return
    given = [key for key in (*OF_MODEL, *OF_MEGATRON) if subject.is_set(key) and subject.value(key) is not None]
    if not given or 0 in map(subject.integer, ALPHAS):
        return
    rank = RANKS[given[0] in OF_MEGATRON]
    more = f" (and {len(given) - 1} more)" if given[1:] else ""
    yield subject.finding(
        check,
        f"{subject.describe(given[0])}{more} is not read: {subject.describe(rank)} trains the whole model",
        key=given[0],
        also=(rank, *given[1:]),
        help=f"set {rank}=16 if an adapter is meant, else drop the settings of one",
    )
