"""What makes a finding the same finding after lines moved: its file, its rule, and the text of its line."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator

from lint.findings import Finding
from lint.output.report import Report


def line_text(report: Report, finding: Finding) -> str:
    """The line of a finding with its blanks evened out; empty if the text is not at hand."""
    source = report.sources.get(finding.span.path)
    return "" if source is None else " ".join(source.line_text(source.line(finding.span.start)).split())


def fingerprints(report: Report) -> Iterator[str]:
    """One stable name for each finding, in order; equal findings are told apart by counting them."""
    seen: Counter[str] = Counter()
    for finding in report.findings:
        identity = "\0".join((finding.span.path, finding.rule, line_text(report, finding)))
        first = _name(identity, 0)
        yield _name(identity, seen[first])
        seen[first] += 1


def _name(identity: str, number: int) -> str:
    return hashlib.sha256(f"{identity}\0{number}".encode("utf-8", "surrogateescape")).hexdigest()[:32]
