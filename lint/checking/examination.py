"""What is asked about one script, and what it yields before shellcheck joins in and comments silence anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, TypeAlias

from lint.bash.reading import Unchecked
from lint.checking import record
from lint.findings import Finding
from lint.frozen import frozen
from lint.settings import ScriptSettings
from lint.text import Span

GoOn: TypeAlias = Callable[[], None]
"""Asked between two steps; it raises if nobody waits for the result any more."""


@frozen
class Request:
    """How a script is to be checked: the settings for its path with the command line laid over, and what the command
    line alone says (which wins over the head comment of the script)."""

    settings: ScriptSettings
    given: ScriptSettings
    schemas: Path | None = None  # where the schemas of checkouts are kept


@frozen
class Examination:
    """The result of one script.

    `whole` are unquoted expansions that the reader proved to be exactly one word without a file name pattern.
    `looked_up` names every other file that was asked for, with the digest of its text, or None where there was none:
    while these stay the same, so does the result. A `transient` result must not be kept.
    """

    path: str
    findings: tuple[Finding, ...]
    unchecked: tuple[Unchecked, ...] = ()
    launches: int = 0
    whole: frozenset[Span] = frozenset()
    looked_up: Mapping[str, str | None] = field(default_factory=dict)
    transient: bool = False


def to_plain(examination: Examination) -> dict[str, Any]:
    """The examination as plain data, for the cache."""
    return {
        "path": examination.path,
        "findings": [record.finding_to_plain(finding) for finding in examination.findings],
        "unchecked": [record.unchecked_to_plain(unchecked) for unchecked in examination.unchecked],
        "launches": examination.launches,
        "whole": [record.span_to_plain(span) for span in sorted(examination.whole)],
        "looked_up": dict(examination.looked_up),
    }


def from_plain(row: Any) -> Examination | None:
    """The examination that `to_plain` gave; None for anything else."""
    try:
        return Examination(
            path=str(row["path"]),
            findings=tuple(record.finding_from_plain(finding) for finding in row["findings"]),
            unchecked=tuple(record.unchecked_from_plain(unchecked) for unchecked in row["unchecked"]),
            launches=int(row["launches"]),
            whole=frozenset(record.span_from_plain(span) for span in row["whole"]),
            looked_up=dict(row["looked_up"]),
        )
    except (KeyError, TypeError, ValueError):
        return None
