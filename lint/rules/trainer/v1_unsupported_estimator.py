"""The V1 trainer does not produce what the advantage estimator needs.

## What it finds
V1 (`trainer.use_v1=True`, the default from 0.9.0) with `algorithm.adv_estimator` remax, gdpo, optimal_token_baseline or
tir_optimal_token_baseline.

## Why it hurts
V1 fetches neither reward baselines, nor the fields of single rewards, nor sums of squared probabilities. Scripts that
were written for V0 compose and start.

## When it fails
first step: TypeError, KeyError or AssertionError when the first advantage is computed, after the first rollout

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=remax  # <- here
    actor_rollout_ref.actor.use_dynamic_bsz=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=remax
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.use_v1=False
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Add `trainer.use_v1=False`.

## Sources
- verl/trainer/ppo/v1/trainer_base.py :: _compute_advantage (0.9.0, 0.9.1)
- verl/trainer/ppo/core_algos.py :: compute_remax_outcome_advantage, compute_gdpo_outcome_advantage
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import generation
from lint.subject.subject import Subject

ESTIMATOR = "algorithm.adv_estimator"
MISSING = {
    "remax": "reward baselines",
    "gdpo": "the fields of single rewards",
    "optimal_token_baseline": "sums of squared probabilities",
    "tir_optimal_token_baseline": "sums of squared probabilities",
}


@rule(severity="error", since="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Estimator that V1 does not feed."""
    estimator = subject.string(ESTIMATOR)
    if generation(subject) != "v1" or estimator not in MISSING:
        return
    yield subject.finding(
        check,
        f"{estimator} needs {MISSING[estimator]}, which the V1 trainer (trainer.{subject.describe('trainer.use_v1')}) "
        "does not produce",
        key=ESTIMATOR,
        also=("trainer.use_v1",),
        phase="advantage",
        help="add trainer.use_v1=False",
    )
