"""A micro-batch of fine-tuning cannot hold the longest sample.

## What it finds
`data.max_token_len_per_gpu` x the sequence split (Ulysses, context parallel) below `data.max_length`, with
`data.use_dynamic_bsz`.

## Why it hurts
The sequences of a batch are packed into micro-batches of that many tokens. The first batch with a longer one ends the
run, which may be hours later.

## When it fails
late: AssertionError "max_token_len must be greater than the sequence length"

## Example that fails
```bash
SETTINGS=(
    model.path=Qwen/Qwen2.5-0.5B-Instruct
    data.max_length=16384
    data.max_token_len_per_gpu=8192  # <- here
)
torchrun --standalone --nproc_per_node=8 -m verl.trainer.sft_trainer "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    model.path=Qwen/Qwen2.5-0.5B-Instruct
    data.max_length=16384
    data.max_token_len_per_gpu=16384
)
torchrun --standalone --nproc_per_node=8 -m verl.trainer.sft_trainer "${SETTINGS[@]}"
```

## Fix
Raise the budget to `data.max_length`, or split sequences.

## Sources
- verl/trainer/sft_trainer.py :: fit; verl/workers/engine/utils.py :: prepare_micro_batches (0.7.1 to 0.9.1)
- verl/utils/seqlen_balancing.py :: rearrange_micro_batches
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject

BUDGET, LONGEST = "data.max_token_len_per_gpu", "data.max_length"
SPLITS = ("engine.ulysses_sequence_parallel_size", "engine.ulysses_parallel_size", "engine.context_parallel_size")


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Budget x split < longest sample."""
    budget, longest = subject.integer(BUDGET), subject.integer(LONGEST)
    by = next((key for key in SPLITS if subject.setting(key) is not None), None)
    split = None if by is None else subject.integer(by)
    if budget is None or longest is None or split is None or subject.boolean("data.use_dynamic_bsz") is not True:
        return
    if budget * split >= longest:
        return
    needed = -(-longest // split)
    yield subject.finding(
        check,
        f"{subject.describe(BUDGET)} x sequence split {split} = {budget * split} tokens, but a sample may have "
        f"{subject.describe(LONGEST)}",
        key=BUDGET,
        also=(LONGEST, *([by] if by is not None and split > 1 else [])),
        phase="train",
        help=f"set {BUDGET} to at least {needed}",
        fix=subject.change(BUDGET, str(needed), safe=False),
    )
