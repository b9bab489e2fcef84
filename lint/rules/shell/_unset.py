"""Uses of variables that have no value where an override of a launch takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from lint.bash.reading import Known, Origin, Unknown
from lint.bash.syntax import Parameter
from lint.frozen import frozen
from lint.launch.launch import Launch
from lint.subject.subject import ScriptSubject
from lint.text import Span


@frozen
class Use:
    """A use of a variable that has no value there, and the key that it was for."""

    name: str
    span: Span
    key: str
    instead: str | None = None
    place: Span | None = None  # of the override
    scenario: Mapping[str, str] = field(default_factory=dict)


def unset(origin: Origin) -> list[Origin]:
    """The steps of a chain that are variables which nothing sets."""
    found = []
    for step in chain(origin):
        kind, sources = step.kind, step.sources
        if kind == "unset" or (kind == "expansion" and len(sources) == 1 and sources[0].kind == "environment"):
            found.append(step)
    return found


def in_overrides(subject: ScriptSubject, launch: Launch, defaults: Mapping[str, str]) -> Iterator[Use]:
    """Uses in the overrides of a launch; under set -u, only of names whose default goes to another variable."""
    for override in launch.overrides:
        if override.value is not None and not override.value.pieces and not launch.command.nounset:
            yield from (Use(name, span, override.key) for name, span in plain(subject, override.span))
        for piece in override.value.pieces if override.value is not None else ():
            for origin in unset(piece.origin) if piece.origin.kind != "literal" else ():
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


def chain(origin: Origin) -> list[Origin]:
    """An origin and all that it comes from."""
    found, waiting = [], [origin]
    while waiting:
        origin = waiting.pop()
        found.append(origin)
        if origin.sources:
            waiting.extend(origin.sources[::-1])
    return found
