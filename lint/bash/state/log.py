"""The commands of a path, as a list that shares its beginning with the paths it forked from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from lint.bash.reading import RunCommand


@dataclass(slots=True, eq=False)
class Entry:
    """One command after those of `before`. What tells it from others is worked out when ways first meet behind it."""

    before: Entry | None
    depth: int
    command: RunCommand
    _identity: object = None

    @property
    def identity(self) -> object:
        if self._identity is None:
            self._identity = _identity(self.command)
        return self._identity


Log: TypeAlias = "Entry | None"


def append(log: Log, command: RunCommand, identity: object = None) -> Entry:
    """`log` with one more command."""
    return Entry(log, log.depth + 1 if log else 1, command, identity)


def commands(log: Log) -> list[RunCommand]:
    """The commands of a log in order."""
    return [entry.command for entry in _entries(log, None)]


def _entries(log: Log, until: Log) -> list[Entry]:
    """The entries of a log in order, those after `until`."""
    found = []
    while log is not None and log is not until:
        found.append(log)
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
    log = shared
    for command, identity in _interleave(_entries(first, shared), _entries(second, shared)):
        log = append(log, command, identity)
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


def apart(first: Log, second: Log) -> int:
    """How many commands the first log has that came since it was one with the second."""
    shared = _fork(first, second)
    return (first.depth if first is not None else 0) - (shared.depth if shared is not None else 0)


def _interleave(left: list[Entry], right: list[Entry]) -> Iterator[tuple[RunCommand, object]]:
    """The commands of two ways in one order, each with its identity."""
    places: dict[object, list[int]] = {}
    for index, entry in enumerate(left):
        places.setdefault(entry.identity, []).append(index)
    shared = {entry.identity for entry in right}
    position = 0
    for entry in right:
        same = next((i for i in places.get(entry.identity, ()) if i >= position), None)
        if same is None:
            while position < len(left) and _stands_before(left[position].command, entry.command):
                if left[position].identity in shared:
                    break
                yield left[position].command, left[position].identity
                position += 1
            yield entry.command, entry.identity
            continue
        yield from ((one.command, one.identity) for one in left[position:same])
        yield _under_both(left[same].command, entry.command), entry.identity
        position = same + 1
    yield from ((one.command, one.identity) for one in left[position:])


def _stands_before(first: RunCommand, second: RunCommand) -> bool:
    """Whether the first of two commands on different ways stands before the other in the same text."""
    alike = first.called_from == second.called_from and first.span.path == second.span.path
    return alike and first.span.start <= second.span.start


def _identity(command: RunCommand) -> object:
    environment = tuple(sorted((name, text.shown) for name, text in command.environment.items()))
    words = tuple(word.shown for word in command.words)
    return command.span, command.called_from, words, environment, command.directory, command.pipefail


def _under_both(first: RunCommand, second: RunCommand) -> RunCommand:
    if (first.scenario, first.guards, first.decided) == (second.scenario, second.guards, second.decided):
        return first
    return replace(
        first,
        scenario=either(first.scenario, second.scenario),
        guards=either(first.guards, second.guards),
        decided=common(first.decided, second.decided),
    )


def common(first: Mapping[str, str], second: Mapping[str, str]) -> Mapping[str, str]:
    """The conditions that hold on both paths."""
    if first is second:
        return first
    return {name: value for name, value in first.items() if second.get(name) == value}


def either(first: Mapping[str, str], second: Mapping[str, str]) -> Mapping[str, str]:
    """Conditions under which one of two ways is taken: the weaker ones; where neither are, those of the first way."""
    return second if second.items() < first.items() else first
