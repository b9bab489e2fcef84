"""The V1 trainer applies only a part of bypass mode.

## What it finds
V1 with `algorithm.rollout_correction.bypass_mode=True` and `rollout_is`, `rollout_rs` or a `loss_type` other than
ppo_clip, while `policy_loss.loss_mode` is not bypass_mode.

## Why it hurts
V1 puts the rollout's log-probabilities in place of the old ones, but never switches the loss over as V0 does. The
weights, the rejection and the loss type are then read by nobody.

## When it fails
silently: training goes on without the correction

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    algorithm.rollout_correction.bypass_mode=True
    algorithm.rollout_correction.rollout_is=token  # <- here
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
    algorithm.rollout_correction.bypass_mode=True
    algorithm.rollout_correction.rollout_is=token
    trainer.use_v1=False
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use `trainer.use_v1=False`, or leave bypass mode.

## Sources
- verl/trainer/ppo/v1/trainer_base.py :: _compute_old_log_prob (0.9.0, 0.9.1)
- verl/trainer/ppo/ray_trainer.py :: fit, apply_bypass_mode
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, generation
from lint.subject.subject import Subject

NODE = "algorithm.rollout_correction"
BYPASS, LOSS, MODE = f"{NODE}.bypass_mode", f"{NODE}.loss_type", f"{ACTOR}.policy_loss.loss_mode"


@rule(severity="warning", since="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Bypass mode with settings that V1 does not hand to the loss."""
    if (
        generation(subject) != "v1"
        or subject.boolean(BYPASS) is not True
        or subject.string(MODE) in (None, "bypass_mode")
    ):
        return
    unread = [key for key in (f"{NODE}.rollout_is", f"{NODE}.rollout_rs") if subject.string(key)]
    unread += [LOSS] if subject.string(LOSS) not in (None, "ppo_clip") else []
    if unread:
        yield subject.finding(
            check,
            f"{' and '.join(map(subject.describe, unread))} {'are' if len(unread) > 1 else 'is'} not read: V1 "
            "does not switch the loss over in bypass mode",
            key=unread[0],
            also=(*unread, BYPASS),
            help=f"add trainer.use_v1=False, or drop {BYPASS}",
        )
