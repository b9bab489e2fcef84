"""A run of `check`: which scripts a call stands for, what is found in them, and what of it is shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lint import settings
from lint.bash.reading import Unchecked
from lint.checking.run import Job, check
from lint.cli.arguments import fail, request_for
from lint.files import discovery
from lint.files.cache import Cache
from lint.files.checkout import enclosing_repository
from lint.files.discovery import Unreadable
from lint.findings import Finding
from lint.frozen import frozen
from lint.output.report import SEVERITIES, Report
from lint.output.terminal import visible
from lint.packed import sequence
from lint.settings import CONFIDENCES, ScriptSettings
from lint.text import Span


@frozen
class Filters:
    """Which findings are shown, and which of them make the exit status 1."""

    severity: str
    confidence: str | None  # None: what the settings say
    strict: bool

    def shows(self, finding: Finding, threshold: str) -> bool:
        ranks: dict[str, int] = {severity: rank for rank, severity in enumerate(SEVERITIES)}
        severe = ranks[finding.severity] <= ranks[self.severity]
        return severe and CONFIDENCES.index(finding.confidence) <= CONFIDENCES.index(threshold)

    def fails(self, findings: Iterable[Finding]) -> bool:
        """Errors and warnings fail a run; remarks only if it is strict."""
        return any(self.strict or finding.severity != "info" for finding in findings)


@frozen
class Call:
    """What the command line asks for, apart from how to show it."""

    paths: tuple[str, ...]
    given: ScriptSettings
    values: dict[str, Any]
    filters: Filters
    processes: int
    cached: bool
    changed: str | None
    stdin_filename: str | None
    force_exclude: bool


@frozen
class Collected:
    """The scripts to check, the arguments that stand for nothing, and the folders that nobody can look into."""

    jobs: tuple[Job, ...]
    missing: tuple[Unreadable, ...]
    closed: tuple[Unreadable, ...]
    left_out: bool  # scripts that were found, as options ask for: that none is left is no mistake


@frozen
class Outcome:
    """What a run found, in which scripts, and which inputs are not there: as places, and as what is said of them."""

    report: Report
    jobs: tuple[Job, ...]
    missing: tuple[Unchecked, ...]
    lacking: tuple[str, ...]


def collect(call: Call) -> Collected:
    """The scripts that the arguments stand for, each with its settings."""
    named = [path for path in call.paths if path != "-"]

    def excluded(path: str) -> bool:
        try:
            return settings.settings_for(os.path.dirname(path) or ".").excludes(path)
        except settings.BadSettings as error:
            fail(str(error))

    found = discovery.discover(named, excluded)
    paths = found.paths
    if call.force_exclude:
        paths = tuple(path for path in paths if not excluded(path))
    if call.changed is not None:
        changed = _changed(call.changed)
        paths = tuple(path for path in paths if os.path.realpath(path) in changed)
    schemas = cache_here(call.cached).folder
    jobs = [Job(path, request_for(path, call.given, call.values, schemas)) for path in paths]
    path = call.stdin_filename or "-"
    if "-" in call.paths and not (call.force_exclude and excluded(path)):
        jobs.append(Job(path, request_for(path, call.given, call.values, schemas), sys.stdin.buffer.read()))
    left_out = call.changed is not None or (call.force_exclude and (bool(found.paths) or "-" in call.paths))
    return Collected(tuple(jobs), found.missing, found.closed, left_out)


def _changed(reference: str) -> frozenset[str]:
    from lint.files.changed import NoRepository, changed_files

    try:
        return frozenset(os.path.realpath(path) for path in changed_files(reference))
    except NoRepository as error:
        fail(f"--changed: {error}")


def run(call: Call, depends: set[str] | None = None) -> Outcome:
    """Find the scripts, check them, and leave out what is not to be shown; `depends` as of `lint.checking.run`."""
    collected = collect(call)
    cache = cache_here(call.cached)
    report = check(collected.jobs, processes=call.processes, cache=cache, progress=_progress(), depends=depends)
    report = replace(report, unchecked=(*report.unchecked, *_unread(collected.closed)))
    shown = filtered(report, collected.jobs, call.filters)
    return Outcome(shown, collected.jobs, tuple(_unread(collected.missing)), lacking(collected, call))


def _unread(inputs: Iterable[Unreadable]) -> Iterator[Unchecked]:
    return (Unchecked(Span(one.path, 0, 0), one.reason) for one in inputs)


def lacking(collected: Collected, call: Call) -> tuple[str, ...]:
    """What is to be said of arguments that stand for nothing, or that together stand for no script."""
    if collected.missing:
        return tuple(f"{visible(one.path)}: {one.reason}" for one in collected.missing)
    if collected.jobs or collected.left_out:
        return ()
    return (f"no scripts found in {', '.join(map(visible, call.paths))}",)


def say(complaints: Iterable[str]) -> None:
    """Print complaints on standard error."""
    for complaint in complaints:
        print(f"recipe-lint: {complaint}", file=sys.stderr)


def filtered(report: Report, jobs: Sequence[Job], filters: Filters) -> Report:
    thresholds = {job.path: filters.confidence or job.request.settings.confidence for job in jobs}
    shown = sequence(
        finding
        for finding in report.findings
        if filters.shows(finding, thresholds.get(finding.span.path, filters.confidence or "medium"))
    )
    return replace(report, findings=shown, hidden=len(report.findings) - len(shown))


def cache_here(wanted: bool) -> Cache:
    """The cache of the repository around the current folder, else of that folder; none if it is not wanted."""
    if not wanted:
        return Cache(None)
    here = os.path.abspath(os.curdir)
    return Cache.at(Path(enclosing_repository(here) or here))


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _progress() -> Any:
    """Prints how far a long run is, on a terminal."""
    if not sys.stderr.isatty():
        return None
    from lint.checking.progress import Progress

    return Progress(sys.stderr)
