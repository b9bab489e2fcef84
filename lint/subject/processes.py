"""How many processes a launch is: what torchrun and its like are told."""

from __future__ import annotations

from math import prod

from lint.bash.numbers import whole
from lint.facts.entry_points import Launcher, launchers_of_processes
from lint.frozen import frozen
from lint.launch.config import LARGEST
from lint.subject.subject import Subject


@frozen
class Started:
    """Processes that a launcher starts: its name, and the numbers that it is told, whose product is how many."""

    launcher: str
    counts: tuple[int, ...]

    @property
    def processes(self) -> int:
        return prod(self.counts)


def launcher(subject: Subject) -> tuple[str, Launcher] | None:
    """The launcher of several processes that starts the program, with its name; None if there is none."""
    names = [name for name in subject.launch.launcher.split() if name in launchers_of_processes()]
    return (names[-1], launchers_of_processes()[names[-1]]) if names else None


def several(subject: Subject) -> Started | None:
    """What a launcher starts, if it certainly starts more than one process."""
    found = launcher(subject)
    if found is None:
        return None
    name, how = found
    counts = tuple(option(subject, count, 1) for count in how.counts)
    known = tuple(count for count in counts if count is not None)
    return Started(name, known) if len(known) == len(counts) and prod(known) > 1 else None


def started(subject: Subject) -> tuple[int, int] | None:
    """Nodes and processes per node that torchrun is told; None if either is not known, or torchrun is not used."""
    nodes, processes = option(subject, "nnodes", 1), option(subject, "nproc_per_node", None)
    return None if nodes is None or processes is None else (nodes, processes)


def option(subject: Subject, name: str, default: int | None) -> int | None:
    """The whole number that an option of a launcher has, in any spelling; None if unknown (`gpu`, `1:4`)."""
    for spelling in (f"--{name}", f"--{name.replace('_', '-')}", f"-{name}"):
        text = subject.launch.launcher_options.get(spelling)
        if text is not None:
            number = whole(text.value) if text.value is not None and text.value.isdecimal() else None
            return None if number is None or number > LARGEST else number
    return default
