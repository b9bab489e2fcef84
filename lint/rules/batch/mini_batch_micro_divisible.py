"""The responses that a rank gets of a mini-batch do not divide into micro-batches.

## What it finds
With `use_dynamic_bsz=False`: `ppo_mini_batch_size` x `rollout.n` / data parallel ranks is not a multiple of
`ppo_micro_batch_size_per_gpu` (also when the micro-batch is larger than the rank's share). The critic of 0.8.0 and
later is left out: its engine never sees these keys.

## Why it hurts
verl checks the train batch at start, not this: the assertion stands in the first update. The FSDP workers of 0.7 check
it while they are built, even where `use_dynamic_bsz=True` makes the micro-batch size meaningless.

## When it fails
first step: AssertionError "data size must be divisible by ..." (0.7 legacy FSDP workers: at init)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8
    data.train_batch_size=256
    actor_rollout_ref.actor.ppo_mini_batch_size=64
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=16  # <- here
    algorithm.adv_estimator=grpo
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8
    actor_rollout_ref.rollout.n=5
    data.train_batch_size=256
    actor_rollout_ref.actor.ppo_mini_batch_size=256
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=80
    algorithm.adv_estimator=grpo
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set the micro-batch size to a divisor of the rank's share, or switch `use_dynamic_bsz` on.

## Sources
- verl/workers/engine/utils.py :: prepare_micro_batches (0.8.0, 0.9.0, main)
- verl/workers/fsdp_workers.py :: ActorRolloutRefWorker.__init__, CriticWorker.__init__ (0.7.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import (
    PREFIXES,
    ROLLOUT,
    Role,
    data_parallel,
    divisors,
    engine,
    legacy_workers,
    mini_batch_rows,
    trained_roles,
)
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """(mini-batch x n / ranks) modulo micro-batch, where static batches are in force."""
    for role in trained_roles(subject):
        if not splits_statically(subject, role):
            continue
        key = f"{PREFIXES[role]}.ppo_micro_batch_size_per_gpu"
        mini, micro = f"{PREFIXES[role]}.ppo_mini_batch_size", subject.integer(key)
        rows, ranks = mini_batch_rows(subject, role), data_parallel(subject, role)
        if not micro or micro < 1 or not rows or not ranks:
            continue
        share = rows // ranks
        if (rows % ranks and not legacy_workers(subject)) or share < 1 or share % micro == 0:
            continue
        fitting = divisors(share, micro)
        yield subject.finding(
            check,
            f"{role} {subject.describe(mini)} x n {subject.value(f'{ROLLOUT}.n')} / {ranks} data parallel ranks = "
            f"{share} responses per rank, not a multiple of {subject.describe(key)}",
            key=key,
            also=(mini, f"{ROLLOUT}.n"),
            phase="update_actor" if role == "actor" else "update_critic",
            help=f"set {key}={fitting[-1]}, the largest size below that divides {share}",
        )


def splits_statically(subject: Subject, role: Role) -> bool:
    """True if the role's `ppo_micro_batch_size_per_gpu` is certainly in force."""
    if legacy_workers(subject):
        return engine(subject, role) == "fsdp"
    return role == "actor" and subject.boolean(f"{PREFIXES[role]}.use_dynamic_bsz") is False
