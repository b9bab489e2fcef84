"""A verl source tree, in a folder or in a wheel: which files there are, and their bytes."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Protocol

from lint.files import discovery
from lint.files.checkout import is_checkout

PACKAGE = "verl"


class SourceTree(Protocol):
    """Files by their path from the tree's root, with forward slashes."""

    @property
    def origin(self) -> str: ...

    @property
    def sha256(self) -> str: ...

    @property
    def date(self) -> str | None: ...

    def paths(self) -> Sequence[str]:
        """The Python and YAML files of the package, sorted."""
        ...

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, None if there is none."""
        ...


class NotATree(Exception):
    """The path is neither a verl checkout nor a verl wheel."""


def open_tree(path: Path) -> SourceTree:
    """The tree in a folder or a wheel. Raises `NotATree`."""
    if path.is_dir():
        if not is_checkout(str(path)):
            raise NotATree(f"{path}: no verl/trainer/config in it, so not a verl checkout")
        return Folder(path)
    try:
        return Wheel(path)
    except FileNotFoundError:
        raise NotATree(f"{path}: no such file or folder") from None
    except zipfile.BadZipFile:
        wanted = "name the folder of a checkout, a wheel (.whl), or a .json that `recipe-lint schema build` wrote"
        raise NotATree(f"{path}: is no verl to check against: {wanted}") from None
    except OSError as error:
        raise NotATree(f"{path}: cannot be read: {error.strerror}") from None


class Wheel:
    """A wheel: a zip file."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        self.origin = path.name
        self.sha256 = hashlib.sha256(data).hexdigest()
        self._archive = zipfile.ZipFile(path)
        self._paths = sorted(name for name in self._archive.namelist() if _is_read(name))
        newest = max((entry.date_time for entry in self._archive.infolist()), default=(1980, 1, 1, 0, 0, 0))
        self.date: str | None = datetime(*newest, tzinfo=timezone.utc).date().isoformat()
        if not self._paths:
            raise NotATree(f"{path}: holds no `{PACKAGE}` package")

    def paths(self) -> Sequence[str]:
        return self._paths

    def read(self, path: str) -> bytes | None:
        try:
            return self._archive.read(path)
        except KeyError:
            return None


class Folder:
    """A checkout. Its hash covers the bytes of every file that a schema is read from."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.origin = str(root)
        self.date = None
        self._paths = sorted(_walk(root))
        self._read: dict[str, bytes] = {}

    @property
    def sha256(self) -> str:
        digest = hashlib.sha256()
        for path in self._paths:
            data = self.read(path) or b""
            digest.update(f"{path}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
            digest.update(data)
        return digest.hexdigest()

    def paths(self) -> Sequence[str]:
        return self._paths

    def read(self, path: str) -> bytes | None:
        if path not in self._read:
            data = discovery.read(f"{self.root}/{path}")
            if isinstance(data, discovery.Unreadable):
                return None
            self._read[path] = data
        return self._read[path]


def _is_read(path: str) -> bool:
    return path.startswith(f"{PACKAGE}/") and path.endswith((".py", ".yaml"))


def _walk(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root / PACKAGE):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        relative = Path(folder).relative_to(root).as_posix()
        yield from (f"{relative}/{name}" for name in names if name.endswith((".py", ".yaml")))
