"""Findings that a project knows of: the baseline of a run of `check`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from lint import settings
from lint.cli.arguments import fail
from lint.cli.running import Call, Outcome
from lint.files.discovery import shown_path
from lint.output.report import Report
from lint.output.text import plural
from lint.suppression import baseline


def save_baseline(file: Path, report: Report) -> None:
    """Write every finding of a report to a file, as the baseline of later runs."""
    try:
        baseline.save(file, baseline.collect(report))
    except baseline.BadBaseline as error:
        fail(str(error))
    print(f"recipe-lint: wrote {plural(len(report.findings), 'finding')} to {file}", file=sys.stderr)


def without_known(outcome: Outcome, file: Path | None, call: Call) -> Outcome:
    """The outcome without what the baseline holds; a baseline that shrank is written back."""
    file = baseline_of(call, file)
    if file is None:
        return outcome
    try:
        entries = baseline.load(file)
    except baseline.BadBaseline as error:
        fail(str(error))
    report = outcome.report
    complete = not call.values and call.filters.severity == "info" and call.filters.confidence is None
    compared = baseline.compare(report, entries, [job.path for job in outcome.jobs], complete)
    if compared.remaining != entries:
        _shrink(file, compared, sum(entries.values()) - sum(compared.remaining.values()))
    return replace(outcome, report=replace(report, findings=compared.findings, baselined=compared.known))


def _shrink(file: Path, compared: baseline.Compared, gone: int) -> None:
    what = f"{plural(gone, 'finding')} that no longer {'occurs' if gone == 1 else 'occur'}"
    try:
        baseline.save(file, compared.remaining)
        print(f"recipe-lint: took {what} out of {file}", file=sys.stderr)
    except baseline.BadBaseline as error:  # a checkout that is read only: the entries can stay
        print(f"recipe-lint: {error}; it holds {what}", file=sys.stderr)


def baseline_of(call: Call, file: Path | None) -> Path | None:
    """The baseline of a run: the file that the command line names, else that of the settings."""
    if file is not None:
        return file
    found = settings.settings_for(call.paths[0] if call.paths[0] != "-" else ".").baseline
    return Path(shown_path(found)) if found else None
