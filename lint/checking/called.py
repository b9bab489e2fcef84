"""A script as the workflows of its repository start it: one more reading for each way that differs from the others."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lint.bash.evaluator import read
from lint.bash.reading import Reading, Unchecked
from lint.bash.scenarios import MOST_STEPS
from lint.bash.syntax import Script
from lint.callers.calls import Call, calls_of, missing_in
from lint.facts.devices import Device
from lint.facts.runners import device_of
from lint.files.sources import Files
from lint.findings import Finding, Related
from lint.frozen import frozen
from lint.launch.launch import Launch
from lint.subject.subject import Subject

MOST_WAYS = 100  # in which workflows start one script: verl main has up to some twenty


@frozen
class Given:
    """What a call gives of all that matters to a script: variables that it may read, arguments, a device."""

    variables: tuple[tuple[str, str], ...]  # values and arguments as they are shown
    arguments: tuple[str, ...]
    device: Device | None

    @property
    def is_default(self) -> bool:
        """Whether nothing is given that the script can read."""
        return not self.variables and not self.arguments

    @property
    def values(self) -> tuple[tuple[str, object], ...]:
        """All that is given; one that is given by another name is another value."""
        return (*self.variables, ("", self.device), *(("", argument) for argument in self.arguments))


@frozen
class Called:
    """A reading with what calls give, and these calls. They differ only in what the script does not read."""

    reading: Reading
    calls: tuple[Call, ...]


def calls_to(script: Script, files: Files) -> tuple[Call, ...]:
    """How the workflows of the script's repository start it."""
    return () if files.root is None else calls_of(script.source.path, files.root)


def missing(calls: Sequence[Call], files: Files) -> Iterator[Unchecked]:
    """Scripts that the repository does not have and the workflows behind these calls start beside this one.

    They are looked up as the files that the script reads are: one that is added later makes another result.
    """
    for workflow in dict.fromkeys(call.span.path for call in calls):
        for span, path in missing_in(os.path.abspath(workflow), files.root or ""):
            files.read(path)
            yield Unchecked(span, f"{path} is run as a script, but is not a file of the repository")


def as_called(
    script: Script,
    calls: Sequence[Call],
    readings: Sequence[Reading],
    environment: Mapping[str, str],
    files: Files,
) -> tuple[tuple[Called, ...], tuple[Unchecked, ...]]:
    """The script read under its calls, those that give nothing which it reads under the first of `readings`; and where
    the calls are from which on it was not read, if they are too many.

    As with toggles, each value is given once, not every combination that workflows have. What the command line of the
    tool gives wins over what a call gives.
    """
    words = _words(script, files) - environment.keys() if calls else set[str]()
    groups: dict[Given, list[Call]] = {}
    for call in calls:
        variables = tuple((name, text.shown) for name, text in call.environment.items() if name in words)
        arguments = tuple(text.shown for text in call.arguments)
        groups.setdefault(Given(variables, arguments, device_of(call.labels)), []).append(call)
    required = {one.name for reading in readings for one in reading.required}
    found: list[Called] = []
    steps = 0
    for given in _each_value_once(groups):
        group = tuple(groups[given])
        if steps >= MOST_STEPS or len(found) == MOST_WAYS:
            said = f"{len(groups)} ways in which workflows start {script.source.path}: {len(found)} of them are checked"
            return tuple(found), (Unchecked(group[0].span, said),)
        reading = readings[0] if given.is_default else _read(script, given, group[0], environment, files, required)
        steps += 0 if given.is_default else reading.steps
        found.append(Called(reading, group))
    return tuple(found), ()


def _each_value_once(ways: Collection[Given]) -> Iterator[Given]:
    """The ways that give nothing, then as many as it takes that each value is given: most new values first."""
    values = {way: frozenset(way.values) for way in ways}
    by_default = [way for way in ways if way.is_default]
    yield from by_default
    left = set[tuple[str, object]]().union(*values.values()).difference(*(values[way] for way in by_default))
    while left:
        best = max(ways, key=lambda way: len(left & values[way]))
        left -= values[best]
        yield best


def _words(script: Script, files: Files) -> set[str]:
    """All words of the script and the files that it reads: the names of variables that it can read are among them."""
    texts = (script.source.text, *(source.text for source in files.sources.values()))
    return {word for text in texts for word in re.findall(r"[A-Za-z_]\w*", text)}


def _read(
    script: Script,
    given: Given,
    call: Call,
    environment: Mapping[str, str],
    files: Files,
    required: Collection[str],
) -> Reading:
    texts = {name: call.environment[name] for name, _ in given.variables}
    known = {name: text.value for name, text in texts.items() if text.value is not None}
    partly = {name: text for name, text in texts.items() if text.value is None}
    return read(
        script,
        scenario=known,
        environment={**partly, **environment},
        arguments=call.arguments,
        files=files,
        required_as_unknown={name for name in required if name not in texts},
    )


# -------------------------------------------------------------------------------------------------------- launches


@frozen
class Way:
    """A launch, and the calls under which the script starts it. `by_itself`: without any of them, too."""

    launch: Launch
    calls: tuple[Call, ...]
    by_itself: bool

    def by_device(self, kind: str | None) -> Iterator[tuple[Device | None, tuple[Call, ...]]]:
        """The calls apart by the device of their runners, without those on another kind of device than the launch is
        for; one group without calls where none is left and the script starts the launch by itself."""
        groups: dict[str | None, tuple[Device | None, list[Call]]] = {}
        for call in self.calls:
            device = device_of(call.labels)
            if device is None or kind in (None, device.kind):
                groups.setdefault(None if device is None else device.name, (device, []))[1].append(call)
        if not groups and self.by_itself:
            yield None, ()
        for device, calls in groups.values():
            yield device, tuple(calls)


def ways(own: Iterable[Launch], called: Iterable[tuple[Called, Iterable[Launch]]]) -> Iterator[Way]:
    """Every launch once, whether the script starts it by itself, under calls, or both: it is the same object then."""
    found: dict[int, tuple[Launch, list[Call], bool]] = {}
    for launch in own:
        found[id(launch)] = launch, [], True
    for one, launches in called:
        for launch in launches:
            found.setdefault(id(launch), (launch, [], False))[1].extend(one.calls)
    for launch, calls, by_itself in found.values():
        yield Way(launch, tuple(calls), by_itself)


def with_call(finding: Finding, call: Call) -> Finding:
    """The finding with the step of a workflow that starts the script so."""
    runner = f" on {call.labels[0]}" if call.labels else ""
    related = Related(call.span, f"job {call.job} starts it so{runner}")
    return replace(finding, related=(*finding.related, related))


def without_runner(subject: Subject) -> Subject | None:
    """The subject as if no device were known, if it has its device from the runner of its calls."""
    if subject.device is None or subject.device != device_of(subject.calls[0].labels):
        return None
    cluster = None if subject.cluster is None else replace(subject.cluster, device=None)
    return replace(subject, device=None, cluster=cluster, computed={})
