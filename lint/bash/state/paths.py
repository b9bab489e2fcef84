"""The paths through a script: where a condition is unknown a path forks; paths that go on alike are joined again.

The first path is the one that a machine takes on which no tested file exists, no tested program is found, no variable
is set that a login does not set, and every command that is started succeeds. Commands of every other path carry the
conditions that lead to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lint.bash.budget import ALTERNATIVES
from lint.bash.reading import Origin, Text, Unknown
from lint.bash.state import written
from lint.bash.state.log import common, either, merge
from lint.bash.state.ropes import Rope, same_rope, written_after
from lint.bash.state.state import State, Status, Value, same_text
from lint.bash.state.unknown_values import unknown_like
from lint.bash.unknown import ExitStatus
from lint.text import Span


def decide(state: State, label: str) -> list[State]:
    """The state with its exit status known (0 or not): two states, the likely one first, if it was unknown."""
    if isinstance(state.status, int) or fails(state.status):
        return [state]
    likely = isinstance(state.status, ExitStatus) and state.status.likely == 0
    other = state.copy()
    state.status, other.status = (0, 1) if likely else (1, 0)
    other.conditions = {**other.conditions, label: "false" if likely else "true"}
    return [state, other]


TELLING = 8  # variables by which states are told apart before they are compared whole
FEW = 4  # states that are compared whole without ado
MANY = 64  # elements of an array, of more than which only the number is looked at


def join(states: Sequence[State]) -> list[State]:
    """The states, those that go on alike put together; of many, all but the first do not differ by what they wrote."""
    joined = _put_together(states, State.same)
    if len(joined) > ALTERNATIVES:
        joined = [joined[0], *_put_together(joined[1:], State.same_but_written)]
    return joined


def _put_together(states: Sequence[State], alike: Callable[[State, State], bool]) -> list[State]:
    """Where many ways are open, nearly all pairs differ, and in the same few variables: states are kept apart by these,
    so that the cost does not grow with the square of their number."""
    joined: list[State] = []
    telling: list[str] = []
    groups: dict[object, list[State]] = {(): joined}
    for state in states:
        group = groups.setdefault(_told_by(state, telling), [])
        while (earlier := next((one for one in group if alike(one, state)), None)) is None:
            name = _differing(group[-1], state) if len(group) >= FEW and len(telling) < TELLING else None
            if name is None:
                break
            telling.append(name)
            groups = {}
            for one in joined:
                groups.setdefault(_told_by(one, telling), []).append(one)
            group = groups.setdefault(_told_by(state, telling), [])
        if earlier is not None:
            _absorb(earlier, state)
            continue
        joined.append(state)
        if group is not joined:
            group.append(state)
    return joined


def _told_by(state: State, names: Sequence[str]) -> object:
    """What some variables of a state are: different for states that differ in them."""
    return tuple([_sign(state.variables.get(name)) for name in names])


def _sign(value: Value | None) -> object:
    """What is equal for variables that are the same to bash, and differs for nearly all others; None for no content."""
    if value is None or value.content is None:
        return None
    if isinstance(value.content, Text):
        return value.content.shown, value[1:-1]
    elements: Mapping[object, Text] = value.content  # type: ignore[assignment]
    if len(elements) > MANY:
        return len(elements), value[1:-1]
    return frozenset([(key, text.shown) for key, text in elements.items()]), value[1:-1]


def _differing(first: State, second: State) -> str | None:
    """A variable in which two states differ, by what it holds; the newest are looked at first."""
    mine, theirs = first.variables, second.variables
    for name in reversed(mine):
        if mine[name] is not theirs.get(name) and _sign(mine[name]) != _sign(theirs.get(name)):
            return name
    return next((name for name in theirs if name not in mine and _sign(theirs[name]) is not None), None)


_EITHER = Unknown("output that depends on the way taken", Origin(Span("", 0, 0), "substitution"))


def _absorb(kept: State, other: State) -> None:
    kept.log = merge(kept.log, other.log)
    for stream, rope in kept.outputs.items():
        kept.outputs[stream] = either_output(rope, other.outputs.get(stream))
    kept.status = either_status(kept.status, other.status)
    kept.files = written.merged(kept, other)
    kept.conditions = either(kept.conditions, other.conditions)
    kept.guards = either(kept.guards, other.guards)
    kept.decided = common(kept.decided, other.decided)
    if other.outside.ran and not kept.outside.ran:
        kept.outside = replace(kept.outside, ran=other.outside.ran)


def share_log(states: Sequence[State]) -> None:
    """Give ways that stay apart one log with the commands of all, which are put together in the end anyway: merging is
    for what each adds, then."""
    log = states[0].log
    for state in states[1:]:
        log = merge(log, state.log)
    for state in states:
        state.log = log


def fails(status: Status) -> bool:
    """Whether a status is certainly not 0."""
    return status != 0 if isinstance(status, int) else isinstance(status, ExitStatus) and status.fails


def either_status(first: Status, second: Status) -> Status:
    """The exit status when it is one of two."""
    if isinstance(first, int) and isinstance(second, int):
        if first == second:
            return first
        origin = Origin(Span("", 0, 0), "expansion", "?")
        reason = "exit status that depends on the way taken"
        return ExitStatus(reason, origin, likely=first, fails=fails(first) and fails(second))
    both_fail = fails(first) and fails(second)
    if isinstance(first, ExitStatus) and isinstance(second, ExitStatus):
        return replace(first, assumed=first.assumed and second.assumed, fails=both_fail)
    if isinstance(first, ExitStatus):
        return replace(first, assumed=first.assumed and second == 0, fails=both_fail)
    if isinstance(second, ExitStatus):
        likely = first if isinstance(first, int) else second.likely
        return replace(second, likely=likely, assumed=second.assumed and first == 0, fails=both_fail)
    return first


def widen(states: Sequence[State], reason: str, span: Span) -> list[State]:
    """The first path as it is, and all others as one, in which whatever differs between them is unknown."""
    kept: list[State] = []
    groups: list[list[State]] = []
    for index, state in enumerate(states):
        if index == 0:
            kept.append(state)
            continue
        for group in groups:
            if group[0].flow == state.flow and len(group[0].frames) == len(state.frames):
                group.append(state)
                break
        else:
            groups.append([state])
    return kept + [_widened(group, reason, span) for group in groups]


def different_names(first: State, second: State) -> set[str]:
    """The variables that stand for different things in two states."""
    mine, theirs = first.variables, second.variables
    names = mine.keys() ^ theirs.keys()
    return names | {name for name, value in mine.items() if name in theirs and not value.same(theirs[name])}


def _widened(states: Sequence[State], reason: str, span: Span) -> State:
    first = states[0]
    unknown = Text((Unknown(reason, Origin(span, "expansion"), splits=True),))
    for state in states[1:]:
        for name in different_names(first, state):
            values = (first.variables.get(name), state.variables.get(name))
            first.variables[name] = unknown_like(values, reason, span)
        if first.directory != state.directory:
            first.directory = None
        if len(first.positional) != len(state.positional) or not all(
            map(same_text, first.positional, state.positional)
        ):
            first.positional = (unknown,)
        first.functions = {**state.functions, **first.functions}
        first.options &= state.options
        for stream in first.inputs:
            if first.inputs[stream] != state.inputs.get(stream):
                first.inputs[stream] = None
        _absorb(first, state)
    return first


def blur(state: State, before: State, reason: str, span: Span) -> State:
    """A state that was cut off on its way from `before`: whatever changed since then is not known."""
    unknown = Unknown(reason, Origin(span, "expansion"))
    for name, value in state.variables.items():
        if value is not before.variables.get(name):
            state.variables[name] = unknown_like((value, before.variables.get(name)), reason, span)
    if state.positional is not before.positional:
        state.positional = (Text((replace(unknown, splits=True),)),)
    if state.directory != before.directory:
        state.directory = None
    for stream, rope in state.outputs.items():
        if rope is not before.outputs.get(stream):
            state.outputs[stream] = written_after(rope, unknown)
    for stream, text in state.inputs.items():
        if text is not before.inputs.get(stream):
            state.inputs[stream] = None
    return state


def either_output(first: Rope, second: Rope) -> Rope:
    """What was written when it is one of two."""
    return first if same_rope(first, second) else written_after(None, _EITHER)
