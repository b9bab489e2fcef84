"""Variables and elements that a builtin sets, given by name: `read 'map[$key]'`, `printf -v`."""

from __future__ import annotations

import re

from lint.bash.commands.simple import Call
from lint.bash.reading import Text
from lint.bash.state.complaints import AssignmentFault
from lint.bash.state.variables import assign

_TARGET = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.+)\])?", re.ASCII | re.DOTALL)


class NoName(AssignmentFault):
    """A text that names no variable."""


def assign_named(call: Call, target: str, text: Text) -> None:
    """Assign to `name` or `name[subscript]`: the subscript is expanded once more. Raises AssignmentFault."""
    found = _TARGET.fullmatch(target)
    if found is None:
        raise NoName(f"{target}: not a valid identifier")
    name, subscript = found.groups()
    key = None if subscript is None else call.evaluator.expander.subscript(call.state, name, subscript, call.span)
    assign(call.state, name, key, text, call.span)
