"""The baseline: findings that a project already had when it began, and does not want to hear of.

An entry names a file, a rule, and the text of the line with its blanks evened out, and how often that combination
occurs; so it holds when lines move, and ends when the line is changed. What no longer occurs is taken out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from lint.files import discovery
from lint.files.writing import write_whole
from lint.findings import Finding
from lint.frozen import frozen
from lint.output.fingerprint import line_text
from lint.output.report import Report
from lint.packed import sequence

VERSION = 1

Entry = tuple[str, str, str]
"""Path, rule, line."""

Entries = Counter[Entry]


class BadBaseline(Exception):
    """The file is not a baseline; the message starts with its path."""


@frozen
class Compared:
    """Findings that the baseline does not know, how many it knows, and what is left of the baseline."""

    findings: Sequence[Finding]
    known: int
    remaining: Entries


def entry(report: Report, finding: Finding) -> Entry:
    return finding.span.path.replace("\\", "/"), finding.rule, line_text(report, finding)


def collect(report: Report) -> Entries:
    """The baseline that silences every finding of a report."""
    return Counter(entry(report, finding) for finding in report.findings)


def compare(report: Report, baseline: Entries, checked: Iterable[str], complete: bool) -> Compared:
    """Take the findings that a baseline knows out of a report.

    `checked` are the paths that this run looked at. Entries of theirs that no longer occur are dropped from what
    remains, if the run was `complete`: with every rule, under the usual settings.
    """
    left = Counter(baseline)
    kept = sequence(_without(left, report))
    paths = {path.replace("\\", "/") for path in checked} if complete else set()
    remaining: Entries = Counter()
    for key, count in baseline.items():
        stays = count - left[key] if key[0] in paths else count
        if stays:
            remaining[key] = stays
    return Compared(kept, len(report.findings) - len(kept), remaining)


def _without(left: Entries, report: Report) -> Iterator[Finding]:
    """The findings for which no entry is left; each other one takes an entry."""
    for finding in report.findings:
        key = entry(report, finding)
        if left[key] > 0:
            left[key] -= 1
        else:
            yield finding


def load(file: Path) -> Entries:
    """Read a baseline. Raises `BadBaseline`."""
    data = discovery.read(str(file))
    if isinstance(data, discovery.Unreadable):
        instead = "name a file" if file.is_dir() else f"write one with --write-baseline {file}"
        raise BadBaseline(f"{file}: no baseline can be read there: it {data.reason}; {instead}")
    try:
        document = json.loads(data)
        if not isinstance(document, dict):
            raise BadBaseline(f"{file}: is not a baseline: it holds no object")
        if document["version"] != VERSION:
            raise BadBaseline(f"{file}: is of version {document['version']!r}; this tool reads version {VERSION}")
        return Counter(dict(map(_entry, document["findings"])))
    except KeyError as error:
        raise BadBaseline(f"{file}: is not a baseline: {error} is missing") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise BadBaseline(f"{file}: is not a baseline: {error}") from None


def _entry(row: Mapping[str, object]) -> tuple[Entry, int]:
    """One row of the file. Raises ValueError, KeyError, TypeError."""
    path, rule, line, count = (row[name] for name in ("path", "rule", "line", "count"))
    if not (isinstance(path, str) and isinstance(rule, str) and isinstance(line, str)):
        raise TypeError(f"path, rule and line must be texts in {dict(row)}")
    if not isinstance(count, int) or count < 1:
        raise ValueError(f"count must be a number from 1 on, not {count!r}")
    return (path, rule, line), count


def save(file: Path, entries: Entries) -> None:
    """Write a baseline, sorted, one entry a line, so that changes to it can be reviewed. Raises `BadBaseline`."""
    rows = [
        json.dumps({"path": path, "rule": rule, "line": line, "count": count})
        for (path, rule, line), count in sorted(entries.items())
    ]
    listed = ",\n".join(f"    {row}" for row in rows)
    text = f'{{\n  "version": {VERSION},\n  "findings": [\n{listed}\n  ]\n}}\n'
    try:
        write_whole(file, text.encode())
    except OSError as error:
        raise BadBaseline(f"{file}: cannot be written: {error.strerror}") from None
