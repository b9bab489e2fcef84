"""What a nameref may stand for: a variable, or an element of one."""

from __future__ import annotations

import re

from lint.bash.reading import Text
from lint.bash.state.complaints import AssignmentFault, ReadonlyFault
from lint.bash.state.state import State, Value
from lint.regular import regular

TARGET = regular(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.+)\])?", re.ASCII | re.DOTALL)


def refer(state: State, name: str, value: Value, target: Text) -> None:
    """Let a nameref stand for something else, as `for` does. Raises AssignmentFault."""
    if value.readonly:
        raise ReadonlyFault(f"{name}: readonly variable")
    if target.value is not None and not TARGET.fullmatch(target.value):
        raise AssignmentFault(f"{target.value}: not a valid identifier")
    state.variables[name] = value._replace(content=target)
