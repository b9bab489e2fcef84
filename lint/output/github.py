"""Annotations of GitHub Actions: workflow commands that the runner shows beside the changed lines."""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.output.report import Report, stated
from lint.output.terminal import Style, visible

COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: Report, style: Style) -> Iterator[str]:
    return (_annotation(report, finding) + "\n" for finding in report.with_unchecked().findings)


def _annotation(report: Report, finding: Finding) -> str:
    place = report.place(finding.span)
    properties = {
        "title": f"recipe-lint ({finding.rule})",
        "file": place.path,
        "line": place.line,
        "endLine": place.end_line,
        "col": place.column,
        "endColumn": place.end_column,
    }
    if place.line != place.end_line:  # columns are allowed on a single line only
        del properties["col"], properties["endColumn"]
    listed = ",".join(f"{name}={escape_property(str(value))}" for name, value in properties.items())
    message = visible(stated(finding)) + (f"\nhelp: {visible(finding.help)}" if finding.help else "")
    return f"::{COMMANDS[finding.severity]} {listed}::{escape(message)}"


def escape(text: str) -> str:
    """Workflow commands end at a line end; the runner turns these escapes back."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    return escape(visible(text)).replace(":", "%3A").replace(",", "%2C")
