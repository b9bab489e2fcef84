"""GitLab's code quality report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lint.output.fingerprint import fingerprints
from lint.output.plain import pieces
from lint.output.report import Report, stated
from lint.output.terminal import Style

SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(report: Report, style: Style) -> Iterator[str]:
    return pieces(_rows(report.with_unchecked()))


def _rows(report: Report) -> Iterator[dict[str, Any]]:
    for finding, fingerprint in zip(report.findings, fingerprints(report), strict=True):
        place = report.place(finding.span)
        yield {
            "description": stated(finding),
            "check_name": finding.rule,
            "fingerprint": fingerprint,
            "severity": SEVERITIES[finding.severity],
            "location": {
                "path": place.path,
                "lines": {"begin": place.line, "end": place.end_line},
            },
        }
