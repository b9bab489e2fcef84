"""A launch leaves out a value that verl demands.

## What it finds
Keys that the config marks as mandatory (`???`) in a part of the program that the launch certainly runs: the rollout
engine's name, and that of the reward model where one is enabled.

## Why it hurts
Hydra composes the launch; the first read of the key fails.

## When it fails
at start: MissingMandatoryValue, or an assertion about the engine's name

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\  # <- here
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.rollout.name=vllm
```

## Fix
Give the value: `actor_rollout_ref.rollout.name=vllm` or `sglang`.

## Sources
- verl/trainer/config/rollout/rollout.yaml, reward/reward.yaml (0.6.1 to 0.9.1)
- verl/workers/config/rollout.py :: RolloutConfig
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.config import MISSING
from lint.rules.hydra._keys import release
from lint.rules.rule import rule
from lint.subject.derived import follows_verl
from lint.subject.subject import Subject

ROLLOUT = "actor_rollout_ref.rollout.name"
REWARD = "reward.reward_model.rollout.name"


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """The mandatory keys that the program reads in every such launch."""
    composition = subject.composition
    if composition is None or composition.problems:
        return
    keys = [ROLLOUT]
    if subject.boolean("reward.reward_model.enable") is True:
        keys.append(REWARD)
    for key in keys:
        setting = subject.setting(key)
        if setting is not None and setting.value is MISSING:
            yield subject.finding(
                check,
                f"{key} is mandatory in {release(composition)} and nothing sets it",
                span=subject.launch.entry_span,
                severity=None if follows_verl(subject) else "warning",
                confidence="medium" if passes_arguments_on(subject) else None,
                help=f"write {key}=vllm, or sglang",
                note="unless it is given on the command line of the script" if passes_arguments_on(subject) else None,
            )


def passes_arguments_on(subject: Subject) -> bool:
    """True if the launch ends with the arguments of the script, which may hold any override."""
    span = subject.launch.command.span
    source = subject.sources.get(span.path)
    return source is not None and re.search(r"\$(?:[@*]|\{[@*])", source.text[span.start : span.end]) is not None
