"""Many scripts: read in parallel where it pays, with shellcheck beside, from the cache where nothing changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

from lint.checking.examination import Examination, GoOn, Request, from_plain, to_plain
from lint.checking.pool import each
from lint.checking.remarks import Remarks
from lint.checking.reporting import report
from lint.files import discovery
from lint.files.cache import Cache, digest, tool_version
from lint.findings import Finding
from lint.frozen import frozen
from lint.output.report import Report
from lint.packed import Packed
from lint.text import Source, Span

Progress = Callable[[int, int], None]


@frozen
class Job:
    """One script to check, and how. `data` is its text where that is not in the file (standard input, an editor), and
    `unsaved` are those of other files, by real path."""

    path: str
    request: Request
    data: bytes | None = None
    unsaved: Mapping[str, str] | None = None


def check(
    jobs: Sequence[Job],
    *,
    processes: int,
    cache: Cache,
    progress: Progress | None = None,
    depends: set[str] | None = None,
) -> Report:
    """Check every script. The findings are sorted by place; one that several scripts share is given once.

    `depends`, if it is given, receives the paths of all other files that the result depends on.
    """
    sources: Packed[str, Source] = Packed()
    examinations: Packed[str, Examination] = Packed()
    unreadable: list[Finding] = []
    new: list[tuple[Job, str]] = []
    remarks = Remarks(cache, processes)
    version = tool_version() if cache.folder is not None else ""
    for job in jobs:
        source = load(job)
        if isinstance(source, Finding):
            unreadable.append(source)
            continue
        sources[job.path] = source
        remarks.ask(source, job.data is None, job.request.settings)
        key = _key(job, source, version) if cache.folder is not None else ""
        kept = _kept(job.path, cache, key)
        if kept is None:
            new.append((job, key))
        else:
            examinations[job.path] = kept
            _note(kept, depends)
    try:
        remarks.start()
        with closing(each(examine_one, [job for job, _ in new], processes)) as results:  # its workers end with it
            for (job, key), examination in zip(new, results, strict=True):
                examinations[job.path] = examination
                _note(examination, depends)
                if key and not examination.transient:
                    cache.store("examination", job.path, key, to_plain(examination))
                remarks.advance()
                if progress is not None:
                    progress(len(examinations), len(sources))
        answers = remarks.collect()
    except BaseException:
        remarks.stop()
        raise
    return report({job.path: job.request.settings for job in jobs}, sources, unreadable, examinations, answers)


def load(job: Job) -> Source | Finding:
    """The text of a job's script, or the finding that says why there is none."""
    data = job.data if job.data is not None else discovery.read(job.path)
    source = data if isinstance(data, discovery.Unreadable) else discovery.decode(job.path, data)
    if isinstance(source, discovery.Unreadable):
        return Finding("unreadable-script", "error", "high", Span(job.path, 0, 0), f"the file {source.reason}")
    return source


# ----------------------------------------------------------------------------------------------------- our own part


def examine_one(job: Job, go_on: GoOn = lambda: None) -> Examination:
    """One script by itself. Raises what `go_on` does, which is asked before each rule."""
    from lint.checking.linter import examine
    from lint.files.sources import files_beside

    source = load(job)
    if isinstance(source, Finding):
        return Examination(job.path, (source,), transient=True)
    return examine(source, job.request, files_beside(job.path, job.path != "-", job.unsaved), go_on)


def _note(examination: Examination, depends: set[str] | None) -> None:
    """Add where the files lie that a script was found to read."""
    if depends is not None:
        from lint.files.sources import files_beside

        depends.update(files_beside(examination.path).places(examination.looked_up))


# ------------------------------------------------------------------------------------------------------------ cache


def _key(job: Job, source: Source, version: str) -> str:
    """Everything that our own result depends on, save the files that the script reads."""
    from lint.callers.mentions import state_of_calls
    from lint.files.checkout import state_of, state_of_enclosing, top_folder
    from lint.files.hub import hub
    from lint.files.required import required_verl

    stated = job.request.given.verl or job.request.settings.verl
    checkouts = (state_of_enclosing(job.path), required_verl(job.path), "" if stated is None else state_of(stated))
    root = None if job.path == "-" else top_folder(job.path)
    calls = "" if root is None else state_of_calls(job.path, root)
    return digest(version, job.path, source.encode(), job.request, checkouts, calls, hub())


def _kept(path: str, cache: Cache, key: str) -> Examination | None:
    """What was found in the same script earlier, if all that it depends on is still the same."""
    stored = cache.load("examination", path, key)
    examination = None if stored is None else from_plain(stored)
    if examination is None:
        return None
    if examination.looked_up:
        from lint.files.sources import files_beside

        if not files_beside(path, from_disk=path != "-").still_holds(examination.looked_up):
            return None
    return examination
