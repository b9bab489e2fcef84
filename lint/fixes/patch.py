"""Patches that `git apply` takes."""

from __future__ import annotations

import difflib


def patch(path: str, old: str | None, new: str) -> str:
    """The change of one file from `old` to `new`; `old` None makes the file. Empty if nothing changes."""
    if old == new:
        return ""
    path = path.lstrip("/")  # `git apply` takes no absolute paths: a patch of one is applied from the root
    named = f"{path}\t" if " " in path else path  # git's sign for where a name with blanks ends
    before, after = (f"a/{named}", f"b/{named}") if old is not None else ("/dev/null", f"b/{named}")
    heading = "" if old is not None else f"diff --git a/{path} b/{path}\nnew file mode {_mode(new)}\n"
    pieces = [heading]
    for line in difflib.unified_diff(_lines(old or ""), _lines(new), before, after):
        pieces.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(pieces)


def _mode(text: str) -> str:
    return "100755" if text.startswith("#!") else "100644"


def _lines(text: str) -> list[str]:
    """Lines end at LF only; `splitlines` would cut at characters that are text to bash and to git."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
