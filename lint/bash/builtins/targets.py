"""Variables and elements that a builtin is given by name: `read 'map[$key]'`, `printf -v`, `declare -n`."""

from __future__ import annotations

from lint.bash.commands.simple import Call
from lint.bash.reading import Text
from lint.bash.state.complaints import AssignmentFault
from lint.bash.state.references import TARGET
from lint.bash.state.variables import assign
from lint.regular import regular
from lint.text import Span

_COMPUTED = regular(r"[`]|\$[^A-Za-z_{]|\$\{(?!\w+\})")  # by more than a variable


class NoName(AssignmentFault):
    """A text that names no variable."""


def is_target(target: str) -> bool:
    """Whether a text names a variable or an element of one."""
    return TARGET.fullmatch(target) is not None


def assign_named(call: Call, target: str, text: Text) -> None:
    """Assign to `name` or `name[subscript]`: the subscript is expanded once more. Raises AssignmentFault."""
    found = TARGET.fullmatch(target)
    if found is None:
        raise NoName(f"{target}: not a valid identifier")
    name, subscript = found.groups()
    key = None if subscript is None else call.evaluator.expander.subscript(call.state, name, subscript, call.span)
    assign(call.state, name, key, text, call.span)


def check_reference(call: Call, name: str, target: str, span: Span) -> None:
    """Raise AssignmentFault where a nameref can not stand for a target, and say so where it is not followed."""
    if target and not TARGET.fullmatch(target):
        raise AssignmentFault(f"{target}: invalid variable name for name reference")
    if _COMPUTED.search(target):
        call.evaluator.budget.report(span, f"{name} names an element by an expansion, which is not followed")
