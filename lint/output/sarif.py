"""SARIF 2.1.0 (OASIS), with the documentation of every rule that reports and the edits of every fix."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import lint
from lint.findings import Finding, Fix
from lint.output.fingerprint import fingerprints
from lint.output.plain import pieces
from lint.output.report import Report, stated, when
from lint.output.terminal import Style
from lint.text import Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "info": "note"}
LONGEST = 1000  # characters of a snippet
RANKS = {"high": 90.0, "medium": 60.0, "low": 30.0}


def render(report: Report, style: Style) -> Iterator[str]:
    return pieces(document(report))


def document(report: Report) -> dict[str, Any]:
    """The log as plain data, its results row by row."""
    names = sorted({finding.rule for finding in report.findings})
    index = {name: number for number, name in enumerate(names)}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "recipe-lint",
                        "semanticVersion": lint.__version__,
                        "informationUri": lint.PROJECT,
                        "rules": [_rule(name) for name in names],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"SRCROOT": {"uri": Path.cwd().as_uri() + "/"}},
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": [
                            {
                                "level": "warning",
                                "message": {"text": f"not checked: {unchecked.reason}"},
                                "locations": [_location(report, unchecked.span)],
                            }
                            for unchecked in report.unchecked
                        ],
                    }
                ],
                "results": (
                    _result(report, finding, index[finding.rule], mark)
                    for finding, mark in zip(report.findings, fingerprints(report), strict=True)
                ),
            }
        ],
    }


def _rule(name: str) -> dict[str, Any]:
    from lint.rules.catalogue import describe

    description = describe(name)
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in name.split("-")),
        "shortDescription": {"text": description.summary},
        "fullDescription": {"text": description.summary},
        "help": {"text": description.text, "markdown": description.text},
        "helpUri": description.address,
        "properties": {"tags": [description.group]},
    }


def _result(report: Report, finding: Finding, index: int, fingerprint: str) -> dict[str, Any]:
    text = stated(finding) + (f"\nhelp: {finding.help}" if finding.help else "")
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": LEVELS[finding.severity],
        "rank": RANKS[finding.confidence],
        "message": {"text": text},
        "locations": [_with_snippet(report, finding.span)],
        "partialFingerprints": {"recipeLint/v1": fingerprint},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_location(report, other.span), "message": {"text": other.message}}
            for number, other in enumerate(finding.related)
        ]
    if finding.fix is not None and finding.fix.edits:
        result["fixes"] = [_fix(report, finding.fix)]
    properties = {
        name: value
        for name, value in (("key", finding.key), ("value", finding.value), ("phase", finding.phase))
        if value is not None
    }
    if finding.scenario:
        properties["scenario"] = when(finding)
    if properties:
        result["properties"] = properties
    return result


def _fix(report: Report, fix: Fix) -> dict[str, Any]:
    paths = sorted({edit.span.path for edit in fix.edits})
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(path),
                "replacements": [
                    {"deletedRegion": _region(report, edit.span), "insertedContent": {"text": edit.text}}
                    for edit in sorted(fix.edits, key=lambda edit: edit.span)
                    if edit.span.path == path
                ],
            }
            for path in paths
        ],
    }


def _location(report: Report, span: Span) -> dict[str, Any]:
    return {
        "physicalLocation": {"artifactLocation": _artifact(span.path), "region": _region(report, span)},
    }


def _with_snippet(report: Report, span: Span) -> dict[str, Any]:
    """The location with the text that is meant, for viewers that do not have the script."""
    location = _location(report, span)
    source = report.sources.get(span.path)
    text = "" if source is None else source.text[span.start : span.end]
    if text:
        location["physicalLocation"]["region"]["snippet"] = {"text": text[:LONGEST]}
    return location


def _artifact(path: str) -> dict[str, str]:
    address = quote(path.replace("\\", "/"), errors="surrogateescape")
    if Path(path).is_absolute():
        return {"uri": f"file://{address}"}
    return {"uri": address, "uriBaseId": "SRCROOT"}


def _region(report: Report, span: Span) -> dict[str, Any]:
    place = report.place(span)
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
