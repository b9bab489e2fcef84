"""The scripts of a tree, and a copy of the tree for real bash to run them in."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from lint.files.discovery import OTHER_INTERPRETER, SHEBANG

LARGEST = 1 << 20  # bytes of a file that is taken along


def scripts(tree: Path) -> list[Path]:
    """The files that are scripts of a shell by their name or by their first line."""
    return [path for path in files(tree) if _is_script(path)]


def files(tree: Path) -> Iterator[Path]:
    """Every file of a tree, in order; links are left alone, and so is what git keeps for itself."""
    for folder, folders, names in os.walk(tree):
        folders[:] = sorted(name for name in folders if name != ".git")
        yield from (path for name in sorted(names) if not (path := Path(folder, name)).is_symlink())


def _is_script(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.read(128)
    if path.suffix in (".sh", ".bash"):
        return OTHER_INTERPRETER.match(first) is None
    return SHEBANG.match(first) is not None


def copy_tree(tree: Path, target: Path) -> list[Path]:
    """Copy a tree with its links, all but large files, to a place where scripts may write; the scripts of the copy."""

    def too_large(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if name == ".git" or _size(os.path.join(folder, name)) > LARGEST]

    shutil.copytree(tree, target, symlinks=True, ignore=too_large, dirs_exist_ok=True)
    for folder, _, _ in os.walk(target):
        os.chmod(folder, 0o777)
    return scripts(target)


def _size(path: str) -> int:
    return 0 if os.path.isdir(path) else os.lstat(path).st_size
