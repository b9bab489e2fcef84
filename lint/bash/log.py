"""The commands of a path, as a list that shares its beginning with the paths it forked from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from lint.bash.reading import RunCommand


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One command after those of `before`."""

    before: Entry | None
    depth: int
    command: RunCommand


Log: TypeAlias = "Entry | None"


def append(log: Log, command: RunCommand) -> Entry:
    """`log` with one more command."""
    return Entry(log, log.depth + 1 if log else 1, command)


def commands(log: Log, until: Log = None) -> list[RunCommand]:
    """The commands of a log in order, those after `until`."""
    found = []
    while log is not None and log is not until:
        found.append(log.command)
        log = log.before
    found.reverse()
    return found


def merge(first: Log, second: Log) -> Log:
    """Both logs in one: a command that occurs in both occurs once, under the conditions that both have in common."""
    if first is second or second is None:
        return first
    if first is None:
        return second
    shared = _fork(first, second)
    if shared is second:
        return first
    if shared is first:
        return second
    left, right = commands(first, shared), commands(second, shared)
    log = shared
    for command in _interleave(left, right):
        log = append(log, command)
    return log


def _fork(first: Log, second: Log) -> Log:
    """The last entry that both logs have."""
    while first is not second:
        if first is None or second is None:
            return None
        if first.depth >= second.depth:
            first = first.before
        else:
            second = second.before
    return first


def _interleave(left: list[RunCommand], right: list[RunCommand]) -> list[RunCommand]:
    places: dict[object, list[int]] = {}
    for index, command in enumerate(left):
        places.setdefault(_identity(command), []).append(index)
    shared = {_identity(command) for command in right}
    merged: list[RunCommand] = []
    position = 0
    for command in right:
        same = next((i for i in places.get(_identity(command), ()) if i >= position), None)
        if same is None:
            while position < len(left) and _stands_before(left[position], command):
                if _identity(left[position]) in shared:
                    break
                merged.append(left[position])
                position += 1
            merged.append(command)
            continue
        merged.extend(left[position:same])
        merged.append(_under_both(left[same], command))
        position = same + 1
    merged.extend(left[position:])
    return merged


def _stands_before(first: RunCommand, second: RunCommand) -> bool:
    """Whether the first of two commands on different ways stands before the other in the same text."""
    alike = first.called_from == second.called_from and first.span.path == second.span.path
    return alike and first.span.start <= second.span.start


def _identity(command: RunCommand) -> object:
    environment = tuple(sorted((name, text.shown) for name, text in command.environment.items()))
    words = tuple(word.shown for word in command.words)
    return command.span, command.called_from, words, environment, command.directory, command.pipefail


def _under_both(first: RunCommand, second: RunCommand) -> RunCommand:
    if first.scenario == second.scenario and first.guards == second.guards:
        return first
    return replace(
        first,
        scenario=either(first.scenario, second.scenario),
        guards=either(first.guards, second.guards),
    )


def either(first: Mapping[str, str], second: Mapping[str, str]) -> Mapping[str, str]:
    """Conditions under which one of two ways is taken: the weaker ones; where neither are, those of the first way."""
    return second if second.items() < first.items() else first
