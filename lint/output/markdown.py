"""A table to paste into a pull request or a job summary."""

from __future__ import annotations

from collections.abc import Iterator

from lint.output.report import Report, stated
from lint.output.terminal import Style, visible
from lint.output.text import summary


def render(report: Report, style: Style) -> Iterator[str]:
    if report.findings:
        yield "| place | rule | finding |\n|---|---|---|\n"
    for finding in report.findings:
        place = report.place(finding.span)
        message = cell(stated(finding)) + (f"<br>{cell(finding.help)}" if finding.help else "")
        yield f"| {cell(place.path)}:{place.line} | {finding.severity} `{finding.rule}` | {message} |\n"
    if report.unchecked:
        yield "\nNot checked:\n\n" if report.findings else "Not checked:\n\n"
    for unchecked in report.unchecked:
        place = report.place(unchecked.span)
        yield f"- {cell(place.path)}:{place.line}: {cell(unchecked.reason)}\n"
    if report.findings or report.unchecked:
        yield "\n"
    yield f"{summary(report, Style(False))}.\n"


def cell(text: str) -> str:
    """Text that stays one cell and is not taken for markup."""
    text = visible(text)
    for sign in "\\`*_{}[]<>|":
        text = text.replace(sign, "\\" + sign)
    return text
