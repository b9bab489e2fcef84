"""Assignments that bash rejects, and whether the shell ends where bash complains of one."""

from __future__ import annotations

from lint.bash.faults import Fatal, Placed
from lint.bash.state.state import State


class AssignmentFault(Placed):
    """An assignment that bash rejects; the text says why."""


class ReadonlyFault(AssignmentFault):
    """An assignment to a readonly variable."""


class BadSubscript(AssignmentFault):
    """An assignment to an element that cannot be."""


def ends_at_complaints(state: State) -> bool:
    """Whether the shell ends where bash complains of an expansion or an assignment (`report_error`)."""
    return "errexit" in state.options and not state.lenient


def check_writable(state: State, name: str) -> None:
    """Raises ReadonlyFault for a readonly variable. Under `set -e` the shell ends there, in conditions too: Fatal."""
    value = state.variables.get(name)
    if value is not None and value.readonly:
        message = f"{name}: readonly variable"
        raise Fatal(message, ends=True) if ends_at_complaints(state) else ReadonlyFault(message)
