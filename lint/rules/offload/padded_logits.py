"""Padding is kept, and the logits of one padded micro-batch are large.

## What it finds
FSDP with static batches, `model.use_remove_padding=False`, and logits of one micro-batch above 4 GiB in 32 bits:
`ppo_micro_batch_size_per_gpu` x (prompt + response) x vocabulary x 4 bytes.

## Why it hurts
Every sequence is padded to prompt + response, however short it is, and the loss holds several copies of the logits.
Required without packing are only some models and paths.

## When it fails
first step: out of memory in the update; else the padding costs time

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-4B
    actor_rollout_ref.model.use_remove_padding=False  # <- here
    data.train_batch_size=128
    data.max_prompt_length=512
    data.max_response_length=2048
    actor_rollout_ref.actor.ppo_mini_batch_size=64
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-4B
    actor_rollout_ref.model.use_remove_padding=True
    data.train_batch_size=128
    data.max_prompt_length=512
    data.max_response_length=2048
    actor_rollout_ref.actor.ppo_mini_batch_size=64
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `actor_rollout_ref.model.use_remove_padding=True`, or lower the micro-batch size.

## Sources
- verl/workers/engine/fsdp/transformer_impl.py :: prepare_model_inputs, the padded branch (0.9.1); verl#2837
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, MODEL, engine, longest_sequence
from lint.subject.subject import Subject

PACKED, MICRO = f"{MODEL}.use_remove_padding", f"{ACTOR}.ppo_micro_batch_size_per_gpu"
GIB = 1 << 30
FLOAT32 = 4  # bytes


@rule(severity="warning", confidence="medium", options={"gibibytes": 4.0})
def check(subject: Subject) -> Iterator[Finding]:
    """Padded logits of one micro-batch above the limit."""
    longest, micro, limit = longest_sequence(subject), subject.integer(MICRO), subject.options.get("gibibytes")
    if engine(subject) != "fsdp" or subject.boolean(PACKED) is not False or subject.model is None:
        return
    if subject.boolean(f"{ACTOR}.use_dynamic_bsz") is not False or not longest or not micro:
        return
    if subject.boolean(f"{ACTOR}.use_prefix_grouper"):  # works on padded sequences
        return
    size = micro * longest * subject.model.vocabulary_size * FLOAT32
    if not isinstance(limit, (int, float)) or size <= limit * GIB:
        return
    yield subject.finding(
        check,
        f"{subject.describe(PACKED)} pads every sequence to {longest} tokens: a micro-batch has logits of {micro} x "
        f"{longest} x {subject.model.vocabulary_size} x 4 bytes = {size / GIB:.1f} GiB, several times over",
        key=PACKED if subject.is_set(PACKED) else MICRO,
        also=(MICRO, "data.max_prompt_length", "data.max_response_length"),
        phase="update_actor",
        help=f"set {PACKED}=True, or {MICRO} to at most {max(1, int(limit * GIB * micro / size))}",
    )
