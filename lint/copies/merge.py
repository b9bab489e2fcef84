"""Three texts into one, by `git merge-file`: what two people changed of the same text, line by line."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from lint.copies.git import TIMEOUT, NotRead
from lint.files.git import environment

MARKER = 7  # characters of a conflict marker, as git writes them
MOST_CONFLICTS = 127  # git merge-file ends with the number of conflicts; above this with an error


@dataclass(frozen=True, slots=True)
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
    return Merged(done.stdout.decode("utf-8", "surrogateescape"), done.returncode > 0)


def conflicts(text: str, label: str) -> list[int]:
    """The lines at which conflicts start, in a merged text whose `ours` is called `label`."""
    start = re.compile(rf"^<{{{MARKER}}} {re.escape(' '.join(label.split()))}\r?$", re.MULTILINE)
    return [text.count("\n", 0, found.start()) + 1 for found in start.finditer(text)]
