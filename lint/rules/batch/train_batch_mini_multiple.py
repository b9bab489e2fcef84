"""The train batch does not divide into mini-batches.

## What it finds
`data.train_batch_size` x `rollout.n` is not a multiple of what an update needs: `ppo_mini_batch_size` x `rollout.n`
for the V0 trainer; for V1 the least common multiple of the data parallel ranks and the mini-batches of actor and
critic.

## Why it hurts
V0 stops in the first update. V1 fills the batch up with padding rows without saying so: the message tells how many of
the rows of each step are waste. The legacy workers of 0.7 make the last mini-batch smaller.

## When it fails
first step: AssertionError in `make_iterator` (V0); V1 only gets slower

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.n=8
    data.train_batch_size=100  # <- here
    actor_rollout_ref.actor.ppo_mini_batch_size=64
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.n=8
    data.train_batch_size=128
    actor_rollout_ref.actor.ppo_mini_batch_size=64
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `data.train_batch_size` to a multiple of `ppo_mini_batch_size`.

## Sources
- verl/utils/tensordict_utils.py :: make_iterator (0.8.0, 0.9.0, main)
- verl/trainer/ppo/v1/trainer_base.py :: _get_required_batch_multiple, _balance_batch (0.9.0, main)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.batch._padding import SYNC_STEP, demanded, required_multiple, sampled_rows, sync_step
from lint.rules.rule import rule
from lint.subject.derived import (
    ACTOR,
    PREFIXES,
    ROLLOUT,
    generation,
    legacy_workers,
    mini_batch_rows,
    nearest_multiples,
    trained_roles,
)
from lint.subject.subject import Subject

TRAIN = "data.train_batch_size"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """V0 asserts per role; V1 pads to a common multiple."""
    rows, chosen = sampled_rows(subject), generation(subject)
    responses = subject.integer(f"{ROLLOUT}.n")
    if rows is None or not responses or legacy_workers(subject):
        return
    minis = tuple(f"{PREFIXES[role]}.ppo_mini_batch_size" for role in trained_roles(subject))
    if chosen == "v1":
        multiple, demand, step = required_multiple(subject), demanded(subject), sync_step(subject)
        is_refused = demand is not None and demand[0] and rows * step % demand[0]  # `train-batch-divisible` says so
        is_refused = is_refused or _is_below_a_mini_batch(subject, minis)
        if multiple is not None and rows % multiple and not is_refused:
            filled = -(-rows // multiple) * multiple
            parts = f" / {subject.describe(SYNC_STEP)}" if step > 1 else ""
            yield subject.finding(
                check,
                f"{subject.describe(TRAIN)} x n {responses}{parts}: the {rows} rows of an update are filled up to "
                f"{filled}, a multiple of {multiple}: {100 * (filled - rows) / filled:.0f} % of the rows are padding",
                key=TRAIN,
                also=(*minis, f"{ROLLOUT}.n"),
                severity="warning",
                help=_fitting(rows * step, responses, multiple * step),
            )
        return
    for role, mini in zip(trained_roles(subject), minis, strict=True):
        needed, prompts = mini_batch_rows(subject, role), subject.integer(mini)
        if chosen == "v0" and needed and prompts and rows % needed:
            yield subject.finding(
                check,
                f"{subject.describe(TRAIN)} is not a multiple of {role} {subject.describe(mini)}",
                key=TRAIN,
                also=(mini,),
                phase="update_actor" if role == "actor" else "update_critic",
                help=f"set {TRAIN} to {nearest_multiples(rows // responses, prompts)}",
            )


def _is_below_a_mini_batch(subject: Subject, minis: tuple[str, ...]) -> bool:
    """True where static batches make verl refuse it: `mini-batch-gt-train-batch` says so."""
    train, dynamic = subject.integer(TRAIN) or 0, subject.boolean(f"{ACTOR}.use_dynamic_bsz")
    return dynamic is False and any((subject.integer(mini) or 0) > train for mini in minis)


def _fitting(rows: int, responses: int, multiple: int) -> str:
    """The nearest batch sizes that need no padding, where whole prompts make up the multiple."""
    if multiple % responses or rows % responses:
        return "choose data.train_batch_size and ppo_mini_batch_size so that one is a multiple of the other"
    return f"use a data.train_batch_size of {nearest_multiples(rows // responses, multiple // responses)}"
