"""An override sets a key that is still in the config but that the program no longer reads.

## What it finds
The legacy reward keys (`custom_reward_function.*`, `reward_model.*`, `sandbox_fusion.*`) with an entry point that does
not carry them over to `reward.*`: `main_ppo` from 0.9.0 on, `main_ppo_sync` and one-step-off from 0.8.0 on.
(`fully_async_main` still carries them over.)

## Why it hurts
Nothing says so: the run trains on the default rule-based reward with the naive manager.

## When it fails
silently: the reward is another one than was asked for

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    reward_model.reward_manager=dapo  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    reward.reward_manager.name=dapo
```

## Fix
Write the key that is read.

## Sources
- verl/experimental/reward_loop/reward_loop.py :: migrate_legacy_reward_impl (0.7.1 to 0.9.1) and its callers
- verl 45632b5fa, #6710: main_ppo no longer calls it
- verl/trainer/config/legacy_reward_impl.yaml
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.renamed_keys import change_of
from lint.findings import Finding
from lint.rules.hydra._fields import applied
from lint.rules.hydra._overrides import rename, report
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Every override of a key that the entry point does not read, unless it only says null."""
    composition = subject.composition
    if composition is None or _carries_over(subject):
        return
    for override in applied(subject):
        if override.prefix == "~" or composition.parsed[override.index].value is None:
            continue
        change = change_of(override.key, subject.release, ("ignored",), subject.launch.entry_point)
        if change is None:
            continue
        new = change.translate(override.key)
        yield report(
            subject,
            check,
            override,
            f"{override.key} is not read by {subject.launch.entry_point} since {change.since} ({change.source})",
            help=f"write {override.prefix}{new}" if new else "leave it out",
            fix=rename(subject, override, new, safe=False) if new else None,
        )


def _carries_over(subject: Subject) -> bool:
    """True for a checkout, between two releases, whose `main_ppo` still reads the legacy keys."""
    main_ppo = subject.launch.entry_point == "verl.trainer.main_ppo"
    return main_ppo and subject.behaves("main_ppo_migrates_legacy_rewards")
