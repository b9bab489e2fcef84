"""The assignments before a command: what they make of the variables while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lint.bash.commands.assigning import assign_node
from lint.bash.reading import Text
from lint.bash.state.complaints import check_writable, ends_at_complaints, is_readonly
from lint.bash.state.state import State, Value
from lint.bash.syntax import SimpleCommand

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator


def overlay_of(evaluator: Evaluator, state: State, node: SimpleCommand) -> dict[str, Text]:
    """The assignments before a command: each sees the ones before it."""
    overlay: dict[str, Text] = {}
    kept: dict[str, Value | None] = {}
    try:
        for assignment in node.assignments:
            name = assignment.name
            before = kept.get(name)
            if before.readonly if before is not None else is_readonly(state, name):
                if ends_at_complaints(state):
                    check_writable(state, name)
                continue
            assign_node(evaluator, state, assignment, kept)
            state.joins = state.joins and assignment.value.start == assignment.value.end  # all but nothing is expanded
            text = state.variables[name].scalar() if name in state.variables else None
            overlay[name] = text if text is not None else Text(())
    finally:
        for name, value in kept.items():
            if value is None:
                state.variables.pop(name, None)
            else:
                state.variables[name] = value
    return overlay


def with_overlay(state: State, overlay: dict[str, Text], run: Callable[[], list[State]]) -> list[State]:
    """Run a function, builtin or shell with assignments that last as long as it does."""
    if not overlay:
        return run()
    kept = {name: state.variables.get(name) for name in overlay}
    for name, text in overlay.items():
        state.variables[name] = Value(text, exported=True)
    states: list[State] = []
    try:
        states = run()
    finally:  # an error ends them, too
        for end in states or [state]:
            for name, value in kept.items():
                if value is None:
                    end.variables.pop(name, None)
                else:
                    end.variables[name] = value
    return states
