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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lint.bash.reading import Known, Origin, Unknown
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
    place: Span | None = None  # of the override
    scenario: Mapping[str, str] = field(default_factory=dict)


def unset(origin: Origin) -> Iterator[Origin]:
    """The steps of a chain that are variables which nothing sets."""
    for step in chain(origin):
        if step.kind == "unset" or (step.kind == "expansion" and [one.kind for one in step.sources] == ["environment"]):
            yield step


def in_overrides(subject: ScriptSubject, launch: Launch, defaults: Mapping[str, str]) -> Iterator[Use]:
    """Uses in the overrides of a launch; under set -u, only of names whose default goes to another variable."""
    for override in launch.overrides:
        if override.value is not None and not override.value.pieces and not launch.command.nounset:
            yield from (Use(name, span, override.key) for name, span in plain(subject, override.span))
        for piece in override.value.pieces if override.value is not None else ():
            for origin in unset(piece.origin):
                if origin.name is None or (isinstance(piece, Unknown) and origin.name not in defaults):
                    continue
                instead = defaults.get(origin.name)
                yield Use(origin.name, origin.span, override.key, instead, override.span, launch.command.scenario)


def plain(subject: ScriptSubject, place: Span) -> Iterator[tuple[str, Span]]:
    """Plain uses of variables in a place or right behind it: nothing is left of them in words that a launcher joins."""
    for parameter in subject.nodes.of(Parameter) if place.path == subject.script.source.path else ():
        if place.start <= parameter.start <= place.end and not parameter.operator:
            yield parameter.name, subject.span(parameter)


def given(subject: ScriptSubject) -> set[tuple[Span, str]]:
    """Overrides, and the variables that bring text into them in one scenario at least."""
    return {
        (override.span, origin.name)
        for launch in subject.launches
        for override in launch.overrides
        for piece in (override.value.pieces if override.value is not None else ())
        if isinstance(piece, Known) and piece.text
        for origin in chain(piece.origin)
        if origin.name is not None
    }


def chain(origin: Origin) -> Iterator[Origin]:
    """An origin and all that it comes from."""
    yield origin
    for source in origin.sources:
        yield from chain(source)


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Uses of names that are assigned nowhere, each name once."""
    defaults = given_on(subject)
    uses = [use for launch in subject.launches for use in in_overrides(subject, launch, defaults)]
    names, elsewhere = (assigned(subject), given(subject)) if uses else (set[str](), set[tuple[Span, str]]())
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
