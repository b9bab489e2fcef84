"""An asynchronous trainer corrects nothing for responses of older weights.

## What it finds
V1 `colocate_async` or `separate_async` without rollout correction (`rollout_is`, `rollout_rs`, `bypass_mode`) and
without `actor.use_rollout_log_probs`.

## Why it hurts
Responses come from weights several updates old. Without correction the ratio of the loss is taken against other
log-probabilities than those that produced the responses.

## When it fails
silently: a bias of the gradient

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.v1.trainer_mode=colocate_async  # <- here
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
    trainer.v1.trainer_mode=colocate_async
    algorithm.rollout_correction.rollout_is=token
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `algorithm.rollout_correction.rollout_is=token`, or `algorithm.rollout_correction.bypass_mode=True`.

## Sources
- docs/algo/rollout_corr.md (main); verl/trainer/ppo/v1/trainer_colocate_async.py, trainer_separate_async.py (0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, trainer_mode
from lint.subject.subject import Subject

MODE, NODE = "trainer.v1.trainer_mode", "algorithm.rollout_correction"


@rule(severity="info", confidence="medium", since="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Asynchronous mode, no correction."""
    mode = trainer_mode(subject)
    if mode not in ("colocate_async", "separate_async"):
        return
    settings = (f"{NODE}.rollout_is", f"{NODE}.rollout_rs", f"{NODE}.bypass_mode", f"{ACTOR}.use_rollout_log_probs")
    if any(
        subject.value(key) or (subject.setting(key) and not subject.is_null(key) and subject.value(key) is None)
        for key in settings
    ):
        return
    yield subject.finding(
        check,
        f"{mode} trains on responses of older weights without rollout correction",
        key=MODE,
        help=f"set {NODE}.rollout_is=token",
    )
