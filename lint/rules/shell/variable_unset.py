r"""A launch uses a variable that nothing sets.

## What it finds
A variable without a default that is part of an override and that neither the script nor a file that it sources assigns.
Names in capitals may come from the environment of the site (`HDFS_ROOT`, `RAY_DATA_HOME`): they
are reported as information only, unless the script assigns nearly the same name, or gives their default to another
variable.

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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lint.bash.reading import Origin, Unknown
from lint.bash.syntax import Parameter
from lint.findings import Finding
from lint.launch.launch import Launch
from lint.rules.rule import rule
from lint.rules.shell._names import ALWAYS, CONSTANTS, assigned, given_on, nearest
from lint.subject.subject import ScriptSubject
from lint.text import Span


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a variable that has no value there, and the key that it was for."""

    name: str
    span: Span
    key: str
    instead: str | None = None


def unset(origin: Origin) -> Iterator[Origin]:
    """The steps of a chain that are variables which nothing sets."""
    if origin.kind == "unset" or (
        origin.kind == "expansion" and [one.kind for one in origin.sources] == ["environment"]
    ):
        yield origin
    for source in origin.sources:
        yield from unset(source)


def in_overrides(subject: ScriptSubject, launch: Launch, defaults: Mapping[str, str]) -> Iterator[Use]:
    """Uses in the overrides of a launch; under set -u, only of names whose default goes to another variable."""
    for override in launch.overrides:
        if override.value is not None and not override.value.pieces and not launch.command.nounset:
            yield from (Use(name, span, override.key) for name, span in plain(subject, override.span))
        for piece in override.value.pieces if override.value is not None else ():
            for origin in unset(piece.origin):
                if origin.name is None or (isinstance(piece, Unknown) and origin.name not in defaults):
                    continue
                yield Use(origin.name, origin.span, override.key, defaults.get(origin.name))


def plain(subject: ScriptSubject, place: Span) -> Iterator[tuple[str, Span]]:
    """Plain uses of variables in a place or right behind it: nothing is left of them in words that a launcher joins."""
    for parameter in subject.nodes.of(Parameter) if place.path == subject.script.source.path else ():
        if place.start <= parameter.start <= place.end and not parameter.operator:
            yield parameter.name, subject.span(parameter)


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Uses of names that are assigned nowhere, each name once."""
    defaults = given_on(subject)
    uses = [use for launch in subject.launches for use in in_overrides(subject, launch, defaults)]
    names = assigned(subject) if uses else set()
    reported: set[str] = set()
    for use in uses:
        name = use.name
        if name in reported or name in names or ALWAYS.fullmatch(name) or not name.isidentifier():
            continue
        reported.add(name)
        near = name if name in CONSTANTS else use.instead or nearest(name, names)
        site = name.isupper() and near is None
        yield subject.finding(
            check,
            use.span,
            f"{name} is set nowhere in this script: {use.key} gets nothing for it"
            + (" unless the environment holds it" if site else ""),
            severity="info" if site else None,
            confidence="medium" if site else None,
            help=f"write {near}" if near else f"assign it, or write ${{{name}:-value}}",
        )
