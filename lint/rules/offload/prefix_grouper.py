"""Shared prefixes are to be computed once, but nothing does it.

## What it finds
`actor.use_prefix_grouper=True` from 0.8.0 on: the engine workers do not know it. Under the V0 trainer it also demands
that `data.train_batch_size` divides over the data parallel ranks.

## Why it hurts
The prompt is computed once per response after all; with V0 the batch is refused if its groups do not divide.

## When it fails
silently: no saving (V0 with other sizes: ValueError in the first step)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.use_prefix_grouper=True  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.use_prefix_grouper=False
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop it.

## Sources
- verl/workers/engine, which does not name it (0.8.0, 0.9.0, 0.9.1); verl/workers/actor/dp_actor.py did (0.7.1)
- verl/trainer/ppo/ray_trainer.py :: _balance_batch
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, data_parallel, generation
from lint.subject.subject import Subject

GROUPER, TRAIN = f"{ACTOR}.use_prefix_grouper", "data.train_batch_size"


@rule(severity="warning", since="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Switched on where no engine reads it."""
    if subject.boolean(GROUPER) is not True:
        return
    prompts, ranks = subject.integer(TRAIN), data_parallel(subject)
    if (
        generation(subject) == "v0"
        and subject.boolean("trainer.balance_batch")
        and prompts
        and ranks
        and prompts % ranks
    ):
        yield subject.finding(
            check,
            f"{subject.describe(GROUPER)}: the {prompts} groups of a step do not divide over {ranks} ranks",
            key=GROUPER,
            also=(TRAIN,),
            severity="error",
            help=f"drop {GROUPER}, the engine of {subject.verl} does not read it",
        )
        return
    yield subject.finding(
        check,
        f"{subject.describe(GROUPER)} is not read by the engine of {subject.verl}: prompts are computed once "
        "per response",
        key=GROUPER,
        help=f"drop {GROUPER}",
    )
