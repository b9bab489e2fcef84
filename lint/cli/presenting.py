"""Showing what a run of `check` found: on standard output or in a file, whole or as a count for each rule."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from lint.cli.arguments import save
from lint.cli.options import Output
from lint.output import render
from lint.output.plain import dumps
from lint.output.report import Report
from lint.output.text import plural


def show(report: Report, output: Output) -> None:
    """Print the report, or write it to its file."""
    if output.statistics:
        text = dumps(counts(report)) if output.form == "json" else table(report)
    else:
        text = render(output.form, report, output.style)
    if output.output_file is None:
        sys.stdout.write(text)
    else:
        save(output.output_file, text.encode("utf-8", "backslashreplace"))


def counts(report: Report) -> dict[str, Any]:
    """How often each rule reports, the most frequent first, as plain data."""
    found = Counter((finding.rule, finding.severity) for finding in report.findings)
    fixable = Counter(finding.rule for finding in report.findings if finding.fix is not None)
    return {
        "version": 1,
        "rules": [
            {"rule": rule, "severity": severity, "count": count, "fixable": fixable[rule]}
            for (rule, severity), count in sorted(found.items(), key=lambda row: (-row[1], row[0]))
        ],
        "checked": {"scripts": report.scripts, "launches": report.launches},
    }


def table(report: Report) -> str:
    """How often each rule reports, the most frequent first."""
    rows = counts(report)["rules"]
    widest = max((len(row["rule"]) for row in rows), default=0)
    lines = [
        f"{row['count']:>6}  {row['severity']:<7}  {row['rule']:<{widest}}"
        + (f"  {row['fixable']} fixable" if row["fixable"] else "")
        for row in rows
    ]
    total = plural(sum(row["count"] for row in rows), "finding")
    lines.append(f"{total} in {plural(report.scripts, 'script')}, {plural(report.launches, 'launch', 'launches')}")
    return "".join(line.rstrip() + "\n" for line in lines)
