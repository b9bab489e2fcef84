"""Settings of the reference policy are given, but none is built.

## What it finds
Keys of `actor_rollout_ref.ref` while `actor.use_kl_loss` and `algorithm.use_kl_in_reward` are both False.

## Why it hurts
They do nothing: no reference is loaded, no reference pass runs. Whoever lowers a batch size of it to save memory saves
none, and a launch that was meant to have a KL penalty has none.

## When it fails
silently

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.ref.fsdp_config.param_offload=True  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.use_kl_loss=True
    actor_rollout_ref.ref.fsdp_config.param_offload=True
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Drop the keys, or switch one of the two KL terms on.

## Sources
- verl/trainer/ppo/utils.py :: need_reference_policy (0.7.1 to 0.9.1)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, REF, trains, uses_reference
from lint.subject.subject import Subject

IN_LOSS, IN_REWARD = f"{ACTOR}.use_kl_loss", "algorithm.use_kl_in_reward"


@rule(severity="info")
def check(subject: Subject) -> Iterator[Finding]:
    """Once for a launch, at the first key of the reference."""
    if not trains(subject) or uses_reference(subject) is not False:
        return
    given = [override.key for override in subject.launch.overrides if override.key.startswith(f"{REF}.")]
    if not given:
        return
    several = len(given) > 1
    yield subject.finding(
        check,
        f"{given[0]}{f' (and {len(given) - 1} more)' if several else ''} has no effect: no reference policy is built "
        f"with {subject.describe(IN_LOSS)} and {subject.describe(IN_REWARD)}",
        key=given[0],
        also=(IN_LOSS, IN_REWARD),
        help=f"drop {'them' if several else 'it'}, or set {IN_LOSS}=True",
    )
