"""What all scripts of a run yield together: each finding once, by place, without what comments silence.

However many scripts there are, the findings of one file at a time are in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from lint import shellcheck
from lint.bash.reading import Unchecked
from lint.checking.causes import SPOILT, causes_first
from lint.checking.examination import Examination
from lint.checking.remarks import Answer
from lint.checking.selection import is_selected, with_level
from lint.files import discovery
from lint.findings import Finding
from lint.output.report import Report
from lint.packed import Packed, sequence
from lint.settings import ScriptSettings
from lint.text import Source, Span

COMMENT = "recipe-lint:"
"""Without it a file says nothing to the tool, and is not parsed again."""


def report(
    settings: Mapping[str, ScriptSettings],
    sources: Packed[str, Source],
    unreadable: Iterable[Finding],
    examinations: Packed[str, Examination],
    answers: Mapping[str, Answer],
) -> Report:
    """The report on scripts that were examined. `settings` are theirs, by path; `examinations` are used up."""
    found: Packed[str, list[Finding]] = Packed()  # by the file that they stand in
    unchecked: dict[Unchecked, None] = {}
    scripts, launches = len(examinations), 0
    elsewhere = _whole_elsewhere(examinations) if answers else frozenset()
    others: set[str] = set()  # files that findings speak of, and that are no inputs themselves
    _add(found, unreadable)
    for path, source in sources.items():
        examination = examinations.pop(path)
        launches += examination.launches
        whole = examination.whole | elsewhere
        of_script, not_found = _of_script(source, settings[path], examination, answers.get(path, []), whole)
        _add(found, of_script)
        unchecked.update(dict.fromkeys(not_found))
        others.update(span.path for one in of_script for span in (one.span, *(other.span for other in one.related)))
    _load(sources, others)
    # What a finding says already is not said again: whoever counts would count it twice.
    left = tuple(one for one in unchecked if not _is_said(found, one))
    silenced = sum(_silence(found, source, settings) for source in sources.values() if COMMENT in source.text)
    return Report(
        findings=sequence(causes_first(found)),
        unchecked=left,
        scripts=scripts,
        launches=launches,
        sources=sources,
        suppressed=silenced,
    )


def _add(found: Packed[str, list[Finding]], findings: Iterable[Finding]) -> None:
    """Add findings that are not there yet: what a script finds in a file that it sources, another may have found."""
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.span.path, []).append(finding)
    for path, new in by_path.items():
        known: dict[tuple[str, Span, str], Finding] = {}
        for finding in (*found.get(path, ()), *new):
            known.setdefault((finding.rule, finding.span, finding.message), finding)
        found[path] = list(known.values())


def _is_said(found: Mapping[str, Sequence[Finding]], unchecked: Unchecked) -> bool:
    """Whether a finding says the same in the same place."""
    start, reason = unchecked.span.start, unchecked.reason
    return any(one.span.start == start and one.message == reason for one in found.get(unchecked.span.path, ()))


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
    if any(one.rule in SPOILT for one in found):  # all that shellcheck says follows from it
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


def _load(sources: Packed[str, Source], paths: Iterable[str]) -> None:
    """Add the text of files that are not there yet."""
    for path in paths:
        data = b"" if path in sources else discovery.read(path)
        if path not in sources and isinstance(data, bytes):
            sources[path] = Source.decode(path, data)


def _silence(found: Packed[str, list[Finding]], source: Source, settings: Mapping[str, ScriptSettings]) -> int:
    """Take out what the comments of one file silence, and add what is wrong with these; how many are silenced."""
    from lint.bash.parser import parse
    from lint.rules import catalogue
    from lint.suppression import directives, suppress

    def ran(path: str, rule: str) -> bool:
        return is_selected(rule, settings[path]) and (settings[path].shellcheck or not rule.startswith("SC"))

    path, script = source.path, parse(source)
    commented = {path: suppress.Commented(script, directives.parse(script))}
    names = suppress.Names(catalogue.unknown, catalogue.is_suppressible, ran, catalogue.nearest)
    silenced = suppress.apply(found.get(path, ()), commented, {path} & settings.keys(), names)
    about = (suppress.UNUSED, suppress.INVALID)
    found[path] = [one for one in silenced.findings if one.rule not in about or ran(path, one.rule)]
    return silenced.count
