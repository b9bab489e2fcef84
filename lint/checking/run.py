"""Many scripts: read in parallel where it pays, with shellcheck beside, from the cache where nothing changed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lint import shellcheck
from lint.bash.reading import Unchecked
from lint.checking.examination import Examination, Request, from_plain, to_plain
from lint.checking.selection import is_selected, with_level
from lint.files import discovery
from lint.files.cache import Cache, digest, tool_version
from lint.findings import Finding
from lint.output.report import SEVERITIES, Report
from lint.settings import ScriptSettings
from lint.text import Source, Span

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

ALONE = 16  # scripts that one process reads sooner than a second process starts
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Job:
    """One script to check, and how. `data` is its text where that is not in the file (standard input, an editor)."""

    path: str
    request: Request
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """A job with its text, or with the finding that says why there is none."""

    job: Job
    data: bytes
    source: Source | None
    problem: Finding | None


def check(jobs: Sequence[Job], *, processes: int, cache: Cache, progress: Progress | None = None) -> Report:
    """Check every script. The findings are sorted by place; one that several scripts share is given once."""
    loaded = [load(job) for job in jobs]
    scripts = [script for script in loaded if script.source is not None]
    version = tool_version() if cache.folder is not None else ""
    remarks = Remarks(scripts, cache, processes)
    examinations: dict[str, Examination] = {}
    keys = {script.job.path: _key(script, version) for script in scripts} if cache.folder is not None else {}
    for script in scripts:
        kept = _kept(script, cache, keys)
        if kept is not None:
            examinations[script.job.path] = kept
    new = [script for script in scripts if script.job.path not in examinations]
    try:
        for script, examination in _examine(new, processes, remarks.start):
            examinations[script.job.path] = examination
            if keys and not examination.transient:
                cache.store("examination", script.job.path, keys[script.job.path], to_plain(examination))
            if progress is not None:
                progress(len(examinations), len(scripts))
        answers = remarks.collect()
    except BaseException:
        remarks.stop()
        raise
    return _report(loaded, examinations, answers)


def load(job: Job) -> Loaded:
    """The text of a job's script."""
    data = job.data if job.data is not None else discovery.read(job.path)
    source = data if isinstance(data, discovery.Unreadable) else discovery.decode(job.path, data)
    if isinstance(source, discovery.Unreadable) or isinstance(data, discovery.Unreadable):
        reason = source.reason if isinstance(source, discovery.Unreadable) else ""
        problem = Finding("unreadable-script", "error", "high", Span(job.path, 0, 0), f"the file {reason}")
        return Loaded(job, b"", None, problem)
    return Loaded(job, data, source, None)


# ----------------------------------------------------------------------------------------------------- our own part


def examine_one(job: Job, source: Source) -> Examination:
    """One script in this process."""
    from lint.checking.linter import examine
    from lint.files.sources import files_beside

    return examine(source, job.request, files_beside(job.path, from_disk=job.path != "-"))


def _in_worker(job: Job) -> Examination:
    source = load(job).source
    if source is None:
        return Examination(job.path, (), transient=True)
    return examine_one(job, source)


