"""GSPO runs with settings that were made for token-level ratios.

## What it finds
`policy_loss.loss_mode=gspo` with `clip_ratio_high` of 0.01 or more; and up to 0.9.0 a `loss_agg_mode` other than
seq-mean-token-mean, which GSPO does not read there.

## Why it hurts
GSPO's ratio belongs to a whole sequence and moves by about 1e-3 around 1: a limit of 0.2 never clips. The paper uses
3e-4 and 4e-4.

## When it fails
silently: nothing is clipped

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.policy_loss.loss_mode=gspo  # <- here
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
    actor_rollout_ref.actor.policy_loss.loss_mode=gspo
    actor_rollout_ref.actor.clip_ratio_low=0.0003
    actor_rollout_ref.actor.clip_ratio_high=0.0004
    actor_rollout_ref.actor.loss_agg_mode=seq-mean-token-mean
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `clip_ratio_low=0.0003`, `clip_ratio_high=0.0004`, `loss_agg_mode=seq-mean-token-mean`.

## Sources
- verl/trainer/ppo/core_algos.py :: compute_policy_loss_gspo (0.9.0 fixes the aggregation, 0.9.1 reads the key)
- Group Sequence Policy Optimization, arXiv:2507.18071
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, at_least
from lint.subject.subject import Subject

MODE, HIGH, AGGREGATION = f"{ACTOR}.policy_loss.loss_mode", f"{ACTOR}.clip_ratio_high", f"{ACTOR}.loss_agg_mode"
TOKEN_LEVEL = 0.01  # from here on a limit belongs to ratios of tokens
SEQUENCES = "seq-mean-token-mean"


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Limit of token size; aggregation that is not read."""
    if subject.string(MODE) != "gspo":
        return
    high, aggregation = subject.number(HIGH), subject.string(AGGREGATION)
    if high is not None and high >= TOKEN_LEVEL:
        yield subject.finding(
            check,
            f"gspo with {subject.describe(HIGH)}: its ratio moves by about 0.001 around 1 and is never clipped there",
            key=HIGH if subject.is_set(HIGH) else MODE,
            also=(MODE,),
            help=f"set {ACTOR}.clip_ratio_low=0.0003 and {HIGH}=0.0004",
        )
    if aggregation not in (None, SEQUENCES) and subject.is_set(AGGREGATION) and not at_least(subject, "0.9.1"):
        yield subject.finding(
            check,
            f"{subject.describe(AGGREGATION)} is not read by gspo in {subject.verl}, it takes {SEQUENCES}",
            key=AGGREGATION,
            also=(MODE,),
            severity="info",
            help=f"set {AGGREGATION}={SEQUENCES}",
        )
