"""What makes a finding the same finding after lines moved: its file, its rule, and the text of its line."""

from __future__ import annotations

import hashlib
from collections import Counter

from lint.findings import Finding
from lint.output.report import Report


def line_text(report: Report, finding: Finding) -> str:
    """The line of a finding with its blanks evened out; empty if the text is not at hand."""
    source = report.sources.get(finding.span.path)
    return "" if source is None else " ".join(source.line_text(source.line(finding.span.start)).split())


def fingerprints(report: Report) -> list[str]:
    """One stable name for each finding, in order; equal findings are told apart by counting them."""
    seen: Counter[tuple[str, str, str]] = Counter()
    names = []
    for finding in report.findings:
        identity = (finding.span.path, finding.rule, line_text(report, finding))
        text = "\0".join((*identity, str(seen[identity])))
        seen[identity] += 1
        names.append(hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32])
    return names
