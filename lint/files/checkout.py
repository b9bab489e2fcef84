"""Checkouts: the tree of verl's sources that a script lies in, or that lies in its repository."""

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
    if _is_source_tree(folder):
        return folder
    above = os.path.dirname(folder)
    return None if above == folder else enclosing_folder(above)


def checkout_of(path: str) -> Path | None:
    """The checkout of verl that a script runs with: the one it lies in, else the one that its repository holds."""
    found = nearest_folder(os.path.dirname(os.path.abspath(path)))
    return None if found is None else Path(found)


@lru_cache(maxsize=4096)
def nearest_folder(folder: str) -> str | None:
    """The checkout around a folder, else the one nearest below the folders above it, up to the repository's top.

    None where two are equally near: `verl` and `verl_modified` side by side.
    """
    found, top = enclosing_folder(folder), enclosing_repository(folder)
    if found is not None or top is None:
        return found
    held = _held(folder)
    if held or folder == top:
        return held[0] if len(held) == 1 else None
    return nearest_folder(os.path.dirname(folder))


def _held(folder: str) -> list[str]:
    """The checkouts one or two folders below: `verl`, `src`, `training/verl`."""
    below = folders_in(folder)
    return [found for found in (*below, *(two for one in below for two in folders_in(one))) if _is_source_tree(found)]


@lru_cache(maxsize=4096)
def folders_in(folder: str) -> tuple[str, ...]:
    """The folders in a folder, without hidden ones and links; none if it cannot be looked into."""
    try:
        with os.scandir(folder) as entries:
            return tuple(
                sorted(one.path for one in entries if one.name[0] != "." and one.is_dir(follow_symlinks=False))
            )
    except OSError:
        return ()


VERSION = os.path.join("verl", "version", "version")
"""The file that every tree of verl has, also of forks that call the folder of their trainers otherwise."""


def _is_source_tree(folder: str) -> bool:
    marks = (os.path.join("verl", "trainer", "main_ppo.py"), VERSION)
    return any(os.path.isfile(os.path.join(folder, mark)) for mark in marks)


def is_checkout(folder: str) -> bool:
    """True for the top folder of a tree of verl's sources."""
    configs = os.path.isdir(os.path.join(folder, "verl", "trainer", "config"))
    return configs or os.path.isfile(os.path.join(folder, VERSION))


@lru_cache(maxsize=4096)
def enclosing_repository(folder: str) -> str | None:
    """The top folder of the git repository that a folder lies in, if any."""
    if os.path.lexists(os.path.join(folder, ".git")):
        return folder
    above = os.path.dirname(folder)
    return None if above == folder else enclosing_repository(above)


def top_folder(path: str) -> str | None:
    """The top folder of the repository that a script lies in, else of its checkout of verl, if any."""
    return top_of(os.path.dirname(os.path.abspath(path)))


@lru_cache(maxsize=4096)
def top_of(folder: str) -> str | None:
    real = os.path.realpath(folder)
    return enclosing_repository(real) or enclosing_folder(real)


def state_of_enclosing(path: str) -> str:
    """A name for the state of the checkout that a script is checked against; empty if there is none."""
    found = nearest_folder(os.path.dirname(os.path.abspath(path)))
    return "" if found is None else state_of(found)


@lru_cache(maxsize=64)
def state_of(folder: str) -> str:
    """A name for the state of the files of a checkout that its schema is read from; of a file, if that is one."""
    if not os.path.isdir(folder):
        status = os.stat(folder)
        return digest(folder, status.st_size, status.st_mtime_ns)
    rows = []
    for inside, folders, names in os.walk(os.path.join(folder, "verl")):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in sorted(names):
            if name.endswith((".yaml", ".py")) or name == "version":
                status = os.stat(os.path.join(inside, name), follow_symlinks=False)
                rows.append((inside[len(folder) :], name, status.st_size, status.st_mtime_ns))
    return digest(rows)
