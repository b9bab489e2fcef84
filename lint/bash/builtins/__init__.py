"""The shell's builtins: each takes a `Call` and yields an exit status, or the states after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from lint.bash.builtins import (
    arguments,
    asking,
    completing,
    declaring,
    folders,
    input,
    jobs,
    naming,
    options,
    output,
    renaming,
    running,
    trapping,
    unsetting,
)
from lint.bash.commands.simple import Call
from lint.bash.state.state import State, Status

Builtin: TypeAlias = "Callable[[Call], Status | list[State]]"

BUILTINS: Mapping[str, Builtin] = {
    **arguments.BUILTINS,
    **asking.BUILTINS,
    **completing.BUILTINS,
    **declaring.BUILTINS,
    **unsetting.BUILTINS,
    **folders.BUILTINS,
    **input.BUILTINS,
    **jobs.BUILTINS,
    **naming.BUILTINS,
    **options.BUILTINS,
    **output.BUILTINS,
    **renaming.BUILTINS,
    **running.BUILTINS,
    **trapping.BUILTINS,
}
