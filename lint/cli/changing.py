"""Changing scripts: `check --fix`, `--unsafe-fixes`, `--diff` and `--add-ignore`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from lint.checking.run import Job, check
from lint.cli.arguments import fail, save
from lint.cli.options import Changes, Output
from lint.cli.presenting import put
from lint.cli.running import Call, Outcome, filtered
from lint.files.cache import Cache
from lint.fixes.repair import Repaired, difference, repair
from lint.output.report import Report
from lint.output.terminal import visible
from lint.output.text import plural
from lint.packed import sequence


def changed(outcome: Outcome, call: Call, changes: Changes) -> Repaired:
    """The scripts of an outcome with what was asked for applied, in memory."""
    if any(job.data is not None for job in outcome.jobs) and not changes.diff:
        fail("standard input cannot be changed; ask for a patch with --diff")

    def again(jobs: Sequence[Job]) -> Report:
        return filtered(check(jobs, processes=1, cache=Cache(None)), jobs, call.filters)

    jobs = [job for job in outcome.jobs if changes.diff or _may_be_written(job.path)]
    if changes.add_ignore is None:
        return repair(jobs, outcome.report, again, changes.unsafe_fixes)
    return _suppressed(jobs, outcome.report, changes.add_ignore.strip(), again)


def _may_be_written(path: str) -> bool:
    """Whether a script may be changed; says so where it may not."""
    if os.access(path, os.W_OK) or not os.path.exists(path):
        return True
    print(f"recipe-lint: {visible(path)}: may not be written to, and is left as it is", file=sys.stderr)
    return False


def _suppressed(jobs: Sequence[Job], report: Report, reason: str, again: Callable[[Sequence[Job]], Report]) -> Repaired:
    from lint.suppression.insert import with_suppressions

    if not reason or not reason.isprintable():
        fail("--add-ignore wants the reason, on one line")

    def without_fixes(jobs: Sequence[Job]) -> Report:
        report = again(jobs)
        return replace(report, findings=sequence(replace(finding, fix=None) for finding in report.findings))

    return repair(jobs, with_suppressions(report, reason), without_fixes, unsafe=False, errors_first=False)


def put_patch(repaired: Repaired, output: Output) -> bool:
    """Print the changes as a patch, or write it to the file that was asked for; whether there are any."""
    _say_refused(repaired)
    patch = difference(repaired)
    put((patch,), output, "surrogateescape")
    return bool(patch)


def write(repaired: Repaired, done: str) -> None:
    """Put the changed scripts in place, and say how many findings were `done` away with."""
    _say_refused(repaired)
    for path, source in repaired.texts.items():
        save(path, source.encode())
    if repaired.fixed:
        count = plural(len(repaired.fixed), "finding")
        print(f"recipe-lint: {done} {count} in {plural(len(repaired.texts), 'script')}", file=sys.stderr)


def _say_refused(repaired: Repaired) -> None:
    """Say which fixes were not applied."""
    for path in repaired.refused:
        print(f"recipe-lint: {visible(path)}: its edits would break the script and were left out", file=sys.stderr)
    said: dict[str, None] = {}
    for finding, brought in repaired.withheld:
        why = "is undone by another" if brought == finding.rule else f"would bring an error ({brought})"
        said[f"recipe-lint: {visible(finding.span.path)}: the fix of {finding.rule} {why} and was left out"] = None
    for line in said:
        print(line, file=sys.stderr)
