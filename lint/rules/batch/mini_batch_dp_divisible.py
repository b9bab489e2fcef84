"""The responses of a mini-batch do not divide over the data parallel ranks.

## What it finds
`ppo_mini_batch_size` x `rollout.n` of the actor (or of a critic that is built) leaves a remainder when divided by the
number of data parallel ranks: devices / Ulysses size for FSDP and VeOmni, devices / (tensor x pipeline x context
parallel size) for Megatron.

## Why it hurts
Each rank must get the same number of responses. Nothing checks this at start: the assertion stands in the first
update, after the first rollout, the rewards and the log-probabilities. The workers of 0.7 round down instead and make
more and smaller optimizer steps than the script asks for.

## When it fails
first step: AssertionError in `train_mini_batch` (0.7 with legacy workers: silently)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.train_batch_size=120
    actor_rollout_ref.actor.ppo_mini_batch_size=60  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.train_batch_size=128
    actor_rollout_ref.actor.ppo_mini_batch_size=64
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `ppo_mini_batch_size` to a multiple of ranks / gcd(ranks, n) that divides `data.train_batch_size`.

## Sources
- verl/workers/engine_workers.py :: TrainingWorker.train_mini_batch (0.8.0, 0.9.0, main)
- verl/workers/fsdp_workers.py :: ActorRolloutRefWorker.__init__ (0.7.1)
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import (
    PREFIXES,
    ROLLOUT,
    data_parallel,
    legacy_workers,
    mini_batch_rows,
    nearest_multiples,
    sequence_parallel_key,
    trained_roles,
    world_size,
)
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """(mini-batch x n) modulo data parallel size, per trained role."""
    responses = subject.integer(f"{ROLLOUT}.n")
    reported = set()
    for role in trained_roles(subject):
        rows, ranks = mini_batch_rows(subject, role), data_parallel(subject, role)
        if not rows or not ranks or not responses or rows % ranks == 0:
            continue
        mini = f"{PREFIXES[role]}.ppo_mini_batch_size"
        if (subject.span_of(mini), ranks) in reported:  # the critic follows the actor
            continue
        reported.add((subject.span_of(mini), ranks))
        step = ranks // gcd(ranks, responses)
        legacy = legacy_workers(subject)
        splits = sequence_parallel_key(subject, role)
        yield subject.finding(
            check,
            f"{role} {subject.describe(mini)} x n {responses} = {rows} responses over {ranks} data parallel ranks "
            f"({world_size(subject)} devices) leaves {rows % ranks}"
            + (": rounded down, the optimizer takes more and smaller steps than asked" if legacy else ""),
            key=mini,
            also=(f"{ROLLOUT}.n", "trainer.nnodes", "trainer.n_gpus_per_node", *([splits] if splits else [])),
            severity="warning" if legacy else "error",
            phase="update_actor" if role == "actor" else "update_critic",
            help=f"set {mini} to a multiple of {step}: {nearest_multiples(rows // responses, step)}",
        )
