"""Writing files whole: whoever reads one, also after an interrupt, finds the old bytes or the new ones."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable


def write_whole(path: str | os.PathLike[str], data: bytes | Iterable[bytes]) -> None:
    """Put `data`, or its pieces, into a file, in one step where there is one, and keep its mode. Raises OSError.

    Links are followed. A device or a pipe is written to as it is, and so is a file in a folder that takes no new one.
    """
    pieces = (data,) if isinstance(data, bytes) else data
    target = os.path.realpath(path)
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        _write_into(target, pieces)
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".recipe-lint-")
    except PermissionError:
        _write_into(target, pieces)
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
        os.chmod(temporary, stat.S_IMODE(mode) if mode is not None else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _write_into(path: str, pieces: Iterable[bytes]) -> None:
    with open(path, "wb") as file:
        file.writelines(pieces)


def _umask() -> int:
    """The bits that new files of this process lack; it can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
