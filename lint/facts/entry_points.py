"""Entry points that verl has renamed: what a release calls the program that a script starts."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Literal

from lint.frozen import frozen
from lint.schema.load import version_key


@frozen
class Renamed:
    """`new` is the name from the release `since` on.

    A program that was `merged` into another cannot be told back; one that was `replaced` by another is not the same.
    """

    kind: Literal["moved", "merged", "replaced"]
    old: str
    new: str
    since: str
    note: str | None
    source: str


@cache
def renamed_entry_points() -> tuple[Renamed, ...]:
    """Every renaming, oldest first."""
    document = json.loads(files("lint.facts").joinpath("data", "entry_points.json").read_text("utf-8"))
    found = [
        Renamed(row["kind"], row["old"], row["new"], row["since"], row.get("note"), f"{row['commit']}, #{row['pull']}")
        for row in document["changes"]
    ]
    return tuple(sorted(found, key=lambda one: version_key(one.since)))


@cache
def entry_point_in(release: str, name: str) -> str:
    """What a release calls the program that another release calls `name`."""
    for one in renamed_entry_points():
        if one.old == name and one.kind != "replaced" and version_key(one.since) <= version_key(release):
            name = one.new
    for one in reversed(renamed_entry_points()):
        if one.new == name and one.kind == "moved" and version_key(release) < version_key(one.since):
            name = one.old
    return name


def successor_of(name: str) -> str | None:
    """What to start instead of an entry point that is gone."""
    return next((one.new for one in renamed_entry_points() if one.old == name), None)
