"""JUnit's XML: each script is a test suite, each finding a failed test, a script without findings one passed test."""

from __future__ import annotations

from itertools import groupby

from lint.output.checkstyle import attribute
from lint.output.report import Report
from lint.output.terminal import Style


def render(report: Report, style: Style) -> str:
    total = len(report.findings)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="recipe-lint" tests="{max(total, 1)}" failures="{total}">',
    ]
    if not total:
        lines += [
            '  <testsuite name="recipe-lint" tests="1" failures="0">',
            f'    <testcase name="{report.scripts} scripts" classname="recipe-lint"/>',
            "  </testsuite>",
        ]
    for path, group in groupby(report.findings, key=lambda finding: finding.span.path):
        findings = list(group)
        lines.append(f'  <testsuite name={attribute(path)} tests="{len(findings)}" failures="{len(findings)}">')
        for finding in findings:
            place = report.place(finding.span)
            text = f"{place.path}:{place.line}:{place.column}: {finding.severity}: {finding.message}"
            lines += [
                f"    <testcase name={attribute(f'{finding.rule} at line {place.line}')} classname={attribute(path)} "
                f'file={attribute(path)} line="{place.line}">',
                f"      <failure type={attribute(finding.rule)} message={attribute(text)}/>",
                "    </testcase>",
            ]
        lines.append("  </testsuite>")
    lines.append("</testsuites>")
    return "\n".join(lines) + "\n"
