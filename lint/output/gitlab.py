"""GitLab's code quality report."""

from __future__ import annotations

from lint.output.fingerprint import fingerprints
from lint.output.plain import dumps
from lint.output.report import Report, stated
from lint.output.terminal import Style

SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(report: Report, style: Style) -> str:
    report = report.with_unchecked()
    rows = []
    for finding, fingerprint in zip(report.findings, fingerprints(report), strict=True):
        place = report.place(finding.span)
        rows.append(
            {
                "description": stated(finding),
                "check_name": finding.rule,
                "fingerprint": fingerprint,
                "severity": SEVERITIES[finding.severity],
                "location": {
                    "path": place.path,
                    "lines": {"begin": place.line, "end": place.end_line},
                },
            }
        )
    return dumps(rows)
