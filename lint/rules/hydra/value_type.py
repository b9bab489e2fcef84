"""A value has not the type that verl expects of the key.

## What it finds
Numbers and words where a boolean is expected (`16`, `on`, `no`: for Hydra only true and false are booleans), texts
that begin like a number, and empty ones, where a number is expected (`16GB`, `1,024`), numbers with a point or an
exponent where an integer is expected (`1e3` is 1000.0), and `None`, which is a text: nothing is written `null`. The type is
that of the dataclass field, else that of the default.

## Why it hurts
Hydra's configs of verl are untyped and take anything. A word where a boolean is meant counts as true, even `no` and
`off`; a word where a number is meant fails where the number is used.

## When it fails
silently: or with a TypeError, as late as the first use

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.actor.use_kl_loss=off  # <- here
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo \\
    actor_rollout_ref.rollout.name=vllm \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.actor.use_dynamic_bsz=True \\
    actor_rollout_ref.actor.use_kl_loss=False
```

## Fix
Write a value of the type; `true` and `false` for booleans.

## Sources
- verl/workers/config/*.py, verl/trainer/config/** :: types and defaults (each release)
- https://hydra.cc/docs/1.3/advanced/override_grammar/basic/ (primitive types)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.compose import Composition
from lint.rules.hydra._fields import applied, field_of
from lint.rules.hydra._keys import report
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """The last override of each key, where its value has none of the types."""
    composition = subject.composition
    if composition is None:
        return
    for override in applied(subject):
        setting = subject.setting(override.key)
        if setting is None or setting.override is not override or override.prefix == "~":
            continue
        wanted = expected(composition, override.key, setting.default)
        if (
            isinstance(setting.value, str)
            and setting.value in NOTHING
            and (setting.default is None or "none" in wanted)
        ):
            message = f"{override.key} is the text {setting.value!r}, which is not null"
            yield report(
                subject,
                check,
                override,
                message,
                help="write null",
                fix=subject.change(override.key, "null", safe=True),
            )
            continue
        wrong = mismatch(setting.value, wanted)
        if wrong is not None:
            yield report(subject, check, override, f"{override.key} is {wrong}", help=_advice(wanted, setting.value))


def expected(composition: Composition, key: str, default: object) -> frozenset[str]:
    """The types that a key takes: of its field, else of its default; empty: anything."""
    field = field_of(composition, key)
    if field is not None:
        return frozenset(field.types)
    if isinstance(default, bool):
        return frozenset({"bool"})
    if isinstance(default, int) and COUNTS.match(key) and key not in IN_SECONDS:
        return frozenset({"int"})
    return frozenset({"int", "float"}) if isinstance(default, (int, float)) else frozenset()


def mismatch(value: object, wanted: frozenset[str]) -> str | None:
    """What is wrong with a value, in words, None if it may be right.

    A word where a number is expected may be right: verl takes `after_each_epoch` for `trainer.test_freq`. One that
    begins like a number is not, unless it is a range (`0.5_4.0`).
    """
    if not wanted or not wanted <= {"bool", "int", "float", "none"}:
        return None
    number = bool(wanted & {"int", "float"})
    if isinstance(value, str):
        bare = value.strip("'\"")
        if number and not (value == "" or (LIKE_A_NUMBER.match(bare) and not RANGE.fullmatch(bare))):
            return None
        return f"the text {value!r}, not {_listed(wanted)}"
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)) and not number:
        return None if value in (0, 1) else f"{value}, not {_listed(wanted)}"
    if isinstance(value, float) and "float" not in wanted:
        return f"{value}, not {_listed(wanted)}"
    return None


NOTHING = ("None", "none", "nil")
COUNTS = re.compile(r"(data|trainer)\.")
"""Nodes without a dataclass whose whole numbers are counts: as a fraction they fail in `range`, a loader or a split."""
IN_SECONDS = ("trainer.esi_redundant_time", "trainer.ray_wait_register_center_timeout")
LIKE_A_NUMBER = re.compile(r"[+-]?\.?\d")
RANGE = re.compile(r"[\d.]+_[\d.]+")
NAMES = {"bool": "a boolean", "int": "an integer", "float": "a number", "none": "null"}


def _listed(wanted: frozenset[str]) -> str:
    shown = [name for kind, name in NAMES.items() if kind in wanted and not (kind == "int" and "float" in wanted)]
    return " or ".join(shown)


def _advice(wanted: frozenset[str], value: object) -> str:
    if "bool" in wanted:
        return "write True or False"
    return f"write {int(value)}" if isinstance(value, float) and value.is_integer() else "write a number"
