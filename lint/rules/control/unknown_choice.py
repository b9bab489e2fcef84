"""A key has a name that verl does not know.

## What it finds
Losses, estimators, KL forms, reward managers, trackers, resume modes, trainer modes and the like that are not of the
release; the table beside this module holds keys, names, and when the run stops. Names that the code of a checkout
registers are known. Where others can be registered (a plugin, an external library, a custom reward function), the
finding is less sure, and a warning where the name is like none of verl's.

## Why it hurts
Hydra takes any string. Many of these names are first looked at after the models were loaded, or in the first update.

## When it fails
at init: trackers and resume modes; losses and estimators in the first step; others at start

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.policy_loss.loss_mode=gpso  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.policy_loss.loss_mode=gspo
    actor_rollout_ref.actor.clip_ratio_low=0.0003
    actor_rollout_ref.actor.clip_ratio_high=0.0004
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Use one of the names in the help.

## Sources
- lint/rules/control/unknown_choice.toml, a source per row
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lint.findings import Finding
from lint.likeness import only_nearest
from lint.rules.control._companions import lacks
from lint.rules.control._conditions import holds, in_scope, shortest
from lint.rules.rule import rule
from lint.rules.tables import rows_beside
from lint.schema.load import release_registers
from lint.subject.derived import at_least, is_own_name, loads_modules
from lint.subject.subject import Subject


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Each key of the table against the names of the release."""
    if not subject.launch.entry_point.startswith("verl."):
        return
    for row in rows_beside(__file__):
        key, value = row["key"], subject.value(row["key"])
        given = value if (in_list := isinstance(value, list)) else [value]
        names = [name for name in given if isinstance(name, str) and name not in row["choices"]]
        if not names or not in_scope(subject, row):
            continue
        if any(holds(subject, *other) for other in row.get("unless", {}).items()):
            continue
        known = known_names(subject, row)
        for name in names:
            if name in known or is_own_name(subject, name):
                continue
            if any(sign in name for sign in row.get("other", "")):
                continue
            later, quoted = row.get("later", {}).get(name), name.startswith("[")
            near = None if quoted else only_nearest(name, known)
            of_verl = "open" not in row or near or later or name in row.get("with_key", ()) or release_registers(name)
            unsure = "open" in row and (subject.value(row["open"]) is not None or loads_modules(subject))
            yield subject.finding(
                check,
                f"{shortest(key)} knows no {name!r}"
                + (", which is a text and not a list" if quoted else "")
                + (f" before verl {later}" if later else f", did you mean {near!r}?" if near else "")
                + f": {row['moment']}",
                key=key,
                severity=row.get("severity") if of_verl else "warning",  # a plugin may bring it
                confidence="low" if unsure else None if of_verl else "medium",
                help=UNQUOTE if quoted else f"known in {subject.verl}: {', '.join(known)}",
                fix=None
                if near is None or in_list or lacks(subject, key, near)
                else subject.change(key, near, safe=False),
            )


def known_names(subject: Subject, row: Mapping[str, Any]) -> list[str]:
    """The names that the release or the checkout of a launch knows."""
    later = (name for name, since in row.get("later", {}).items() if at_least(subject, since))
    with_key = (name for name, key in row.get("with_key", {}).items() if subject.setting(key) is not None)
    return [*row["choices"], *later, *with_key]


def names_of(subject: Subject, key: str) -> list[str]:
    """The names that a key takes; empty for a key that the table does not hold."""
    return next(
        (known_names(subject, row) for row in rows_beside(__file__) if row["key"] == key and in_scope(subject, row)), []
    )


UNQUOTE = (
    "quote the whole list once, as in 'trainer.logger=[console,wandb]': inside a longer quoted text, "
    "quotes of the same kind end it, and the list arrives as a text"
)
