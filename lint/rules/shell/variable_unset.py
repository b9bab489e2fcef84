r"""A launch uses a variable that nothing sets.

## What it finds
A variable without a default that is part of an override and that neither the script nor a file that it sources assigns.
Names in capitals may come from the environment of the site (`HDFS_ROOT`, `RAY_DATA_HOME`): they
are reported as information only, unless the script assigns nearly the same name, or gives their default to another
variable. A variable that the script assigns is found where a launch has nothing in it and the same launch has a value
under another condition: set for `DEVICE=npu` only, say.

## Why it hurts
It expands to nothing: `key=` is empty, `$WORK_DIR/data` a path at the root. With `set -u` see `variable-unbound`.

## When it fails
silently: an empty value

## Example that fails
```bash
gen_tp=8
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.tensor_model_parallel_size=$rollout_tp "$@"  # <- here
```

## Example that passes
```bash
gen_tp=8
python3 -m verl.trainer.main_ppo \
    actor_rollout_ref.rollout.tensor_model_parallel_size=$gen_tp "$@"
```

## Fix
Assign it, or give it a default: `${NAME:-value}`.

## Sources
- verl commits c12b0cfee ($gen_tp), bd756c15c ($LAST_LAYER for last_layer), 16bdafaad ($DEVICE under set -u)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.rules.shell._names import ALWAYS, CONSTANTS, assigned, given_on, nearest
from lint.rules.shell._unset import given, in_overrides
from lint.subject.subject import ScriptSubject
from lint.text import Span


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Uses of names that are assigned nowhere, each name once."""
    defaults = given_on(subject)
    uses = [use for launch in subject.launches for use in in_overrides(subject, launch, defaults)]
    names, elsewhere = (assigned(subject), given(subject)) if uses else (frozenset[str](), set[tuple[Span, str]]())
    reported: set[str] = set()
    for use in uses:
        name = use.name
        one_sided = bool(use.scenario) and (use.place, name) in elsewhere
        if name in reported or (name in names and not one_sided):
            continue
        if ALWAYS.fullmatch(name) or not name.isidentifier():
            continue
        reported.add(name)
        near = name if name in CONSTANTS else use.instead or (None if one_sided else nearest(name, names))
        site = name.isupper() and near is None
        yield subject.finding(
            check,
            use.span,
            f"{name} is set {'under other conditions only' if one_sided else 'nowhere in this script'}: "
            f"{use.key} gets nothing for it" + (" unless the environment holds it" if site else ""),
            severity="info" if site else None,
            confidence="medium" if site else None,
            help=f"write {near}" if near else f"assign it, or write ${{{name}:-value}}",
            scenario=use.scenario if one_sided else None,
        )
