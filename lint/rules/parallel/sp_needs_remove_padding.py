"""Ulysses sequence parallelism is on but padding is not removed.

## What it finds
The sequence parallel size of the actor (FSDP, VeOmni) is above 1 and `model.use_remove_padding` is False.

## Why it hurts
The split works on packed sequences only. verl checks the deprecated role key at start; the engine's own key is checked
when the engine is built.

## When it fails
at start: ValueError "you must enable use_remove_padding" (with `fsdp_config.ulysses_sequence_parallel_size`: at init)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.model.use_remove_padding=False
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=4  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.model.use_remove_padding=True
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=4
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `actor_rollout_ref.model.use_remove_padding=True`, or the sequence parallel size to 1.

## Sources
- verl/workers/config/actor.py :: FSDPActorConfig.validate (0.7.1, 0.8.0, 0.9.0, 0.9.1)
- verl/workers/engine/fsdp/transformer_impl.py :: FSDPEngine.__init__ (0.8.0, 0.9.0, 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import MODEL, engine, sequence_parallel, sequence_parallel_key
from lint.subject.subject import Subject

PACKED = f"{MODEL}.use_remove_padding"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Sequence parallel size above 1 without packing."""
    split, key = sequence_parallel(subject), sequence_parallel_key(subject)
    if engine(subject) != "fsdp" or key is None or split is None or split < 2:
        return
    if subject.boolean(PACKED) is not False:
        return
    yield subject.finding(
        check,
        f"{subject.describe(key)} splits packed sequences, but {subject.describe(PACKED)}",
        key=key,
        also=(PACKED,),
        help=f"set {PACKED}=True",
        fix=subject.change(PACKED, "True", safe=False),
    )
