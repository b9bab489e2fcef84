"""Where the copies of recipes are, and which differences are meant: `[tool.recipe-lint.copies]`.

[tool.recipe-lint.copies]
root = "examples"                        # the folder of the recipes; paths below are relative to it
recipes = ["ascend_extras/**/run_*.sh"]  # which of its files are recipes

[[tool.recipe-lint.copies.places]]
branches = ["release/v*"]                # on each of these branches; the release is the version in its name (of v0.9
                                         # or v0.9.x: the newest 0.9 that is known)
root = "examples"                        # where the recipes are there, if not in the same folder

[[tool.recipe-lint.copies.places]]
folder = "examples/release/0.8.0"        # or in a folder
release = "0.8.0"                        # said where the name does not tell

[[tool.recipe-lint.copies.declared]]
key = "actor_rollout_ref.actor.megatron.grad_offload"
releases = ["0.8.0", "0.9.0"]            # in these copies; everywhere if left out
recipes = ["**/*_megatron.sh"]           # of these recipes; of all if left out
reason = "part of param_offload since 0.9.1"

Without any place, the branches `release/v*` of releases that are known are taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from lint.copies.sides import VERSION, release_in
from lint.files.discovery import shown_path
from lint.files.globs import matches
from lint.frozen import frozen
from lint.schema.load import shipped
from lint.settings import BadSettings, Settings, suggestion

TABLE = "tool.recipe-lint.copies"
MISSING = "missing"
"""Declared as a key: the copy is meant to be missing."""


@frozen
class Place:
    """Where copies are: on branches whose names match, or in a folder. `root` is the folder of the recipes there.

    `release` None: the version in the name of the branch or folder.
    """

    branches: tuple[str, ...]
    folder: str | None
    root: str
    release: str | None


@frozen
class Declared:
    """A difference that is meant. `releases` and `recipes` bound it; empty: all. `key` may be a pattern.

    `line` is where it stands in the settings file, 1 if that cannot be told.
    """

    key: str
    reason: str
    releases: tuple[str, ...]
    recipes: tuple[str, ...]
    line: int = 1

    def covers(self, key: str, recipe: str, release: str | None) -> bool:
        """Whether a difference in this key of a recipe (relative to the root) is the one that is meant."""
        in_release = not self.releases or release in self.releases
        return in_release and (not self.recipes or matches(self.recipes, recipe)) and fnmatchcase(key, self.key)


@frozen
class Copies:
    """All of the table. `base` is the folder of the settings file; `root` is relative to it."""

    base: Path
    file: Path | None
    root: str
    recipes: tuple[str, ...]
    places: tuple[Place, ...]
    declared: tuple[Declared, ...]

    def reason(self, key: str, recipe: str, release: str | None) -> str | None:
        """Why a difference in a key is meant, if it is; `MISSING` stands for a copy that is not there."""
        return next((each.reason for each in self.declared if each.covers(key, recipe, release)), None)

    def is_recipe(self, path: str) -> bool:
        """Whether a path (relative to the root) is a recipe and not a copy in one of the folders."""
        whole = f"{self.root}/{path}" if self.root != "." else path
        copied = any(place.folder and f"{whole}/".startswith(f"{place.folder}/") for place in self.places)
        return not copied and self.names(path)

    def names(self, path: str) -> bool:
        """Whether the patterns name a path that is relative to the root, or to the folder of copies."""
        return matches(self.recipes, path)


def read(settings: Settings) -> Copies:
    """The table of a settings file; without one, nothing is copied. Raises `BadSettings`."""
    file = settings.file
    table = _Table(file, table_in(file), settings.copies, None)
    table.only("root", "recipes", "places", "declared")
    root = _folder(table.text("root", "."))
    places = tuple(_place(each, root) for each in table.tables("places"))
    return Copies(
        base=settings.folder,
        file=file,
        root=root,
        recipes=table.texts("recipes", ("**/*.sh",)),
        places=places,
        declared=tuple(_declared(each) for each in table.tables("declared")),
    )


def table_in(file: Path | None) -> str:
    """What the table is called in a settings file."""
    return TABLE if file is not None and file.name == "pyproject.toml" else TABLE.removeprefix("tool.recipe-lint.")


def _place(table: _Table, root: str) -> Place:
    table.only("branches", "folder", "root", "release")
    branches, folder = table.texts("branches", ()), table.text("folder", "")
    if bool(branches) == bool(folder):
        raise table.wrong("name either `branches` or a `folder`")
    release = table.text("release", "")
    if release and release not in shipped():
        raise table.wrong(f"release {release!r} is not known{suggestion(release, shipped())}")
    if folder and not release and release_in(folder) is None:
        raise table.wrong(f"the name of folder {folder!r} tells no release; say it with `release`")
    if folder and folder.startswith(("/", "../")):
        raise table.wrong(f"folder {folder!r} must lie below the folder of the settings file")
    return Place(branches, _folder(folder) if folder else None, _folder(table.text("root", root)), release or None)


def release_of(place: Place, branch: str) -> str | None:
    """The release of the copies on a branch: as the place says, else as the name of the branch tells; None where that
    tells no version. Raises `BadSettings` for a version that is not known."""
    if place.release is not None or not VERSION.search(branch):
        return place.release
    release = release_in(branch)
    if release is None:
        known = ", ".join(shipped())
        raise BadSettings(
            f"{TABLE}.places: branch {branch!r} is for no release that is known ({known}): give it a place of its own, "
            f'with branches = ["{branch}"] and the `release` that is nearest'
        )
    return release


def _declared(table: _Table) -> Declared:
    table.only("key", "reason", "releases", "recipes")
    key, reason = table.text("key", ""), table.text("reason", "").strip()
    if not key:
        raise table.wrong("a declared difference needs a `key`")
    if not reason:
        raise table.wrong(f"the declared difference of {key} needs a `reason`")
    releases = table.texts("releases", ())
    for release in releases:
        if release not in shipped():
            raise table.wrong(f"release {release!r} is not known{suggestion(release, shipped())}")
    return Declared(key, reason, releases, table.texts("recipes", ()), table.line or 1)


def _folder(path: str) -> str:
    return path.strip("/").removeprefix("./") or "."


@frozen
class _Table:
    """One table of the settings file, and its name for messages."""

    file: Path | None
    name: str
    values: Mapping[str, Any]
    line: int | None  # None: not known

    def only(self, *known: str) -> None:
        for key in self.values:
            if key not in known:
                raise self.wrong(f"unknown setting {key!r}{suggestion(key, known)}")

    def text(self, key: str, default: str) -> str:
        value = self.values.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(f"{key} must be a string, not {value!r}")
        return value

    def texts(self, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        value = self.values.get(key, list(default))
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(f"{key} must be a list of strings, not {value!r}")
        return tuple(value)

    def tables(self, key: str) -> list[_Table]:
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.wrong(f"{key} must be a list of tables, each headed [[{self.name}.{key}]]")
        name = f"{self.name}.{key}"
        lines = _headings(self.file, name)
        found = lines if len(lines) == len(value) else [None] * len(value)  # they may be written as one array
        return [_Table(self.file, name, item, line) for item, line in zip(value, found, strict=True)]

    def wrong(self, message: str) -> BadSettings:
        place = f"{shown_path(str(self.file))}{f':{self.line}' if self.line else ''}: " if self.file else ""
        return BadSettings(f"{place}{self.name}: {message}")


def _headings(file: Path | None, name: str) -> list[int | None]:
    """The lines of the settings file that head a table of an array of tables."""
    if file is None:
        return []
    text = file.read_text("utf-8")
    heading = re.compile(rf"^[ \t]*\[\[[ \t]*{re.escape(name)}[ \t]*\]\]", re.MULTILINE)
    return [text.count("\n", 0, found.start()) + 1 for found in heading.finditer(text)]
