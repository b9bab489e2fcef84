"""The paths through a script: where a condition is unknown a path forks; paths that go on alike are joined again.

The first path is the one that a machine takes on which no tested file exists, no tested program is found, no variable
is set that a login does not set, and every command that is started succeeds. Commands of every other path carry the
conditions that lead to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lint.bash.reading import Origin, Text, Unknown
from lint.bash.state import written
from lint.bash.state.log import either, merge
from lint.bash.state.state import (
    Rope,
    State,
    Status,
    different_names,
    rope_pieces,
    same_text,
    unknown_value,
)
from lint.bash.unknown import ExitStatus
from lint.text import Span


def decide(state: State, label: str) -> list[State]:
    """The state with its exit status known (0 or not): two states, the likely one first, if it was unknown."""
    if isinstance(state.status, int):
        return [state]
    likely = isinstance(state.status, ExitStatus) and state.status.likely == 0
    other = state.copy()
    state.status, other.status = (0, 1) if likely else (1, 0)
    other.conditions = {**other.conditions, label: "false" if likely else "true"}
    return [state, other]


def join(states: Sequence[State]) -> list[State]:
    """The states, those that go on alike put together."""
    joined: list[State] = []
    for state in states:
        for earlier in joined:
            if earlier.same(state):
                _absorb(earlier, state)
                break
        else:
            joined.append(state)
    return joined


def _absorb(kept: State, other: State) -> None:
    kept.log = merge(kept.log, other.log)
    kept.status = either_status(kept.status, other.status)
    kept.files = written.merged(kept, other)
    kept.conditions = either(kept.conditions, other.conditions)
    kept.guards = either(kept.guards, other.guards)


def common(first: Mapping[str, str], second: Mapping[str, str]) -> Mapping[str, str]:
    """The conditions that hold on both paths."""
    if first is second:
        return first
    return {name: value for name, value in first.items() if second.get(name) == value}


def either_status(first: Status, second: Status) -> Status:
    """The exit status when it is one of two."""
    if isinstance(first, int) and isinstance(second, int):
        if first == second:
            return first
        origin = Origin(Span("", 0, 0), "expansion", "?")
        return ExitStatus("exit status that depends on the way taken", origin, likely=first)
    if isinstance(first, ExitStatus) and isinstance(second, ExitStatus):
        return replace(first, assumed=first.assumed and second.assumed)
    if isinstance(first, ExitStatus):
        return replace(first, assumed=first.assumed and second == 0)
    if isinstance(second, ExitStatus):
        likely = first if isinstance(first, int) else second.likely
        return replace(second, likely=likely, assumed=second.assumed and first == 0)
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


def _widened(states: Sequence[State], reason: str, span: Span) -> State:
    first = states[0]
    unknown = Text((Unknown(reason, Origin(span, "expansion"), splits=True),))
    for state in states[1:]:
        for name in different_names(first, state):
            value = first.variables.get(name) or state.variables[name]
            first.variables[name] = unknown_value(value, reason, span)
        if first.directory != state.directory:
            first.directory = None
        if len(first.positional) != len(state.positional) or not all(
            map(same_text, first.positional, state.positional)
        ):
            first.positional = (unknown,)
        first.functions = {**state.functions, **first.functions}
        first.options &= state.options
        for stream, rope in first.outputs.items():
            first.outputs[stream] = either_output(rope, state.outputs.get(stream), unknown)
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
            state.variables[name] = unknown_value(value, reason, span)
    if state.positional is not before.positional:
        state.positional = (Text((replace(unknown, splits=True),)),)
    if state.directory != before.directory:
        state.directory = None
    for stream, rope in state.outputs.items():
        if rope is not before.outputs.get(stream):
            state.outputs[stream] = (rope, unknown)
    for stream, text in state.inputs.items():
        if text is not before.inputs.get(stream):
            state.inputs[stream] = None
    return state


def either_output(first: Rope, second: Rope, unknown: Text) -> Rope:
    """What was written when it is one of two."""
    if first is second or same_text(Text(rope_pieces(first)), Text(rope_pieces(second))):
        return first
    return (None, unknown.pieces[0])
