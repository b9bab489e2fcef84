"""Fixing scripts: edits are applied and the result is checked again, until nothing is left to fix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lint.checking.run import Job
from lint.checking.selection import ALWAYS
from lint.files.discovery import shown_path
from lint.findings import Finding
from lint.fixes.fix import apply
from lint.fixes.patch import patch
from lint.frozen import frozen
from lint.output.report import Report
from lint.text import Source

ROUNDS = 10
MOST_ALONE = 20  # fixes of a script that are tried one by one
GROWTH = 2  # a script that becomes longer than that many times itself is not being repaired


@frozen
class Repaired:
    """The text of each script that changes, what was fixed, what is left, scripts whose fixes were refused, and
    findings whose fix was, each with the rule of the error that it brings."""

    texts: Mapping[str, Source]
    originals: Mapping[str, Source]
    fixed: tuple[Finding, ...]
    report: Report
    refused: tuple[str, ...]
    withheld: tuple[tuple[Finding, str], ...] = ()


Check = Callable[[Sequence[Job]], Report]


def repair(jobs: Sequence[Job], report: Report, check: Check, unsafe: bool, *, errors_first: bool = True) -> Repaired:
    """Apply the fixes of a report in memory. Only scripts that were named are changed, never files that they source.

    Errors are mended first: what comes to light then was hidden before. After that no fix may bring an error of another
    rule.
    """
    by_path = {job.path: job for job in jobs}
    originals = {path: source for path, source in report.sources.items() if path in by_path}
    sources = dict(originals)
    fixed: list[Finding] = []
    refused: set[str] = set()
    withheld: dict[tuple[str, str, str], tuple[Finding, str]] = {}
    earlier = {path: {source.text: 0} for path, source in originals.items()}  # texts, and how much was fixed by then
    left = report
    for number in range(ROUNDS):
        candidates = [one for one in left.findings if one.span.path not in refused and _name(one) not in withheld]
        open_to = {path: sources[path] for path in sources if path not in refused}
        applied = apply(_gravest(candidates, unsafe) if errors_first else candidates, open_to, unsafe)
        if not applied.texts:  # a fix in a file that was not named, for one, is never applied
            applied = apply(candidates, open_to, unsafe)
        if not applied.texts:
            break
        changed = {path: Source(path, text) for path, text in applied.texts.items()}
        grown = {path for path, source in changed.items() if number and _grew(originals[path].text, source.text)}
        if grown:  # these go back to what they were, with all that was done to them before
            refused |= grown
            sources.update({path: originals[path] for path in grown})
            fixed = [finding for finding in fixed if finding.span.path not in grown]
            left = _joined(left, report, grown, sources)
            continue
        again = check([replace(by_path[path], data=source.encode()) for path, source in changed.items()])
        worse = {finding.span.path for finding in again.findings if finding.rule in ALWAYS} & set(changed)
        worse -= {finding.span.path for finding in left.findings if finding.rule in ALWAYS}
        spoilt = {path for path in changed if path not in worse and _brought(path, applied.fixed, left, again)}
        for path in spoilt:
            bad = _culprits(by_path[path], sources[path], applied.fixed, left, check, unsafe)
            withheld.update({_name(one): (one, rule) for one, rule in bad})
            worse |= set() if bad else {path}
        refused |= worse
        done = set(changed) - worse - spoilt
        sources.update({path: changed[path] for path in done})
        fixed.extend(finding for finding in applied.fixed if finding.span.path in done)
        for path in done:
            since = earlier[path].setdefault(sources[path].text, len(fixed))
            undone = [one for one in fixed[since:] if one.span.path == path]  # one fix undoes another
            withheld.update({_name(one): (one, one.rule) for one in undone})
            fixed = [one for one in fixed if all(one is not other for other in undone)]
        left = _joined(left, again, done, sources)
    texts = {path: source for path, source in sources.items() if source.text != originals[path].text}
    return Repaired(texts, originals, tuple(fixed), left, tuple(sorted(refused)), tuple(withheld.values()))


def _name(finding: Finding) -> tuple[str, str, str]:
    """What a finding is known by while the lines around it move."""
    return finding.span.path, finding.rule, finding.message


def _gravest(findings: Sequence[Finding], unsafe: bool) -> list[Finding]:
    """The errors of each script that can be fixed, or, where there are none, all findings."""
    fixable = [one for one in findings if one.fix is not None and (unsafe or one.fix.safe)]
    with_errors = {one.span.path for one in fixable if one.severity == "error"}
    return [one for one in fixable if one.severity == "error" or one.span.path not in with_errors]


def _brought(path: str, fixed: Iterable[Finding], before: Report, after: Report) -> str | None:
    """The rule of an error that a script has after fixes of what was no error, and not before."""
    if any(one.severity == "error" for one in fixed if one.span.path == path):
        return None
    known, new = ({one.rule for one in _errors(report, path)} for report in (before, after))
    return min(new - known, default=None)


def _errors(report: Report, path: str) -> Iterator[Finding]:
    return (one for one in report.findings if one.span.path == path and one.severity == "error")


def _culprits(
    job: Job, source: Source, fixed: Iterable[Finding], before: Report, check: Check, unsafe: bool
) -> list[tuple[Finding, str]]:
    """The findings of one script whose fix, applied alone, brings an error, with the rule of that error."""
    found = []
    for finding in [one for one in fixed if one.span.path == job.path][:MOST_ALONE]:
        alone = apply([finding], {job.path: source}, unsafe)
        again = check([replace(job, data=Source(job.path, text).encode()) for text in alone.texts.values()])
        rule = _brought(job.path, [finding], before, again)
        if rule is not None:
            found.append((finding, rule))
    return found


def _grew(before: str, after: str) -> bool:
    """Whether one fix makes work for the next, without end."""
    return len(after) > GROWTH * len(before) + 1000


def _joined(before: Report, again: Report, paths: set[str], sources: Mapping[str, Source]) -> Report:
    """The report with the findings of some scripts replaced by those of a later run."""
    findings = [finding for finding in before.findings if finding.span.path not in paths]
    findings += [finding for finding in again.findings if finding.span.path in paths]
    unchecked = [place for place in before.unchecked if place.span.path not in paths]
    unchecked += [place for place in again.unchecked if place.span.path in paths]
    findings.sort(key=lambda finding: (finding.span, finding.rule, finding.message))
    return replace(before, findings=tuple(findings), unchecked=tuple(unchecked), sources={**before.sources, **sources})


def difference(repaired: Repaired) -> str:
    """The changes as a patch that `git apply` takes: a file behind links is named as it is, and once."""
    patches: dict[str, str] = {}
    for path, new in sorted(repaired.texts.items()):
        place = os.path.realpath(path)
        named = path if place == os.path.abspath(path) else shown_path(place)
        patches.setdefault(place, patch(named, repaired.originals[path].text, new.text))
    return "".join(patches.values())
