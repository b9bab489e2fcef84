"""JSON, version 1: the shape is published in `check.schema.json` and only ever grows (see README, "Outputs")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lint.findings import Finding, Fix
from lint.output.plain import pieces
from lint.output.report import Report
from lint.output.terminal import Style

VERSION = 1


def render(report: Report, style: Style) -> Iterator[str]:
    return pieces(document(report))


def document(report: Report) -> dict[str, Any]:
    """The report as plain data, its lists row by row."""
    return {
        "version": VERSION,
        "findings": (finding_to_plain(report, finding) for finding in report.findings),
        "checked": {"scripts": report.scripts, "launches": report.launches},
        "unchecked": (
            {"path": place.path, "line": place.line, "reason": unchecked.reason}
            for unchecked in report.unchecked
            for place in [report.place(unchecked.span)]
        ),
    }


def finding_to_plain(report: Report, finding: Finding) -> dict[str, Any]:
    """One finding in the shape of DESIGN "Command line"."""
    place = report.place(finding.span)
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "message": finding.message,
        "help": finding.help,
        "note": finding.note,
        "key": finding.key,
        "value": finding.value,
        "phase": finding.phase,
        "scenario": dict(finding.scenario),
        "related": [
            {"path": there.path, "line": there.line, "column": there.column, "message": other.message}
            for other in finding.related
            for there in [report.place(other.span)]
        ],
        "fix": _fix(finding, finding.fix),
    }


def _fix(finding: Finding, fix: Fix | None) -> dict[str, Any] | None:
    """Offsets count characters of the text decoded as UTF-8; `path` is given where it is not the finding's own."""
    if fix is None:
        return None
    edits = []
    for edit in fix.edits:
        row: dict[str, Any] = {"start": edit.span.start, "end": edit.span.end, "text": edit.text}
        if edit.span.path != finding.span.path:
            row["path"] = edit.span.path
        edits.append(row)
    return {"title": fix.title, "safe": fix.safe, "edits": edits}
