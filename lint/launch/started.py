"""The Python program that a command starts, through any number of launchers (`lint.bash.programs.launchers`)."""

from __future__ import annotations

from collections.abc import Sequence

from lint.bash.programs.launchers import Step, steps
from lint.frozen import frozen


@frozen
class Started:
    """The Python program that a command starts: `index` is the word of argv that names it, from `offset` on."""

    index: int
    offset: int
    is_module: bool
    steps: tuple[Step, ...]  # outermost first

    @property
    def launchers(self) -> tuple[str, ...]:
        """The names of the launchers, outermost first."""
        return tuple(step.name for step in self.steps)


def started_program(words: Sequence[str | None]) -> Started | None:
    """The Python program that a command starts; None if it starts none. What a launcher gives to a shell as text is a
    command of its own, and not found here."""
    way = steps(words)
    if not way or way[-1].what not in ("module", "file") or words[way[-1].after] is None:
        return None
    return Started(way[-1].after, way[-1].offset, way[-1].what == "module", way)
