"""Checkouts: the tree that a script lies in, and whether it is verl's."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from lint.files.cache import digest


def enclosing_checkout(path: str) -> Path | None:
    """The checkout of verl that a script lies in, if any."""
    found = enclosing_folder(os.path.dirname(os.path.abspath(path)))
    return None if found is None else Path(found)


@lru_cache(maxsize=4096)
def enclosing_folder(folder: str) -> str | None:
    if os.path.isfile(os.path.join(folder, "verl", "trainer", "main_ppo.py")):
        return folder
    above = os.path.dirname(folder)
    return None if above == folder else enclosing_folder(above)


def is_checkout(folder: str) -> bool:
    """True for the top folder of a tree of verl's sources."""
    return os.path.isdir(os.path.join(folder, "verl", "trainer", "config"))


@lru_cache(maxsize=4096)
def enclosing_repository(folder: str) -> str | None:
    """The top folder of the git repository that a folder lies in, if any."""
    if os.path.lexists(os.path.join(folder, ".git")):
        return folder
    above = os.path.dirname(folder)
    return None if above == folder else enclosing_repository(above)


def state_of_enclosing(path: str) -> str:
    """A name for the state of the checkout that a script is checked against; empty if it lies in none."""
    found = enclosing_folder(os.path.dirname(os.path.abspath(path)))
    return "" if found is None else state_of(found)


@lru_cache(maxsize=64)
def state_of(folder: str) -> str:
    """A name for the state of the files of a checkout that its schema is read from."""
    rows = []
    for inside, folders, names in os.walk(os.path.join(folder, "verl")):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in sorted(names):
            if name.endswith((".yaml", ".py")) or name == "version":
                status = os.stat(os.path.join(inside, name), follow_symlinks=False)
                rows.append((inside[len(folder) :], name, status.st_size, status.st_mtime_ns))
    return digest(rows)
