"""JUnit's XML: each script is a test suite, each finding a failed test, each place that was not checked a skipped one.

A run without either is one passed test.
"""

from __future__ import annotations

from lint.findings import Finding
from lint.output.checkstyle import attribute
from lint.output.report import NOT_CHECKED, Report, stated
from lint.output.terminal import Style


def render(report: Report, style: Style) -> str:
    complete = report.with_unchecked()
    total = len(complete.findings)
    failures, skipped = len(report.findings), len(report.unchecked)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="recipe-lint" tests="{max(total, 1)}" failures="{failures}" skipped="{skipped}">',
    ]
    if not total:
        lines += [
            '  <testsuite name="recipe-lint" tests="1" failures="0">',
            f'    <testcase name="{report.scripts} scripts" classname="recipe-lint"/>',
            "  </testsuite>",
        ]
    for path, findings in complete.by_path():
        skipped = sum(finding.rule == NOT_CHECKED for finding in findings)
        lines.append(
            f'  <testsuite name={attribute(path)} tests="{len(findings)}" failures="{len(findings) - skipped}" '
            f'skipped="{skipped}">'
        )
        for finding in findings:
            lines += _case(report, finding)
        lines.append("  </testsuite>")
    lines.append("</testsuites>")
    return "\n".join(lines) + "\n"


def _case(report: Report, finding: Finding) -> list[str]:
    place = report.place(finding.span)
    path = attribute(place.path)
    text = f"{place.path}:{place.line}:{place.column}: {finding.severity}: {stated(finding)}"
    if finding.rule == NOT_CHECKED:
        outcome = f"<skipped message={attribute(f'{place.path}:{place.line}: {finding.message}')}/>"
    else:
        outcome = f"<failure type={attribute(finding.rule)} message={attribute(text)}/>"
    name = attribute(f"{finding.rule} at line {place.line}")
    return [
        f'    <testcase name={name} classname={path} file={path} line="{place.line}">',
        f"      {outcome}",
        "    </testcase>",
    ]
