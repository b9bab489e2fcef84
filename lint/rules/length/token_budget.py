"""A token budget is smaller than the longest sequence that the run allows.

## What it finds
With dynamic batches, `ppo_max_token_len_per_gpu` (actor), `log_prob_max_token_len_per_gpu` (rollout and, where a
reference is built, ref), times the Ulysses or context parallel size of that role, is below `data.max_prompt_length` +
`data.max_response_length` (or below `rollout.max_model_len` where that is shorter).

## Why it hurts
A micro-batch must hold at least one whole sequence. The assertion fires on the first sequence that is too long, so the
run may train for hours or days, until responses grow. Dividing the length by the parallel size in bash rounds down: a
budget that misses by less than one token per rank fails just the same.

## When it fails
late: AssertionError "max_token_len must be greater than the sequence length"

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=16384  # <- here
    data.max_prompt_length=8192
    data.max_response_length=32768
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
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=10240
    actor_rollout_ref.actor.ulysses_sequence_parallel_size=4
    data.max_prompt_length=8192
    data.max_response_length=32768
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Raise the budget to the longest sequence divided by the parallel size, rounded up (it costs activation memory), or
raise the parallel size.

## Sources
- verl/utils/seqlen_balancing.py :: rearrange_micro_batches (0.7.1, 0.8.0, 0.9.0, 0.9.1, main)
- verl/workers/engine/utils.py :: prepare_micro_batches; `sp_size` is set in each engine's forward_backward_batch
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import (
    ACTOR,
    PREFIXES,
    REF,
    ROLLOUT,
    Role,
    builds_reference,
    longest_sequence,
    sequence_parallel,
    sequence_parallel_key,
)
from lint.subject.subject import Subject

LENGTHS = ("data.max_prompt_length", "data.max_response_length")


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Budget x parallel size < longest sequence, once per override that decides a budget."""
    passes: list[tuple[Role, str, str, str]] = [
        ("actor", f"{ACTOR}.use_dynamic_bsz", f"{ACTOR}.ppo_max_token_len_per_gpu", "update_actor"),
        ("actor", f"{ROLLOUT}.log_prob_use_dynamic_bsz", f"{ROLLOUT}.log_prob_max_token_len_per_gpu", "old_log_prob"),
    ]
    if builds_reference(subject):
        switch = f"{REF}.log_prob_use_dynamic_bsz"
        passes.append(("ref", switch, f"{REF}.log_prob_max_token_len_per_gpu", "ref_log_prob"))
    longest = longest_sequence(subject)
    context = subject.integer(f"{ROLLOUT}.max_model_len")
    if longest is None:
        return
    reported = set()
    for role, switch, key, phase in passes:
        budget, split = subject.integer(key), sequence_parallel(subject, role)
        dynamic_context = subject.boolean(f"{PREFIXES[role]}.megatron.dynamic_context_parallel")
        if not subject.boolean(switch) or budget is None or split is None or dynamic_context:
            continue
        needed = min(longest, context) if context else longest
        decided = (subject.span_of(key), split)
        if budget * split >= needed or decided in reported:
            continue
        reported.add(decided)
        by = sequence_parallel_key(subject, role)
        yield subject.finding(
            check,
            f"{phase}: {subject.describe(key)} x sequence split {split} = {budget * split} tokens, but a sequence may "
            f"have {subject.value(LENGTHS[0])} + {subject.value(LENGTHS[1])} = {longest}"
            + (f", cut at max_model_len {context}" if needed < longest else ""),
            key=key,
            also=(*([by] if by else []), *LENGTHS),
            phase=phase,
            help=f"set {key} to at least {-(-needed // split)}",
            fix=subject.change(key, str(-(-needed // split)), safe=False),
        )
