"""What a script checks before it gives up: `[ -z "$MODEL" ]`, `[ $# -lt 2 ]`, and then `exit 1`.

Such a variable or argument is required of the caller as if the script had said `${MODEL:?}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lint.bash.reading import Origin, Text

MOST_ARGUMENTS = 9


@dataclass(slots=True)
class GuardBook:
    """The names that the last test found unset."""

    names: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """A new test begins."""
        self.names.clear()

    def note_empty(self, text: Text) -> None:
        """A text was found to be empty: the variables that nothing sets are why."""
        for piece in text.pieces:
            name = unset_name(piece.origin)
            if name is not None:
                self.names.append(name)

    def note_count(self, text: Text, values: Iterable[str], count: int) -> None:
        """The number of arguments was compared with `values`, and is `count`."""
        if not any(piece.origin.name == "#" for piece in text.pieces):
            return
        wanted = max((int(value) for value in values if value.strip().isdecimal()), default=0)
        for index in range(count + 1, min(max(wanted, count + 1), MOST_ARGUMENTS) + 1):
            self.names.append(str(index))


def arguments_in(names: Iterable[str]) -> int:
    """The highest positional parameter among some names."""
    return max((int(name) for name in names if name.isdecimal()), default=0)


def numbers_in(texts: Sequence[str]) -> list[str]:
    """The whole numbers that stand in some texts."""
    return [number for text in texts for number in re.findall(r"[0-9]{1,3}", text)]


def unset_name(origin: Origin) -> str | None:
    """The variable that nothing sets, and that a text with this origin is empty for."""
    for _ in range(16):
        if origin.kind == "unset":
            return origin.name
        if len(origin.sources) != 1:
            return None
        origin = origin.sources[0]
    return None
