"""Findings under a heading for each file."""

from __future__ import annotations

from collections.abc import Iterator

from lint.output.report import Report, stated
from lint.output.terminal import Style, visible
from lint.output.text import not_checked, summary


def render(report: Report, style: Style) -> Iterator[str]:
    for path, findings in report.by_path():
        rows = []
        for finding in findings:
            place = report.place(finding.span)
            rows.append((f"{place.line}:{place.column}", finding.severity, finding.rule, visible(stated(finding))))
        at = max(len(row[0]) for row in rows)
        named = max(len(f"{severity}[{rule}]") for _, severity, rule, _ in rows)
        lines = [style.paint("emphasis", visible(path))]
        for where, severity, rule, message in rows:
            title = f"{severity}[{rule}]"
            lines.append(f"  {where:>{at}}  {style.paint(severity, title)}{' ' * (named - len(title))}  {message}")
        yield "\n".join(lines) + "\n\n"
    if report.unchecked:
        yield not_checked(report, style) + "\n\n"
    yield summary(report, style) + "\n"
