"""Three texts into one, by `git merge-file`: what two people changed of the same text, line by line.

git takes changes of lines beside each other for a conflict. Where these are overrides, each is merged by itself.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from lint.copies.git import TIMEOUT, NotRead
from lint.files.git import environment
from lint.frozen import frozen
from lint.regular import regular

MARKER = 7  # characters of a conflict marker, as git writes them
OVERRIDE = regular(r"\s*['\"]?(?:\+\+|\+|~)?([\w.@/-]+)(?==)")
MOST_CONFLICTS = 127  # git merge-file ends with the number of conflicts; above this with an error


@frozen
class Merged:
    """The merged text; where it has conflicts, both versions stand there between markers."""

    text: str
    has_conflicts: bool


def merge(ours: str, base: str, theirs: str, labels: tuple[str, str, str]) -> Merged:
    """What `theirs` changed of `base` applied to `ours`; `labels` name the three in markers. Raises `NotRead`."""
    if theirs in (base, ours):
        return Merged(ours, False)
    if ours == base:
        return Merged(theirs, False)
    with TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("ours", "base", "theirs")]
        for file, text in zip(files, (ours, base, theirs), strict=True):
            file.write_bytes(text.encode("utf-8", "surrogateescape"))
        words = ["git", "merge-file", "-p", "-q", "--diff3", f"--marker-size={MARKER}"]
        words += [part for label in labels for part in ("-L", " ".join(label.split()))]
        try:
            done = subprocess.run(
                [*words, *map(str, files)], cwd=folder, env=environment(), capture_output=True, timeout=TIMEOUT
            )
        except FileNotFoundError:
            raise NotRead("git is not on PATH: it merges a copy with its recipe") from None
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotRead(f"git cannot be asked: {error}") from None
    if not 0 <= done.returncode <= MOST_CONFLICTS:
        raise NotRead(f"git cannot merge: {os.fsdecode(done.stderr).strip() or done.returncode}")
    text = _conflict(labels).sub(_by_override, done.stdout.decode("utf-8", "surrogateescape"))
    return Merged(text, bool(conflicts(text, labels[0])))


def _conflict(labels: tuple[str, str, str]) -> re.Pattern[str]:
    """A conflict as git writes it; the groups are the lines of ours, of the base, of theirs."""
    ours, base, theirs = (re.escape(" ".join(label.split())) for label in labels)
    starts = [rf"<{{{MARKER}}} {ours}", rf"\|{{{MARKER}}} {base}", f"={{{MARKER}}}", rf">{{{MARKER}}} {theirs}"]
    return re.compile("(.*?)".join(rf"^{start}\r?\n" for start in starts), re.MULTILINE | re.DOTALL)


def _by_override(conflict: re.Match[str]) -> str:
    """The lines of a conflict with what each side changed, if no override was changed by both; else the conflict."""
    ours, base, theirs = (_by_key(conflict[number]) for number in (1, 2, 3))
    if ours is None or base is None or theirs is None:
        return conflict[0]
    order, before = list(ours), 0
    for key in theirs:  # what only they have stands behind what stands before it there
        if key not in ours:
            order.insert(before, key)
        before = order.index(key) + 1
    merged = []
    for key in order:
        line, was, other = ours.get(key), base.get(key), theirs.get(key)
        if other != was and line not in (was, other):
            return conflict[0]
        merged.append((line if other == was else other) or "")
    return "".join(merged)


def _by_key(text: str) -> dict[str, str] | None:
    """Lines by the key that each sets; None if a line sets none, or one that another line sets."""
    lines = text.splitlines(keepends=True)
    found = {key[1]: line for line in lines if (key := OVERRIDE.match(line))}
    return found if len(found) == len(lines) else None


def conflicts(text: str, label: str) -> list[int]:
    """The lines at which conflicts start, in a merged text whose `ours` is called `label`."""
    start = re.compile(rf"^<{{{MARKER}}} {re.escape(' '.join(label.split()))}\r?$", re.MULTILINE)
    return [text.count("\n", 0, found.start()) + 1 for found in start.finditer(text)]
