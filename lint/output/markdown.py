"""A table to paste into a pull request or a job summary."""

from __future__ import annotations

from lint.output.report import Report, stated
from lint.output.terminal import Style, visible
from lint.output.text import summary


def render(report: Report, style: Style) -> str:
    lines = []
    if report.findings:
        lines += ["| place | rule | finding |", "|---|---|---|"]
    for finding in report.findings:
        place = report.place(finding.span)
        message = cell(stated(finding)) + (f"<br>{cell(finding.help)}" if finding.help else "")
        lines.append(f"| {cell(place.path)}:{place.line} | {finding.severity} `{finding.rule}` | {message} |")
    if report.unchecked:
        lines += [*([""] if lines else []), "Not checked:", ""]
    for unchecked in report.unchecked:
        place = report.place(unchecked.span)
        lines.append(f"- {cell(place.path)}:{place.line}: {cell(unchecked.reason)}")
    if lines:
        lines.append("")
    lines.append(f"{summary(report, Style(False))}.")
    return "\n".join(lines) + "\n"


def cell(text: str) -> str:
    """Text that stays one cell and is not taken for markup."""
    text = visible(text)
    for sign in "\\`*_{}[]<>|":
        text = text.replace(sign, "\\" + sign)
    return text
