"""Many scripts: read in parallel where it pays, with shellcheck beside, from the cache where nothing changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing

from lint import shellcheck
from lint.bash.reading import Unchecked
from lint.checking.causes import LINE_ENDS, causes_first
from lint.checking.examination import Examination, Request, from_plain, to_plain
from lint.checking.packed import Packed
from lint.checking.pool import each
from lint.checking.remarks import Answer, Remarks
from lint.checking.selection import is_selected, with_level
from lint.files import discovery
from lint.files.cache import Cache, digest, tool_version
from lint.findings import Finding
from lint.frozen import frozen
from lint.output.report import SEVERITIES, Report
from lint.settings import ScriptSettings
from lint.text import Source, Span

Progress = Callable[[int, int], None]


@frozen
class Job:
    """One script to check, and how. `data` is its text where that is not in the file (standard input, an editor)."""

    path: str
    request: Request
    data: bytes | None = None


def check(jobs: Sequence[Job], *, processes: int, cache: Cache, progress: Progress | None = None) -> Report:
    """Check every script. The findings are sorted by place; one that several scripts share is given once."""
    sources: Packed[Source] = Packed()
    examinations: Packed[Examination] = Packed()
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
    try:
        remarks.start()
        with closing(each(examine_one, [job for job, _ in new], processes)) as results:  # its workers end with it
            for (job, key), examination in zip(new, results, strict=True):
                examinations[job.path] = examination
                if key and not examination.transient:
                    cache.store("examination", job.path, key, to_plain(examination))
                remarks.advance()
                if progress is not None:
                    progress(len(examinations), len(sources))
        answers = remarks.collect()
    except BaseException:
        remarks.stop()
        raise
    return _report({job.path: job for job in jobs}, sources, unreadable, examinations, answers)


def load(job: Job) -> Source | Finding:
    """The text of a job's script, or the finding that says why there is none."""
    data = job.data if job.data is not None else discovery.read(job.path)
    source = data if isinstance(data, discovery.Unreadable) else discovery.decode(job.path, data)
    if isinstance(source, discovery.Unreadable):
        return Finding("unreadable-script", "error", "high", Span(job.path, 0, 0), f"the file {source.reason}")
    return source


# ----------------------------------------------------------------------------------------------------- our own part


def examine_one(job: Job) -> Examination:
    """One script by itself."""
    from lint.checking.linter import examine
    from lint.files.sources import files_beside

    source = load(job)
    if isinstance(source, Finding):
        return Examination(job.path, (source,), transient=True)
    return examine(source, job.request, files_beside(job.path, from_disk=job.path != "-"))


# ------------------------------------------------------------------------------------------------------------ cache


def _key(job: Job, source: Source, version: str) -> str:
    """Everything that our own result depends on, save the files that the script reads."""
    from lint.callers.mentions import state_of_calls
    from lint.files.checkout import state_of, state_of_enclosing
    from lint.files.hub import hub
    from lint.files.required import required_verl
    from lint.files.sources import top_folder

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


# ------------------------------------------------------------------------------------------------------------ report


def _report(
    jobs: Mapping[str, Job],
    sources: Packed[Source],
    unreadable: Iterable[Finding],
    examinations: Packed[Examination],
    answers: Mapping[str, Answer],
) -> Report:
    findings = {(finding.rule, finding.span, finding.message): finding for finding in unreadable}
    unchecked: dict[Unchecked, None] = {}
    scripts, launches = len(examinations), 0
    elsewhere = _whole_elsewhere(examinations) if answers else frozenset()
    for path, source in sources.items():
        settings, examination = jobs[path].request.settings, examinations.pop(path)
        launches += examination.launches
        whole = examination.whole | elsewhere
        found, not_found = _of_script(source, settings, examination, answers.get(path, []), whole)
        for finding in found:
            findings.setdefault((finding.rule, finding.span, finding.message), finding)
        unchecked.update(dict.fromkeys(not_found))
    _load_others(sources, findings.values())
    left, silenced = _silence(list(findings.values()), sources, jobs)
    order = sorted(left, key=lambda one: (one.span, SEVERITIES.index(one.severity), one.rule, one.message))
    said = {(one.span.path, one.span.start, one.message) for one in findings.values()}
    return Report(
        findings=causes_first(order),
        # What a finding says already is not said again: whoever counts would count it twice.
        unchecked=tuple(one for one in unchecked if (one.span.path, one.span.start, one.reason) not in said),
        scripts=scripts,
        launches=launches,
        sources=sources,
        suppressed=silenced,
    )


def _whole_elsewhere(examinations: Mapping[str, Examination]) -> frozenset[Span]:
    """What the reading of one script proves of the expansions of other files, which it sources."""
    found = (span for path, examination in examinations.items() for span in examination.whole if span.path != path)
    return frozenset(found)


def _of_script(
    source: Source, settings: ScriptSettings, examination: Examination, answer: Answer, whole: Collection[Span]
) -> tuple[list[Finding], list[Unchecked]]:
    """The findings of one script with shellcheck's, save those that the reader proves wrong."""
    found = list(examination.findings)
    unchecked = list(examination.unchecked)
    if isinstance(answer, shellcheck.Failure):
        unchecked.append(Unchecked(Span(source.path, 0, 0), answer.reason))
        return found, unchecked
    if any(one.rule == LINE_ENDS for one in found):  # all that shellcheck says of such lines follows from it
        return found, unchecked
    line = source.line
    said = {
        (code, line(one.span.start))
        for one in found
        for code in shellcheck.SAID_BETTER.get(one.rule, ())
        if one.span.path == source.path
    }
    broken = any(one.rule == "syntax-error" for one in found)
    for finding in shellcheck.findings(answer, source):
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


def _load_others(sources: Packed[Source], findings: Iterable[Finding]) -> None:
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

    names = suppress.Names(catalogue.unknown, catalogue.is_suppressible, ran, catalogue.nearest)
    silenced = suppress.apply(findings, known, set(jobs), names)
    kept = [
        finding
        for finding in silenced.findings
        if finding.rule not in (suppress.UNUSED, suppress.INVALID) or ran(finding.span.path, finding.rule)
    ]
    return kept, silenced.count