def _examine(
    scripts: Sequence[Loaded], processes: int, beside: Callable[[], None]
) -> Iterator[tuple[Loaded, Examination]]:
    """Examine scripts in order; `beside` is called once, as soon as the work of this part is under way."""
    if len(scripts) <= ALONE or processes < 2:
        beside()
        for script in scripts:
            assert script.source is not None
            yield script, examine_one(script.job, script.source)
        return
    import multiprocessing
    import threading
    from concurrent.futures import ProcessPoolExecutor

    first, *rest = scripts
    assert first.source is not None
    # The first script is read before the workers are forked: they start with every module, rule and schema it needed.
    yield first, examine_one(first.job, first.source)
    pool = ProcessPoolExecutor(processes, mp_context=worker_context(), initializer=ignore_interrupts)
    try:
        share = max(1, min(24, len(rest) // (processes * 3)))
        with without_interrupts():
            results = pool.map(_in_worker, [script.job for script in rest], chunksize=share)
        beside()  # after the workers were forked: threads and forks do not mix
        yield from zip(rest, results, strict=True)
    except BaseException:
        # Nobody waits for the pool here: a worker that is ended while it holds a lock of a queue would never let it go.
        threading.excepthook = lambda _: None  # the pool's own thread has no more to say
        for process in multiprocessing.active_children():
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def worker_context() -> BaseContext:
    """Forked workers have every module at once; the system libraries of macOS do not survive a fork."""
    import multiprocessing

    return multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Keep Ctrl-C waiting while workers are forked: in the midst of a fork it gets lost, or leaves a lock behind."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_interrupts() -> None:
    """The parent is told of Ctrl-C and ends its workers."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


# ------------------------------------------------------------------------------------------------------------ cache


def _key(script: Loaded, version: str) -> str:
    """Everything that our own result depends on, save the files that the script reads."""
    from lint.files.checkout import state_of_enclosing

    job = script.job
    return digest(version, job.path, script.data, job.request, state_of_enclosing(job.path))


def _kept(script: Loaded, cache: Cache, keys: Mapping[str, str]) -> Examination | None:
    path = script.job.path
    if not keys:
        return None
    stored = cache.load("examination", path, keys[path])
    examination = None if stored is None else from_plain(stored)
    if examination is None:
        return None
    if examination.looked_up:
        from lint.files.sources import files_beside

        if not files_beside(path, from_disk=path != "-").still_holds(examination.looked_up):
            return None
    return examination


# ------------------------------------------------------------------------------------------------------- shellcheck


class Remarks:
    """What shellcheck says about each script: kept from earlier, or asked for beside our own work."""

    def __init__(self, scripts: Sequence[Loaded], cache: Cache, processes: int) -> None:
        self._cache = cache
        self._processes = processes
        self._answers: dict[str, list[shellcheck.Comment] | shellcheck.Failure] = {}
        self._pending: dict[str, tuple[Loaded, str]] = {}
        self._running: shellcheck.Running | None = None
        for script in scripts:
            if script.job.request.settings.shellcheck and _asks_shellcheck(script.job.request.settings):
                key = shellcheck.key(script.data, script.job.path) if cache.folder is not None else ""
                kept = cache.load("shellcheck", script.job.path, key)
                if isinstance(kept, list):
                    self._answers[script.job.path] = kept
                else:
                    self._pending[script.job.path] = (script, key)

    def start(self) -> None:
        """Start what has to be asked; files are named, texts are handed over."""
        named = [
            path
            for path, (script, _) in self._pending.items()
            if script.job.data is None and shellcheck.can_be_named(path)
        ]
        if named:
            self._running = shellcheck.Running(named, self._processes)
        for path, (script, _) in self._pending.items():
            if path not in named:
                self._answers[path] = shellcheck.check_text(script.data, path)

    def collect(self) -> Mapping[str, list[shellcheck.Comment] | shellcheck.Failure]:
        """Every answer, once all are there."""
        for path, answer in (self._running.answers() if self._running is not None else {}).items():
            self._answers[path] = answer
            if isinstance(answer, list):
                self._cache.store("shellcheck", path, self._pending[path][1], answer)
        return self._answers

    def stop(self) -> None:
        """Ask no more."""
        if self._running is not None:
            self._running.stop()


def _asks_shellcheck(settings: ScriptSettings) -> bool:
    """False if nothing that shellcheck could say is selected."""
    return not settings.select or any(name == "shellcheck" or name.startswith("SC") for name in settings.select)


# ------------------------------------------------------------------------------------------------------------ report


def _report(
    loaded: Sequence[Loaded],
    examinations: Mapping[str, Examination],
    remarks: Mapping[str, list[shellcheck.Comment] | shellcheck.Failure],
) -> Report:
    sources = {script.job.path: script.source for script in loaded if script.source is not None}
    findings: dict[tuple[str, Span, str], Finding] = {}
    unchecked: dict[Unchecked, None] = {}
    whole = frozenset(span for examination in examinations.values() for span in examination.whole)
    for script in loaded:
        path = script.job.path
        if script.problem is not None:
            findings[script.problem.rule, script.problem.span, script.problem.message] = script.problem
            continue
        found, not_found = _of_script(script, examinations[path], remarks.get(path, []), whole)
        for finding in found:
            findings.setdefault((finding.rule, finding.span, finding.message), finding)
        unchecked.update(dict.fromkeys(not_found))
    _load_others(sources, findings.values())
    left, silenced = _silence(list(findings.values()), sources, {script.job.path: script.job for script in loaded})
    order = sorted(left, key=lambda one: (one.span, SEVERITIES.index(one.severity), one.rule, one.message))
    said = {(one.span.path, one.span.start, one.message) for one in findings.values()}
    return Report(
        findings=tuple(order),
        # What a finding says already is not said again: whoever counts would count it twice.
        unchecked=tuple(one for one in unchecked if (one.span.path, one.span.start, one.reason) not in said),
        scripts=len(examinations),
        launches=sum(examination.launches for examination in examinations.values()),
        sources=sources,
        suppressed=silenced,
    )


def _of_script(
    script: Loaded,
    examination: Examination,
    answer: list[shellcheck.Comment] | shellcheck.Failure,
    whole: frozenset[Span],
) -> tuple[list[Finding], list[Unchecked]]:
    """The findings of one script with shellcheck's, save those that the reader proves wrong."""
    settings = script.job.request.settings
    found = list(examination.findings)
    unchecked = list(examination.unchecked)
    if isinstance(answer, shellcheck.Failure):
        unchecked.append(Unchecked(Span(script.job.path, 0, 0), answer.reason))
        return found, unchecked
    assert script.source is not None
    line = script.source.line
    said = {
        (code, line(one.span.start))
        for one in found
        for code in shellcheck.SAID_BETTER.get(one.rule, ())
        if one.span.path == script.job.path
    }
    broken = any(one.rule == "syntax-error" for one in found)
    for finding in shellcheck.findings(answer, script.source):
        follows = broken and finding.rule.startswith(shellcheck.ABOUT_SYNTAX)
        if follows or (finding.rule, line(finding.span.start)) in said:
            continue
        if finding.rule in shellcheck.NOT_PARSED:
            if finding.rule == "SC1072":
                unchecked.append(Unchecked(finding.span, f"shellcheck stops reading here: {finding.message}"))
            continue
        proven = finding.rule in shellcheck.SPLITTING and finding.span in whole
        if not proven and is_selected(finding.rule, settings):
            found.append(with_level(finding, settings))
    return found, unchecked


def _load_others(sources: dict[str, Source], findings: Iterable[Finding]) -> None:
    """Add the text of files that findings speak of and that are no inputs themselves."""
    for finding in findings:
        for span in (finding.span, *(other.span for other in finding.related)):
            if span.path not in sources:
                data = discovery.read(span.path)
                if isinstance(data, bytes):
                    sources[span.path] = Source.decode(span.path, data)


def _silence(
    findings: Sequence[Finding], sources: Mapping[str, Source], jobs: Mapping[str, Job]
) -> tuple[Sequence[Finding], int]:
    """What the comments of all files leave, and how many they silence; scripts without one are not parsed again."""
    commented = {path: source for path, source in sources.items() if "recipe-lint:" in source.text}
    if not commented:
        return findings, 0
    from lint.bash.parser import parse
    from lint.rules import catalogue
    from lint.suppression import directives, suppress

    scripts = {path: parse(source) for path, source in commented.items()}
    known = {path: suppress.Commented(script, directives.parse(script)) for path, script in scripts.items()}

    def ran(path: str, rule: str) -> bool:
        settings = jobs[path].request.settings
        return is_selected(rule, settings) and (settings.shellcheck or not rule.startswith("SC"))

    names = suppress.Names(catalogue.is_rule, catalogue.is_suppressible, ran, catalogue.nearest)
    silenced = suppress.apply(findings, known, set(jobs), names)
    kept = [
        finding
        for finding in silenced.findings
        if finding.rule not in (suppress.UNUSED, suppress.INVALID) or ran(finding.span.path, finding.rule)
    ]
    return kept, silenced.count
