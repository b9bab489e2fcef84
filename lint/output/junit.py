"""JUnit's XML: each script is a test suite, each finding a failed test, each place that was not checked a skipped one.

A run without either is one passed test.
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.output.checkstyle import attribute
from lint.output.report import NOT_CHECKED, Report, stated
from lint.output.terminal import Style


def render(report: Report, style: Style) -> Iterator[str]:
    complete = report.with_unchecked()
    total = len(complete.findings)
    failures, skipped = len(report.findings), len(report.unchecked)
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield f'<testsuites name="recipe-lint" tests="{max(total, 1)}" failures="{failures}" skipped="{skipped}">\n'
    if not total:
        yield '  <testsuite name="recipe-lint" tests="1" failures="0">\n'
        yield f'    <testcase name="{report.scripts} scripts" classname="recipe-lint"/>\n'
        yield "  </testsuite>\n"
    for path, findings in complete.by_path():
        skipped = sum(finding.rule == NOT_CHECKED for finding in findings)
        yield (
            f'  <testsuite name={attribute(path)} tests="{len(findings)}" failures="{len(findings) - skipped}" '
            f'skipped="{skipped}">\n'
        )
        yield from (_case(report, finding) for finding in findings)
        yield "  </testsuite>\n"
    yield "</testsuites>\n"


def _case(report: Report, finding: Finding) -> str:
    place = report.place(finding.span)
    path = attribute(place.path)
    text = f"{place.path}:{place.line}:{place.column}: {finding.severity}: {stated(finding)}"
    if finding.rule == NOT_CHECKED:
        outcome = f"<skipped message={attribute(f'{place.path}:{place.line}: {finding.message}')}/>"
    else:
        outcome = f"<failure type={attribute(finding.rule)} message={attribute(text)}/>"
    name = attribute(f"{finding.rule} at line {place.line}")
    head = f'    <testcase name={name} classname={path} file={path} line="{place.line}">'
    return f"{head}\n      {outcome}\n    </testcase>\n"
