"""The critic's token budget is smaller than the longest sequence that the run allows.

## What it finds
A critic is built and a budget that its engine really has, times its sequence split, is below
`data.max_prompt_length` + `data.max_response_length`. From 0.8.0 values are computed under
`critic.ppo_infer_max_token_len_per_gpu`, 32768 unless it is added with `+`; V0 updates under
`critic.ppo_max_token_len_per_gpu`, V1 under the former as well. The split is `critic.fsdp`'s own Ulysses size.

## Why it hurts
The assertion fires on the first sequence that is too long, hours or days into the run, and raising
`critic.ppo_max_token_len_per_gpu` alone does not help.

## When it fails
late: AssertionError "max_token_len must be greater than the sequence length"

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=36864
    data.max_prompt_length=4096  # <- here
    data.max_response_length=32768
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=36864
    +critic.ppo_infer_max_token_len_per_gpu=36864
    data.max_prompt_length=4096
    data.max_response_length=32768
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Add `+critic.ppo_infer_max_token_len_per_gpu=N`, or raise `critic.fsdp.ulysses_sequence_parallel_size`.

## Sources
- verl/trainer/ppo/v1/trainer_base.py :: _setup (0.9.0, 0.9.1, main); verl/trainer/ppo/ray_trainer.py :: init_workers
- verl/workers/fsdp_workers.py, megatron_workers.py :: compute_values, verl/workers/critic/*.py (0.7.1)
- verl/workers/config/critic.py :: CriticConfig, FSDPCriticConfig.__post_init__ (0.8.0, 0.9.0, 0.9.1, main); verl#7462
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import (
    CRITIC,
    generation,
    legacy_workers,
    longest_sequence,
    needs_critic,
    sequence_parallel,
    sequence_parallel_key,
)
from lint.subject.subject import Subject

INFER, UPDATE, FORWARD = (f"{CRITIC}.{name}_max_token_len_per_gpu" for name in ("ppo_infer", "ppo", "forward"))
INFER_DEFAULT = 32768  # verl/workers/config/critic.py :: CriticConfig
LENGTHS = ("data.max_prompt_length", "data.max_response_length")


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Budget in force x sequence split < longest sequence."""
    longest, split = longest_sequence(subject), sequence_parallel(subject, "critic")
    if not needs_critic(subject) or longest is None or split is None:
        return
    if legacy_workers(subject):
        yield from _legacy(subject, longest, split)
        return
    infer = INFER_DEFAULT if subject.setting(INFER) is None else subject.integer(INFER)
    update = subject.integer(UPDATE) if generation(subject) == "v0" else infer
    by = sequence_parallel_key(subject, "critic")
    for budget, phase in ((infer, "values"), (update, "update_critic")):
        if budget is None or budget * split >= longest:
            continue
        inferred = phase == "values" or generation(subject) != "v0"
        lost = subject.is_set(UPDATE) and inferred
        yield subject.finding(
            check,
            f"{phase}: the critic's budget {budget} x sequence split {split} = {budget * split} tokens, but a sequence "
            f"may have {longest}" + (f"; {subject.describe(UPDATE)} does not reach this pass" if lost else ""),
            key=UPDATE if subject.is_set(UPDATE) else None,
            also=(INFER, *([by] if by else []), *LENGTHS),
            phase=phase,
            help=f"{f'add +{INFER}' if inferred else f'set {UPDATE}'}={-(-longest // split)}",
        )
        return


def _legacy(subject: Subject, longest: int, split: int) -> Iterator[Finding]:
    """The legacy workers of 0.7 read a key for each pass, where batches are dynamic."""
    if subject.boolean(f"{CRITIC}.use_dynamic_bsz") is not True:
        return
    for key, phase in ((FORWARD, "values"), (UPDATE, "update_critic")):
        budget = subject.integer(key)
        if budget is not None and budget * split < longest:
            yield subject.finding(
                check,
                f"{phase}: critic {subject.describe(key)} x sequence split {split} = {budget * split} tokens, but a "
                f"sequence may have {longest}",
                key=key,
                also=LENGTHS,
                phase=phase,
                help=f"set {key}={-(-longest // split)}",
            )
            return
