"""The train batch is not made of whole generation batches.

## What it finds
V1 trainer: `data.gen_batch_size` has a value and `data.train_batch_size` is not a multiple of it. Where verl sets the
generation batch to 1 by itself (asynchronous modes, group filtering, refilling of failed groups) the number has no
effect and is not looked at.

## Why it hurts
Prompts are fetched in whole generation batches; the first fetch refuses.

## When it fails
first step: ValueError "num_prompts must be a positive multiple of gen_batch_size"

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.train_batch_size=256
    data.gen_batch_size=96  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.train_batch_size=256
    data.gen_batch_size=64
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `data.gen_batch_size` to a divisor of `data.train_batch_size`.

## Sources
- verl/trainer/ppo/v1/trainer_base.py :: _next_train_batch, _init_dataloader (0.9.0, main)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import trainer_mode
from lint.subject.subject import Subject

GENERATED, TRAIN = "data.gen_batch_size", "data.train_batch_size"
SETS_ONE = ("algorithm.filter_groups.enable", "trainer.v1.sampler.sync_refill_failed_groups")


@rule(severity="error", since="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Train batch modulo generation batch, in the synchronous mode of V1."""
    generated, train = subject.integer(GENERATED), subject.integer(TRAIN)
    if trainer_mode(subject) != "sync" or not generated or not train or train % generated == 0:
        return
    if any(subject.setting(key) is not None and subject.boolean(key) is not False for key in SETS_ONE):
        return
    yield subject.finding(
        check,
        f"{subject.describe(TRAIN)} is not a multiple of {subject.describe(GENERATED)}",
        key=GENERATED,
        also=(TRAIN,),
        phase="generate",
        help=f"set {GENERATED} to a divisor of {train}, or drop it",
    )
