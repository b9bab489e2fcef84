"""The critic that is built, or not built, is not the one that the script speaks of.

## What it finds
`algorithm.adv_estimator` not given while `rollout.n` is above 1: the default gae builds a critic;
`trainer.critic_warmup` above 0 without a critic; settings of the critic without a critic; actor on fsdp2 while the
critic that is built stays on fsdp.

## Why it hurts
A critic doubles the memory of training. Warm-up without a critic means that the actor is not updated for that many
steps. The critic does not follow the actor's strategy.

## When it fails
silently: memory, or steps without an update

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.critic_warmup=10  # <- here
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
    trainer.critic_warmup=0
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Name the estimator, and drop what belongs to a critic that is not built.

## Sources
- verl/trainer/ppo/utils.py :: need_critic (0.7.1 to 0.9.1); verl/trainer/ppo/v1/trainer_base.py :: _step_once
- verl/trainer/config/critic/dp_critic.yaml: strategy
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import CRITIC, ROLLOUT, needs_critic, strategy
from lint.subject.subject import Subject

ESTIMATOR, WARMUP, STRATEGY = "algorithm.adv_estimator", "trainer.critic_warmup", f"{CRITIC}.strategy"


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Critic built or not, against what is set for it."""
    needed, responses = needs_critic(subject), subject.integer(f"{ROLLOUT}.n")
    given = [override.key for override in subject.launch.overrides if override.key.startswith(f"{CRITIC}.")]
    if needed and not subject.is_set(ESTIMATOR) and not given and responses is not None and responses > 1:
        yield subject.finding(
            check,
            f"{subject.describe(ESTIMATOR)} builds a critic, though {subject.describe(f'{ROLLOUT}.n')} looks like a "
            "group-relative estimator",
            key=f"{ROLLOUT}.n",
            help=f"add {ESTIMATOR}=grpo, or =gae if a critic is meant",
        )
    warmup = subject.integer(WARMUP)
    if needed is False and warmup is not None and warmup > 0:
        yield subject.finding(
            check,
            f"{subject.describe(WARMUP)} without a critic: the actor is not updated for {warmup} steps",
            key=WARMUP,
            also=(ESTIMATOR,),
            help=f"set {WARMUP}=0",
            fix=subject.change(WARMUP, "0", safe=False),
        )
    if needed is False and given:
        first = next((key for key in given if key != STRATEGY), given[0])
        yield subject.finding(
            check,
            f"{first}{f' (and {len(given) - 1} more)' if len(given) > 1 else ''} has no effect: no critic is built "
            f"with {subject.describe(ESTIMATOR)}",
            key=first,
            also=(ESTIMATOR,),
            severity="info",
            help=f"drop {'them' if len(given) > 1 else 'it'}",
        )
    if needed and strategy(subject) == "fsdp2" and subject.string(STRATEGY) == "fsdp" and not subject.is_set(STRATEGY):
        yield subject.finding(
            check,
            f"the actor runs on fsdp2, but the critic's {subject.describe(STRATEGY)} does not follow it",
            key=STRATEGY,
            also=("actor_rollout_ref.actor.strategy",),
            help=f"add {STRATEGY}=fsdp2",
        )
