"""The words of a script's path, which its readers take for what it does."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from lint.subject.subject import Subject


def words(name: str) -> frozenset[str]:
    """The words of a file name in lower case: `run_qwen3-8b_fsdp.sh` gives run, qwen3, 8b, fsdp, sh."""
    return frozenset(re.split(r"[^a-z0-9]+", name.lower()))


def script(subject: Subject) -> PurePosixPath:
    """The path of the script that starts the launch."""
    return PurePosixPath(subject.launch.entry_span.path)


def says_what_it_does(subject: Subject) -> bool:
    """False where an environment variable turns the script into something else than what it is named after."""
    return subject.launch.entry_point.startswith("verl.") and not subject.launch.command.scenario
