"""The batch of the separate asynchronous trainer is not made of its synchronizations.

## What it finds
V1 `separate_async` where `data.train_batch_size` is not `trainer.v1.separate_async.parameter_sync_step` x
`actor.ppo_mini_batch_size`.

## Why it hurts
Each part between two synchronizations is one optimizer step; the trainer asserts it.

## When it fails
at start: AssertionError "train_batch_size must equal parameter_sync_step * ppo_mini_batch_size"

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.v1.trainer_mode=separate_async
    actor_rollout_ref.rollout.nnodes=1
    actor_rollout_ref.rollout.checkpoint_engine.backend=nccl
    data.train_batch_size=256
    actor_rollout_ref.actor.ppo_mini_batch_size=128  # <- here
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
    trainer.v1.trainer_mode=separate_async
    actor_rollout_ref.rollout.nnodes=1
    actor_rollout_ref.rollout.checkpoint_engine.backend=nccl
    data.train_batch_size=256
    actor_rollout_ref.actor.ppo_mini_batch_size=64
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set one of the three to the number that the help names.

## Sources
- verl/trainer/ppo/v1/trainer_separate_async.py :: PPOTrainerSeparateAsync.__init__ (0.9.0, 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, trainer_mode
from lint.subject.subject import Subject

TRAIN, MINI = "data.train_batch_size", f"{ACTOR}.ppo_mini_batch_size"
STEPS = "trainer.v1.separate_async.parameter_sync_step"


@rule(severity="error", since="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Train batch against steps x mini-batch."""
    train, mini, steps = subject.integer(TRAIN), subject.integer(MINI), subject.integer(STEPS)
    if trainer_mode(subject) != "separate_async" or train is None or mini is None or steps is None:
        return
    if train == steps * mini:
        return
    near = f"{MINI}={train // steps}" if steps and train % steps == 0 else f"{TRAIN}={steps * mini}"
    yield subject.finding(
        check,
        f"{subject.describe(STEPS)} x {subject.describe(MINI)} = {steps * mini}, but {subject.describe(TRAIN)}",
        key=MINI,
        also=(TRAIN, STEPS),
        help=f"set {near}",
    )
