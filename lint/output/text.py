"""For people: the message, the source lines with marks under the exact spans, where values come from, what to write."""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.output.report import SEVERITIES, Report, when
from lint.output.snippet import Mark, lines_of
from lint.output.terminal import Style, visible


def render(report: Report, style: Style) -> Iterator[str]:
    """Every finding with its source, then what was not checked, then one line that sums up."""
    for finding in report.findings:
        yield _finding(report, finding, style) + "\n\n"
    if report.unchecked:
        yield not_checked(report, style) + "\n\n"
    yield summary(report, style) + "\n"


def _finding(report: Report, finding: Finding, style: Style) -> str:
    place = report.place(finding.span)
    related = sorted(finding.related, key=lambda other: (other.span.path != place.path, other.span))
    elsewhere = [other for other in related if other.span.path != place.path]
    gutter = max(len(str(report.place(span).line)) for span in [finding.span, *(other.span for other in related)])
    arrow = style.paint("frame", " " * gutter + "-->")
    empty = style.paint("frame", " " * gutter + " |")
    title = style.paint(finding.severity, f"{finding.severity}[{finding.rule}]")
    drawn = [
        f"{title}: {style.paint('emphasis', visible(finding.message))}",
        f"{arrow} {visible(place.path)}:{place.line}:{place.column}",
    ]
    source = report.sources.get(place.path)
    if source is not None and source.text:
        marks = [Mark(finding.span, "", True, finding.severity)]
        marks += [
            Mark(other.span, visible(other.message), False, "related")
            for other in related
            if other.span.path == place.path
        ]
        drawn += [empty, *lines_of(source, marks, gutter, style), empty]
    for other in elsewhere:
        there = report.place(other.span)
        drawn.append(f"{style.paint('frame', ' ' * gutter + ':::')} {visible(there.path)}:{there.line}:{there.column}")
        source = report.sources.get(there.path)
        if source is not None:
            mark = Mark(other.span, visible(other.message), False, "related")
            drawn += [empty, *lines_of(source, [mark], gutter, style), empty]
    indent = " " * (gutter + 1)
    drawn += [
        f"{indent}{style.paint('frame', '=')} {style.paint('label', name)}: {visible(text)}"
        for name, text in _remarks(finding)
    ]
    return "\n".join(drawn)


def _remarks(finding: Finding) -> list[tuple[str, str]]:
    remarks = []
    if finding.scenario:
        remarks.append(("when", when(finding)))
    if finding.confidence == "low":
        remarks.append(("confidence", "low"))
    if finding.note:
        remarks.append(("note", finding.note))
    if finding.help:
        remarks.append(("help", finding.help))
    if finding.fix is not None:
        remarks.append(("fix", f"{finding.fix.title} ({'--fix' if finding.fix.safe else '--unsafe-fixes'})"))
    return remarks


def not_checked(report: Report, style: Style) -> str:
    """A heading, and one line for each place that was not checked."""
    drawn = [style.paint("emphasis", "not checked:")]
    for unchecked in report.unchecked:
        place = report.place(unchecked.span)
        drawn.append(f"  {visible(place.path)}:{place.line}: {visible(unchecked.reason)}")
    return "\n".join(drawn)


def summary(report: Report, style: Style) -> str:
    """One line: how much was found in how much, and what was left out."""
    checked = f"{plural(report.scripts, 'script')}, {plural(report.launches, 'launch', 'launches')}"
    counts = report.count()
    if report.findings:
        role = next(severity for severity in SEVERITIES if counts[severity])
        nouns = {"error": "error", "warning": "warning", "info": "remark"}
        found = ", ".join(plural(counts[severity], nouns[severity]) for severity in SEVERITIES if counts[severity])
        line = f"{style.paint(role, f'found {found}')} in {checked}"
    elif report.scripts:
        line = f"{style.paint('good', 'no findings')} in {checked}"
    else:
        line = "no script was checked"
    safe = sum(finding.fix is not None and finding.fix.safe for finding in report.findings)
    unsafe = sum(finding.fix is not None and not finding.fix.safe for finding in report.findings)
    extra = [
        f"{safe} fixable with --fix" if safe else "",
        f"{unsafe} with --unsafe-fixes" if unsafe else "",
        f"{report.suppressed} suppressed" if report.suppressed else "",
        f"{report.baselined} in the baseline" if report.baselined else "",
        f"{report.hidden} of lower confidence or severity hidden" if report.hidden else "",
    ]
    return "; ".join([line, *filter(None, extra)])


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """`1 script`, `2 scripts`."""
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"
