"""What torchrun is told: how many processes it starts, on how many nodes."""

from __future__ import annotations

from lint.bash.numbers import whole
from lint.launch.config import LARGEST
from lint.subject.subject import Subject


def started(subject: Subject) -> tuple[int, int] | None:
    """Nodes and processes per node that torchrun is told; None if either is not known, or torchrun is not used."""
    nodes, processes = option(subject, "nnodes", 1), option(subject, "nproc_per_node", None)
    return None if nodes is None or processes is None else (nodes, processes)


def option(subject: Subject, name: str, default: int | None) -> int | None:
    """The whole number that an option of torchrun has, in either spelling; None if unknown (`gpu`, `1:4`)."""
    for spelling in (f"--{name}", f"--{name.replace('_', '-')}"):
        text = subject.launch.launcher_options.get(spelling)
        if text is not None:
            number = whole(text.value) if text.value is not None and text.value.isdecimal() else None
            return None if number is None or number > LARGEST else number
    return default
