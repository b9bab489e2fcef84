"""A group-relative estimator gets one response per prompt.

## What it finds
`rollout.n=1` (the default) with an estimator that compares the responses to one prompt: grpo, rloo, opo, gdpo, gpg,
reinforce_plus_plus_baseline and their variants. On-policy distillation is left out, it does not use the advantage.

## Why it hurts
There is nothing to compare with: the mean of a group of one is the response itself or 0, so there is no baseline, and
training follows raw rewards. `grpo_passk` refuses.

## When it fails
silently: learning is unstable or absent (grpo_passk: first step)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.rollout.n=1  # <- here
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
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `actor_rollout_ref.rollout.n` to 4 or more.

## Sources
- verl/trainer/ppo/core_algos.py :: compute_grpo_outcome_advantage, compute_rloo_outcome_advantage (0.7.1 to 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, trains
from lint.subject.subject import Subject

GROUPED = {
    "grpo",
    "grpo_vectorized",
    "grpo_passk",
    "rloo",
    "rloo_vectorized",
    "opo",
    "gdpo",
    "gpg",
    "reinforce_plus_plus_baseline",
}
ESTIMATOR, RESPONSES = "algorithm.adv_estimator", f"{ROLLOUT}.n"
REPEATED_BY = (f"{ROLLOUT}.n_agent", "agent_grpo.n")
"""Where programs built on Search-R1 and DeepResearcher say how many responses they want; verl has no such keys."""


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """One response per prompt, grouped estimator."""
    estimator, responses = subject.string(ESTIMATOR), subject.integer(RESPONSES)
    if estimator not in GROUPED or responses != 1 or not trains(subject) or subject.boolean("trainer.val_only"):
        return
    if any((subject.integer(key) or 1) > 1 for key in REPEATED_BY):
        return
    if subject.setting("distillation.enabled") is not None and subject.boolean("distillation.enabled") is not False:
        return
    yield subject.finding(
        check,
        f"{estimator} compares the responses to one prompt, but {ROLLOUT}.{subject.describe(RESPONSES)}",
        key=RESPONSES if subject.is_set(RESPONSES) else ESTIMATOR,
        also=(ESTIMATOR,),
        severity="error" if estimator == "grpo_passk" else "warning",
        help=f"set {RESPONSES}=8",
    )
