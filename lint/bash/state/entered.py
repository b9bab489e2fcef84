"""What is called within a script: functions, and files that are sourced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lint.bash.state.state import Unit

SOURCE = "source"


@dataclass(frozen=True, slots=True, eq=False)
class Entered:
    """A function or a sourced file that runs: what FUNCNAME, BASH_SOURCE and BASH_LINENO say of it."""

    name: str  # of the function, or SOURCE
    file: Unit  # that it stands in
    caller: Unit
    line: int | None  # of the call; None: what LINENO is there is not known
