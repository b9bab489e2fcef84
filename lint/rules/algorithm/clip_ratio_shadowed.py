"""`clip_ratio` is set, but its two halves decide; or the two halves are set the wrong way round.

## What it finds
`actor.clip_ratio` is set while `clip_ratio_low` or `clip_ratio_high` stands at its default 0.2 and differs from it; or
both halves are set, and the low one, below 1, is the larger.

## Why it hurts
The losses take low and high, which are numbers and not null by default, so `clip_ratio` is read by none of them. The
ratio of the policies is clipped to 1 - low and 1 + high: to give rare tokens more room (clip-higher, DAPO) high is the
larger.

## When it fails
silently: the policy is clipped at 0.2, or on the wrong side

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.clip_ratio=0.1  # <- here
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
    actor_rollout_ref.actor.clip_ratio_low=0.1
    actor_rollout_ref.actor.clip_ratio_high=0.1
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `clip_ratio_low` and `clip_ratio_high`.

## Sources
- verl/trainer/ppo/core_algos.py :: compute_policy_loss_vanilla, compute_policy_loss_gspo (0.7.1 to 0.9.1)
- verl/trainer/config/actor/actor.yaml: clip_ratio_low, clip_ratio_high
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR
from lint.subject.subject import Subject

RATIO, HALVES = f"{ACTOR}.clip_ratio", (f"{ACTOR}.clip_ratio_low", f"{ACTOR}.clip_ratio_high")


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Ratio set, a half at its default with another value; both halves set, the low one above the high one."""
    low, high = (subject.number(half) if subject.is_set(half) else None for half in HALVES)
    if low is not None and high is not None and high < low < 1:  # from 1 on nothing is clipped there: CISPO
        yield subject.finding(
            check,
            f"{' is above '.join(map(subject.describe, HALVES))}: ratios above 1 are clipped sooner than those below",
            key=HALVES[0],
            also=HALVES[1:],
            help=f"write {HALVES[0]}={high:g} and {HALVES[1]}={low:g} if clip-higher is meant",
        )
    ratio = subject.number(RATIO)
    if not subject.is_set(RATIO) or ratio is None:
        return
    shadows = [key for key in HALVES if not subject.is_set(key) and subject.number(key) not in (None, ratio)]
    if shadows:
        yield subject.finding(
            check,
            f"{subject.describe(RATIO)} is not read: {' and '.join(map(subject.describe, shadows))} decide",
            key=RATIO,
            also=HALVES,
            help=" and ".join(f"add {key}={ratio:g}" for key in shadows),
        )
