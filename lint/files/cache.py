"""Results kept between runs, in `.recipe-lint-cache/` of the folder where the tool runs.

One small file for each script and kind of result, replaced in one step, so that concurrent runs cannot mix. Its first
line is the key that it was stored under (everything that the result depends on) and a digest of the rest, JSON: a file
that is damaged is only a miss. Nothing in it is ever executed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import lint
from lint.files.discovery import read
from lint.files.writing import write_whole

FOLDER = ".recipe-lint-cache"


def digest(*parts: object) -> str:
    """One name for any number of parts: bytes, or anything whose `repr` says all that matters."""
    hashed = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode("utf-8", "surrogateescape")
        hashed.update(len(data).to_bytes(8, "big"))
        hashed.update(data)
    return hashed.hexdigest()


def tool_version() -> str:
    """The version of the tool, and in a working copy the state of its files, so that an edited rule is a new tool."""
    room = Path(lint.__file__).parent
    rows = []
    for folder, folders, files in os.walk(room):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            status = os.stat(os.path.join(folder, name))
            rows.append((folder[len(str(room)) :], name, status.st_size, status.st_mtime_ns))
    return digest(lint.__version__, rows)


class Cache:
    """A folder of results. Failing to read or write one is never an error: the result is only computed again."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    @classmethod
    def at(cls, folder: Path) -> Cache:
        """The cache below `folder`."""
        return cls(folder / FOLDER)

    def load(self, kind: str, name: str, key: str) -> Any | None:
        """What was stored for `name` under exactly this key, or None."""
        if self.folder is None:
            return None
        data = read(str(self._file(kind, name)))
        if not isinstance(data, bytes):
            return None
        head, _, text = data.partition(b"\n")
        try:
            return json.loads(text) if head == _head(key, text) else None
        except (ValueError, RecursionError):
            return None

    def store(self, kind: str, name: str, key: str, value: Any) -> None:
        """Keep `value` (plain data) for `name`, in place of what was kept before."""
        if self.folder is None:
            return
        file = self._file(kind, name)
        with contextlib.suppress(OSError):
            self._prepare(file.parent)
            handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".new-")
            try:
                text = json.dumps(value, separators=(",", ":")).encode("ascii")
                with os.fdopen(handle, "wb") as stream:
                    stream.write(_head(key, text) + b"\n" + text)
                os.replace(temporary, file)
            except BaseException:
                os.unlink(temporary)
                raise

    def _file(self, kind: str, name: str) -> Path:
        assert self.folder is not None
        named = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return self.folder / kind / named[:2] / f"{named}.json"

    def _prepare(self, folder: Path) -> None:
        assert self.folder is not None
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
        marker = self.folder / ".gitignore"
        if not marker.exists():
            write_whole(marker, b"*\n")


def _head(key: str, text: bytes) -> bytes:
    return f"{key} {digest(text)}".encode()
