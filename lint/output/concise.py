"""One line for each finding, as compilers print them: `path:line:column: severity[rule]: message`; then one for each
place that was not checked: `path:line: not checked: reason`."""

from __future__ import annotations

from collections.abc import Iterator

from lint.output.report import Report, stated
from lint.output.terminal import Style, visible


def render(report: Report, style: Style) -> Iterator[str]:
    for finding in report.findings:
        place = report.place(finding.span)
        title = style.paint(finding.severity, f"{finding.severity}[{finding.rule}]")
        yield f"{visible(place.path)}:{place.line}:{place.column}: {title}: {visible(stated(finding))}\n"
    for unchecked in report.unchecked:
        place = report.place(unchecked.span)
        title = style.paint("emphasis", "not checked")
        yield f"{visible(place.path)}:{place.line}: {title}: {visible(unchecked.reason)}\n"
