"""Showing what a run of `check` found: on standard output or in a file, whole or as a count for each rule."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from lint.cli.arguments import fail, save
from lint.cli.options import Output
from lint.cli.running import Outcome
from lint.output import FOR_PEOPLE, pieces
from lint.output.plain import dumps
from lint.output.report import Report
from lint.output.text import plural


def show(outcome: Outcome, output: Output) -> None:
    """Print the report, or write it to its file. Inputs that are not there are left to standard error, where people
    read both."""
    report = outcome.report
    if output.output_file is not None and is_input(output.output_file, outcome):
        fail(f"--output-file: {output.output_file} is one of the scripts that are checked, and would be lost")
    if output.output_file is not None or output.form not in FOR_PEOPLE:
        report = replace(report, unchecked=(*report.unchecked, *outcome.missing))
    if output.statistics:
        text = dumps(counts(report)) if output.form == "json" else table(report)
        put((text,), output)
    else:
        put(pieces(output.form, report, output.style), output)


def is_input(path: Path, outcome: Outcome) -> bool:
    """Whether a file is one of the scripts that were checked, by whatever name."""
    real = os.path.realpath(path)
    return any(job.data is None and os.path.realpath(job.path) == real for job in outcome.jobs)


def put(text: Iterable[str], output: Output, errors: str = "backslashreplace") -> None:
    """Print the pieces of a text, or write them to the file that was asked for; `errors` is what becomes of bytes that
    are no UTF-8."""
    encoded = (piece.encode("utf-8", errors) for piece in text)
    if output.output_file is not None:
        save(output.output_file, encoded)
    elif errors == "surrogateescape":  # a patch: byte for byte, whatever the encoding of the terminal
        sys.stdout.flush()
        sys.stdout.buffer.writelines(encoded)
    else:
        sys.stdout.writelines(text)


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
