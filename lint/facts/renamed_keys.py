"""Config keys that a release of verl renamed, removed, or takes without reading: a table of changes.

A key of the table is exact, or ends with `.*` (everything below a node), or starts with `*.` (at any place).
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from lint.frozen import frozen
from lint.packaged import packaged
from lint.schema.load import version_key

Kind = Literal["renamed", "removed", "ignored"]


@frozen
class KeyChange:
    """What became of a key. `since` is the first release (of those that come with the tool) that has the change.

    `new` is the key to write instead, None if there is none. `entry_points` bounds an ignored key to the modules that
    do not read it; empty: all.
    """

    kind: Kind
    old: str
    since: str
    new: str | None
    note: str | None
    entry_points: tuple[str, ...]
    source: str  # commit and pull request, or what was compared

    def translate(self, key: str) -> str | None:
        """The new name of `key`, which must match `old`."""
        if self.new is None or not self.new.endswith(".*"):
            return self.new
        return self.new[:-1] + key[len(self.old) - 1 :]

    def matches(self, key: str) -> bool:
        """True if the change is about `key`."""
        if self.old.startswith("*."):
            return key.endswith(self.old[1:])
        if self.old.endswith(".*"):
            return key == self.old[:-2] or key.startswith(self.old[:-1])
        return key == self.old

    @property
    def backwards(self) -> KeyChange | None:
        """A renaming, undone; what was removed or only stopped being read keeps its name."""
        if self.kind != "renamed" or self.new is None or self.old.startswith("*."):
            return None
        return replace(self, old=self.new, new=self.old)


@lru_cache(maxsize=1)
def key_changes() -> tuple[KeyChange, ...]:
    """Every change, oldest first."""
    document = json.loads(packaged("facts/data/renamed_keys.json").read_text("utf-8"))
    changes = [
        KeyChange(
            kind=row["kind"],
            old=row["old"],
            since=row["since"],
            new=row.get("new"),
            note=row.get("note"),
            entry_points=tuple(row.get("entry_points", ())),
            source=row.get("source") or f"verl {row['commit']}, #{row['pull']}",
        )
        for row in document["changes"]
    ]
    return tuple(sorted(changes, key=lambda change: version_key(change.since)))


@lru_cache(maxsize=32_768)  # scripts of one tree set the same keys over and over
def change_of(key: str, release: str, kinds: tuple[Kind, ...], entry_point: str | None = None) -> KeyChange | None:
    """The newest change of one of these kinds that a release has for a key, None if there is none."""
    return next((change for change in _changes(release, kinds, entry_point) if change.matches(key)), None)


@lru_cache(maxsize=256)
def _changes(release: str, kinds: tuple[Kind, ...], entry_point: str | None) -> tuple[KeyChange, ...]:
    """The changes of these kinds that a release has for a program, newest first."""
    return tuple(
        change
        for change in reversed(key_changes())
        if change.kind in kinds
        and version_key(change.since) <= version_key(release)
        and (not change.entry_points or entry_point in change.entry_points)
    )


def present_name(key: str, release: str) -> str | None:
    """The name of an old key in a release, through every renaming up to it; None if it was removed on the way."""
    for change in key_changes():
        if change.kind != "ignored" and version_key(change.since) <= version_key(release) and change.matches(key):
            new = change.translate(key)
            if new is None:
                return None
            key = new
    return key


def former_name(key: str, release: str) -> str:
    """The name that a key had in a release, before every renaming since; the same if it had no other."""
    for change in reversed(key_changes()):
        undone = change.backwards if version_key(change.since) > version_key(release) else None
        if undone is not None and undone.matches(key):
            key = undone.translate(key) or key
    return key
