"""A value has not the type that verl expects of the key.

## What it finds
Numbers and words where a boolean is expected (`16`, `on`, `no`: for Hydra only true and false are booleans), texts and
booleans where a number is expected (`16GB`, `all`, `True`, nothing at all; the SFT trainer's `after_each_epoch` is
known), numbers with a point or an exponent where an integer is expected (`1e3` is 1000.0), and `None`, which is a text:
nothing is written `null`. The type is that of the dataclass field, else that of the default. An error for the keys and
kinds of the table beside this module, with which the run certainly ends.

## Why it hurts
Hydra's configs of verl are untyped and take anything. A word where a boolean is meant counts as true, even `no` and
`off`; a word where a number is meant fails where the number is used, and a boolean counts as 1 or 0: a learning rate
of `True` is 1.0.

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
- lint/rules/hydra/value_type.toml, a source per row
- https://hydra.cc/docs/1.3/advanced/override_grammar/basic/ (primitive types)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.launch.compose import base_of
from lint.launch.config import ABSENT
from lint.launch.effective import node_at
from lint.launch.launch import Launch
from lint.rules.control._conditions import in_scope
from lint.rules.hydra._fields import in_force
from lint.rules.hydra._types import NOTHING, advice, expected, kind, mismatch, others
from lint.rules.rule import rule
from lint.rules.tables import rows_beside
from lint.schema.load import load, shipped
from lint.subject.derived import follows_verl
from lint.subject.subject import Subject


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """The last override of each key, where its value has none of the types."""
    for override, setting, field in in_force(subject):
        if override.prefix == "~":
            continue
        wanted = expected(override.key, setting.default, field)
        nullable = setting.default is None or "none" in wanted
        if isinstance(setting.value, str) and setting.value in NOTHING and nullable:
            yield subject.finding(
                check,
                f"{override.key} is the text {setting.value!r}, which is not null",
                key=override.key,
                help="write null",
                fix=subject.change(override.key, "null", safe=True),
            )
            continue
        wrong = mismatch(setting.value, wanted)
        if wrong is None or setting.value in others(override.key, subject.launch.entry_point):
            continue
        if field is None and _is_of_a_fork(subject, override.key):
            continue
        failure = _failure(subject, override.key, kind(setting.value))
        yield subject.finding(
            check,
            f"{override.key} is {wrong}" + ("" if failure is None else f": {failure}"),
            key=override.key,
            severity="warning" if failure is None else "error",
            help=advice(wanted, setting.value),
        )


def _failure(subject: Subject, key: str, kind: str) -> str | None:
    """How the run certainly ends for a value of such a kind, None if it may go on."""
    if not follows_verl(subject):
        return None
    matching = (
        row for row in rows_beside(__file__) if key in row["keys"] and kind in row["kinds"] and in_scope(subject, row)
    )
    return next((row["because"] for row in matching), None)


def _is_of_a_fork(subject: Subject, key: str) -> bool:
    """True for a key that a checkout has and no release does: whoever added it may read more than its default shows."""
    composition = subject.composition
    if composition is None or composition.schema.date is not None:
        return False
    return not any(_has(subject.launch, release, key) for release in shipped())


def _has(launch: Launch, release: str, key: str) -> bool:
    base = base_of(launch, load(release))
    return base is not None and node_at(base.tree, key) is not ABSENT
