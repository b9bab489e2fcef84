"""A value is none of those that the dataclass of verl allows.

## What it finds
Fields that `__post_init__` checks against a list, read from verl's source, in a part of the program that the launch
certainly runs. A warning: fields of the type `Literal[...]`, which nothing enforces when the config is read.

## Why it hurts
The dataclass raises while verl reads its config. A value outside of a `Literal` fails where it is used, or is ignored.

## When it fails
at start: ValueError or AssertionError in __post_init__ (Literal: later, or silently)

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.actor.loss_agg_mode=token-average  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.actor.loss_agg_mode=token-mean
```

## Fix
Write one of the values that are named.

## Sources
- verl/workers/config/*.py :: __post_init__ (each release)
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from lint.findings import Finding
from lint.launch.config import Special
from lint.rules.hydra._fields import in_force, is_made
from lint.rules.hydra._keys import parent, release
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """The last override of each key whose field has a list of values."""
    composition = subject.composition
    if composition is None:
        return
    for override, setting, field in in_force(subject):
        if field is None or not field.allowed:
            continue
        value = setting.value
        if isinstance(value, Special) or value in field.allowed or not isinstance(value, (str, int, float, bool)):
            continue
        if not is_made(subject, composition, parent(override.key)):
            continue
        near = get_close_matches(str(value), [str(one) for one in field.allowed], 1, 0.6)
        listed = ", ".join("null" if one is None else str(one) for one in field.allowed)
        yield subject.finding(
            check,
            f"{override.key} is {value}; {release(composition)} allows {listed}",
            key=override.key,
            help=f"did you mean {near[0]}?" if near else "write one of these",
            severity=None if field.checked else "warning",
        )
