"""A long run saves nothing.

## What it finds
`trainer.save_freq` of 0 or below (the default is -1), while neither `trainer.total_training_steps` nor
`trainer.total_epochs` says that the run is a short one (at most 100 steps, or 1 epoch).

## Why it hurts
A crash after many hours loses everything, and the trained model is not written at the end either.

## When it fails
late: when the run ends, in whatever way

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.total_epochs=15
    trainer.save_freq=-1  # <- here
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
    trainer.total_epochs=15
    trainer.save_freq=20
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `trainer.save_freq`, and `trainer.max_actor_ckpt_to_keep` so that the disk does not fill up.

## Sources
- verl/trainer/ppo/v1/trainer_base.py :: fit; verl/trainer/ppo/ray_trainer.py :: fit (0.7.1 to 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import trains
from lint.subject.subject import Subject

FREQUENCY, STEPS, EPOCHS = "trainer.save_freq", "trainer.total_training_steps", "trainer.total_epochs"


@rule(severity="info", confidence="medium", options={"steps": 100})
def check(subject: Subject) -> Iterator[Finding]:
    """Nothing saved in a run that is not certainly short."""
    frequency, steps, epochs = subject.integer(FREQUENCY), subject.integer(STEPS), subject.integer(EPOCHS)
    short = subject.options.get("steps")
    if not trains(subject) or frequency is None or frequency > 0 or subject.boolean("trainer.val_only"):
        return
    if steps is None and not subject.is_null(STEPS):
        return
    if (steps is not None and isinstance(short, int) and steps <= short) or epochs is None or epochs <= 1:
        return
    yield subject.finding(
        check,
        f"{subject.describe(FREQUENCY)}: nothing is saved in "
        + (f"{steps} steps" if steps is not None else f"{epochs} epochs"),
        key=FREQUENCY,
        also=(STEPS, EPOCHS),
        help=f"set {FREQUENCY}=20",
    )
