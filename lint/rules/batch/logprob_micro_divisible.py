"""The responses that a rank scores do not divide into log-probability micro-batches.

## What it finds
With static batches: `data.train_batch_size` x `rollout.n` / data parallel ranks is not a multiple of
`rollout.log_prob_micro_batch_size_per_gpu`, or, where a reference model is built, of
`ref.log_prob_micro_batch_size_per_gpu`. The V1 trainer first fills the batch up with padding rows; then the filled
size counts.

## Why it hurts
Nothing checks it at start. The assertion stands in the first log-probability pass, after the first rollout.

## When it fails
first step: AssertionError "data size must be divisible by ..."

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    data.train_batch_size=64
    actor_rollout_ref.actor.ppo_mini_batch_size=64
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=16  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    data.train_batch_size=64
    actor_rollout_ref.actor.ppo_mini_batch_size=64
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set the micro-batch size to a divisor of the rank's share.

## Sources
- verl/workers/engine/utils.py :: prepare_micro_batches, called by TrainingWorker.infer_batch (0.8.0, 0.9.0, main)
- verl/trainer/ppo/v1/trainer_base.py :: _get_required_batch_multiple (0.9.0, main)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.batch._padding import scored_rows
from lint.rules.rule import rule
from lint.subject.derived import REF, ROLLOUT, Role, builds_reference, data_parallel, divisors, legacy_workers
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """(rows of a step / ranks) modulo micro-batch, for the actor's and the reference's pass."""
    rows = scored_rows(subject)
    if rows is None or legacy_workers(subject):
        return
    passes: list[tuple[Role, str]] = [("actor", ROLLOUT)]
    if builds_reference(subject):
        passes.append(("ref", REF))
    for role, prefix in passes:
        key = f"{prefix}.log_prob_micro_batch_size_per_gpu"
        micro, ranks = subject.integer(key), data_parallel(subject, role)
        if subject.boolean(f"{prefix}.log_prob_use_dynamic_bsz") is not False or not micro or micro < 1 or not ranks:
            continue
        share = rows // ranks
        if rows % ranks or share < 1 or share % micro == 0:
            continue
        fitting = divisors(share, micro)
        yield subject.finding(
            check,
            f"{rows} responses of a step / {ranks} data parallel ranks = {share} per rank, not a multiple of "
            f"{prefix.rsplit('.', 1)[-1]} {subject.describe(key)}",
            key=key,
            also=("data.train_batch_size", f"{ROLLOUT}.n"),
            phase="old_log_prob" if role == "actor" else "ref_log_prob",
            help=f"set {key}={fitting[-1]}, the largest size below that divides {share}",
        )
