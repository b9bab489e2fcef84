"""Traps that run between the commands of a script: DEBUG before each, ERR after one that fails, RETURN after a
function or a sourced file. EXIT is the evaluator's own (`Evaluator.finish`); other signals never come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from lint.bash.commands import units
from lint.bash.reading import Text
from lint.bash.state.state import Flow, State
from lint.bash.syntax import Pipeline
from lint.bash.unknown import ExitStatus
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator

_OPTION = {"DEBUG": "functrace", "RETURN": "functrace", "ERR": "errtrace"}  # with it a trap holds in functions, too


def run_trap(evaluator: Evaluator, state: State, name: str, tested: bool = False) -> list[State]:
    """Run a trap if it is set and does not run already; what it was between stays as it was."""
    if state.flow is not None or not _waits(state, name):
        return [state]
    status, pipe_status, offset, trapped = state.status, state.pipe_status, state.offset, state.trapped
    state.trapped = trapped | {name}
    place = state.unit.span(offset, offset)
    line = state.unit.line(offset)
    text = state.traps[name]
    ends = units.evaluate_text(evaluator, state, text, Span(place.path, place.start, place.start), tested, line=line)
    for end in ends:
        end.trapped = trapped
        if end.flow is None:
            end.status, end.pipe_status, end.offset = status, pipe_status, offset
    return ends


def _waits(state: State, name: str) -> bool:
    """Whether a trap is set, to something, and does not run already."""
    return name in state.traps and bool(state.traps[name].pieces) and name not in state.trapped


def before_command(evaluator: Evaluator, state: State, offset: int) -> list[State]:
    """The DEBUG trap, at a command that starts at `offset`."""
    if "DEBUG" not in state.traps:
        return [state]
    state.offset = offset
    return run_trap(evaluator, state, "DEBUG")


def traced(evaluator: Evaluator, state: State, offset: int, run: Callable[[State], list[State]]) -> list[State]:
    """Run a command that starts at `offset` after the DEBUG trap, on the ways that this does not leave."""
    if "DEBUG" not in state.traps:
        return run(state)
    ends = before_command(evaluator, state, offset)
    return [after for end in ends for after in ([end] if end.flow is not None else run(end))]


def after_failure(evaluator: Evaluator, state: State, node: Pipeline) -> list[State]:
    """The ERR trap of a command that fails, on the ways where it does; one that was not run is assumed to succeed."""
    if state.flow is not None or not _waits(state, "ERR"):
        return [state]
    if isinstance(state.status, ExitStatus) and state.status.assumed:
        return [state]
    ends: list[State] = []
    for way in evaluator.decide(state, node):
        failed = way.status
        ends += run_trap(evaluator, way, "ERR", tested=True) if failed else [way]
        for end in ends if "errexit" in way.options else ():
            if end.flow is not None and end.flow.kind in ("break", "continue"):  # which do not save the shell
                end.status, end.flow = failed, Flow("exit")
    return ends


def hide(state: State, traced: bool) -> Mapping[str, Text]:
    """Take away the traps that a function does not inherit."""
    if not state.traps:
        return {}
    kept = state.options | {"functrace"} if traced else state.options
    hidden = {n: text for n, text in state.traps.items() if n in _OPTION and _OPTION[n] not in kept}
    if hidden:
        state.traps = {name: text for name, text in state.traps.items() if name not in hidden}
    return hidden


def show_again(state: State, hidden: Mapping[str, Text]) -> None:
    """At the end of a function: the traps that were hidden, except those that it set anew."""
    if hidden:
        state.traps = {**hidden, **state.traps}


def at_return(evaluator: Evaluator, state: State) -> list[State]:
    """The RETURN trap, at the end of a function or a sourced file."""
    if "RETURN" not in state.traps or (state.flow is not None and state.flow.kind != "return"):
        return [state]
    flow, state.flow = state.flow, None
    status = state.status
    if flow is not None and flow.before is not None:
        state.status = flow.before
    ends = run_trap(evaluator, state, "RETURN")
    for end in ends:
        if end.flow is None:
            end.flow, end.status = flow, status
    return ends
