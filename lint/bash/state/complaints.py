"""Assignments that bash rejects, and whether the shell ends where bash complains of one."""

from __future__ import annotations

from lint.bash.faults import Placed, Rejected
from lint.bash.state.state import State


class AssignmentFault(Placed):
    """An assignment that bash rejects; the text says why."""


class ReadonlyFault(AssignmentFault):
    """An assignment to a readonly variable."""

    reported = keeps_status = True


class BadSubscript(AssignmentFault):
    """An assignment to an element that cannot be."""

    reported = keeps_status = True


def ends_at_complaints(state: State) -> bool:
    """Whether the shell ends where bash complains of an expansion or an assignment (`report_error`)."""
    return "errexit" in state.options and not state.lenient


OWN = frozenset(("BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID"))
"""The variables that bash sets and makes readonly when it begins."""


def is_readonly(state: State, name: str) -> bool:
    """Whether nobody can set a variable any more."""
    value = state.variables.get(name)
    return name in OWN if value is None else value.readonly


def check_writable(state: State, name: str) -> None:
    """Raises ReadonlyFault for a readonly variable; Rejected under `set -e`: the shell ends, in conditions too."""
    if is_readonly(state, name):
        message = f"{name}: readonly variable"
        raise Rejected(message) if ends_at_complaints(state) else ReadonlyFault(message)


def bad_subscript(state: State, message: str) -> AssignmentFault | Rejected:
    """The fault of an element that cannot be: as of a readonly variable, the shell may end in a condition, too."""
    return Rejected(message) if ends_at_complaints(state) else BadSubscript(message)
