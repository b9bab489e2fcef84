"""Entry points of verl: what a release calls the program that a script starts, and how many processes it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, TypeAlias

from lint.frozen import frozen
from lint.packaged import packaged
from lint.schema.load import version_key

Processes: TypeAlias = Literal["one", "one for each device"]


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


@frozen
class Launcher:
    """A program that starts another one in several processes.

    `counts` are the options, without dashes, whose product is how many. `ranks`: whether each process is told its rank.
    """

    counts: Sequence[str]
    ranks: bool


@cache
def _document() -> Mapping[str, Any]:
    text = packaged("facts/data/entry_points.json").read_text("utf-8")
    document: Mapping[str, Any] = json.loads(text)
    return document


def processes_of(name: str) -> Processes | None:
    """How many processes an entry point is; None if that is not known."""
    kinds: Mapping[Processes, Sequence[str]] = _document()["processes"]
    return next((kind for kind, modules in kinds.items() if name in modules), None)


@cache
def launchers_of_processes() -> Mapping[str, Launcher]:
    """The launchers of several processes by each of their names."""
    rows = _document()["launchers"]
    return {name: Launcher(tuple(row["counts"]), row["ranks"]) for row in rows for name in row["names"]}


@cache
def renamed_entry_points() -> tuple[Renamed, ...]:
    """Every renaming, oldest first."""
    found = [
        Renamed(row["kind"], row["old"], row["new"], row["since"], row.get("note"), f"{row['commit']}, #{row['pull']}")
        for row in _document()["changes"]
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
