"""A model with linear attention is trained on packed or split sequences that its layers do not tell apart.

## What it finds
FSDP with Qwen3-Next (any release) or Qwen3.5 (up to 0.8.0), and `model.use_remove_padding=True` or a Ulysses size above
1. verl patches the gated delta net layers of Qwen3.5 from 0.9.0 on; those of Qwen3-Next in no release.

## Why it hurts
The recurrent state of one packed sequence runs on into the next, and each Ulysses rank sees only its slice. The
log-probabilities are finite and wrong: training runs and does not learn what it should.

## When it fails
silently: wrong log-probabilities; look at the gap between rollout and training log-probabilities

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-Next-80B-A3B-Instruct
    actor_rollout_ref.model.use_remove_padding=True  # <- here
    actor_rollout_ref.actor.use_dynamic_bsz=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-Next-80B-A3B-Instruct
    actor_rollout_ref.model.use_remove_padding=False
    actor_rollout_ref.actor.use_dynamic_bsz=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Train with Megatron, or with `use_remove_padding=False` and no Ulysses split, or with a patched verl (PR#5346).

## Sources
- verl/models/transformers/monkey_patch.py :: apply_monkey_patch (0.9.1 names qwen3_5 and qwen3_5_moe only)
- verl PR#5346 (open), PR#6660 (0.9.0), issue #7476; inferred from code and these reports, not run
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import MODEL, at_least, engine, sequence_parallel, sequence_parallel_key
from lint.subject.subject import Subject

PACKED = f"{MODEL}.use_remove_padding"


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Linear attention without verl's patch, packed or split."""
    model = subject.model
    if model is None or model.linear_attention is None or engine(subject) != "fsdp":
        return
    if model.architecture.startswith("qwen3_5") and at_least(subject, "0.9.0"):
        return
    packed, split = subject.boolean(PACKED), sequence_parallel(subject)
    if not packed and (split is None or split < 2):
        return
    key = sequence_parallel_key(subject) or PACKED
    how = f"{subject.describe(key)}" if split and split > 1 else subject.describe(PACKED)
    yield subject.finding(
        check,
        f"{how}: the linear attention layers of {model.name} run their state across sequence borders, because "
        f"{subject.verl} does not patch them for FSDP",
        key=PACKED if packed else key,
        also=(key,),
        phase="update_actor",
        help=f"set {PACKED}=False without a Ulysses split, or train with Megatron",
    )
