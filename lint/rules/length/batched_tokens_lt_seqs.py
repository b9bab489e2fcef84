"""vLLM may schedule fewer tokens per step than sequences.

## What it finds
`rollout.max_num_batched_tokens` is below `rollout.max_num_seqs` (default 1024 up to 0.8.0, 256 from 0.9.0), for vLLM.

## Why it hurts
Each running sequence needs one token per step, so vLLM refuses to start, after the training models were loaded.

## When it fails
at init: ValueError "max_num_batched_tokens must be greater than or equal to max_num_seqs"

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.max_num_batched_tokens=512  # <- here
    actor_rollout_ref.rollout.max_num_seqs=1024
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.max_num_batched_tokens=8192
    actor_rollout_ref.rollout.max_num_seqs=1024
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Raise `rollout.max_num_batched_tokens`, or lower `rollout.max_num_seqs`.

## Sources
- vLLM vllm/config/scheduler.py :: SchedulerConfig.verify_max_model_len (0.18.0)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

TOKENS, SEQUENCES = f"{ROLLOUT}.max_num_batched_tokens", f"{ROLLOUT}.max_num_seqs"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Tokens per step < sequences."""
    tokens, sequences = subject.integer(TOKENS), subject.integer(SEQUENCES)
    if subject.string(f"{ROLLOUT}.name") != "vllm" or tokens is None or sequences is None or tokens >= sequences:
        return
    yield subject.finding(
        check,
        f"{subject.describe(TOKENS)} is below {subject.describe(SEQUENCES)}: a step cannot give each sequence a token",
        key=TOKENS,
        also=(SEQUENCES,),
        help=f"set {TOKENS} to at least {sequences}, or {SEQUENCES}={tokens}",
    )
