"""Which data files the tool carries, and when what they say was read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lint.frozen import frozen
from lint.regular import regular

ROOM = Path(__file__).parents[1]
DATE = regular(r'^\s*"?date"?\s*[:=]\s*"(\d{4}-\d{2}-\d{2})"', re.MULTILINE)


@frozen
class DataFile:
    """A file of facts; `path` is relative to the package, `date` is the day on which its sources were read.

    For the schema of a release it is the day of the release.
    """

    path: str
    date: str


def data_files() -> Iterator[DataFile]:
    """Every file of facts, by path. JSON schemas of our own outputs state no facts and are left out."""
    for file in sorted((*ROOM.rglob("*.json"), *ROOM.rglob("*.toml"))):
        if file.name.endswith(".schema.json"):
            continue
        yield DataFile(file.relative_to(ROOM).as_posix(), _date(file))


def _date(file: Path) -> str:
    """The date that a file states at its head. Raises ValueError if there is none."""
    found = DATE.search(file.read_text(encoding="utf-8")[:4096])
    if found is None:
        raise ValueError(f"{file}: no date at its head")
    return found[1]
