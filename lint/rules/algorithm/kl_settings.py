"""The switches and coefficients of the KL penalty contradict each other.

## What it finds
KL both in the reward and in the loss; a switch that is on with a coefficient of 0; a coefficient that is set while its
switch is off; an adaptive controller with a horizon that is not positive.

## Why it hurts
Both at once is almost always a left-over. With a coefficient of 0 the reference model is loaded and evaluated only
for its metric, which costs memory and time. A coefficient without its switch does nothing.

## When it fails
silently: verl prints a notice at most (horizon: AssertionError at start)

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.use_kl_loss=True
    actor_rollout_ref.actor.kl_loss_coef=0  # <- here
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
    actor_rollout_ref.actor.use_kl_loss=True
    actor_rollout_ref.actor.kl_loss_coef=0.001
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Switch off what is not meant: `use_kl_loss=False` gives the same loss as a coefficient of 0.

## Sources
- verl/utils/config.py :: validate_config; verl/trainer/ppo/utils.py :: need_reference_policy (0.7.1 to 0.9.1)
- verl/trainer/ppo/core_algos.py :: get_kl_controller
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR
from lint.subject.subject import Subject

IN_LOSS, LOSS_COEFFICIENT = f"{ACTOR}.use_kl_loss", f"{ACTOR}.kl_loss_coef"
IN_REWARD, REWARD_COEFFICIENT = "algorithm.use_kl_in_reward", "algorithm.kl_ctrl.kl_coef"
CONTROLLER, HORIZON = "algorithm.kl_ctrl.type", "algorithm.kl_ctrl.horizon"


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Switch against switch, switch against coefficient."""
    if subject.boolean(IN_LOSS) and subject.boolean(IN_REWARD):
        yield subject.finding(
            check,
            f"KL is penalized twice: {subject.describe(IN_REWARD)} and {subject.describe(IN_LOSS)}",
            key=IN_REWARD,
            also=(IN_LOSS,),
            help="switch one of them off",
        )
    adaptive = subject.string(CONTROLLER) == "adaptive"
    for switch, coefficient in ((IN_LOSS, LOSS_COEFFICIENT), (IN_REWARD, REWARD_COEFFICIENT)):
        on, weight = subject.boolean(switch), subject.number(coefficient)
        if on and weight == 0 and not (adaptive and switch == IN_REWARD):
            yield subject.finding(
                check,
                f"{subject.describe(coefficient)} with {subject.describe(switch)}: the reference is loaded and run "
                "only for its metric",
                key=coefficient,
                also=(switch,),
                severity="info",
                help=f"set {switch}=False unless the metric is wanted",
                fix=subject.change(switch, "False", safe=False),
            )
        elif on is False and weight and subject.is_set(coefficient):
            yield subject.finding(
                check,
                f"{subject.describe(coefficient)} has no effect: {subject.describe(switch)}",
                key=coefficient,
                also=(switch,),
                severity="info",
                help=f"set {switch}=True if it is meant, else drop it",
            )
    horizon = subject.integer(HORIZON)
    if subject.boolean(IN_REWARD) and adaptive and horizon is not None and horizon <= 0:
        yield subject.finding(
            check,
            f"{subject.describe(HORIZON)} of the adaptive controller must be positive",
            key=HORIZON,
            also=(CONTROLLER,),
            severity="error",
            help=f"set {HORIZON}=10000",
        )
