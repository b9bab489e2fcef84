"""Fixing scripts: edits are applied and the result is checked again, until nothing is left to fix."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lint.checking.run import Job
from lint.checking.selection import ALWAYS
from lint.findings import Finding
from lint.fixes.fix import apply
from lint.fixes.patch import patch
from lint.frozen import frozen
from lint.output.report import Report
from lint.text import Source

ROUNDS = 10
GROWTH = 2  # a script that becomes longer than that many times itself is not being repaired


@frozen
class Repaired:
    """The text of each script that changes, what was fixed, what is left, and scripts whose fixes were refused."""

    texts: Mapping[str, Source]
    originals: Mapping[str, Source]
    fixed: tuple[Finding, ...]
    report: Report
    refused: tuple[str, ...]


def repair(jobs: Sequence[Job], report: Report, check: Callable[[Sequence[Job]], Report], unsafe: bool) -> Repaired:
    """Apply the fixes of a report in memory. Only scripts that were named are changed, never files that they source."""
    by_path = {job.path: job for job in jobs}
    originals = {path: source for path, source in report.sources.items() if path in by_path}
    sources = dict(originals)
    fixed: list[Finding] = []
    refused: set[str] = set()
    left = report
    for number in range(ROUNDS):
        candidates = [finding for finding in left.findings if finding.span.path not in refused]
        applied = apply(candidates, {path: sources[path] for path in sources if path not in refused}, unsafe)
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
        refused |= worse
        sources.update({path: source for path, source in changed.items() if path not in worse})
        fixed.extend(finding for finding in applied.fixed if finding.span.path not in worse)
        left = _joined(left, again, set(changed) - worse, sources)
    texts = {path: source for path, source in sources.items() if source.text != originals[path].text}
    return Repaired(texts, originals, tuple(fixed), left, tuple(sorted(refused)))


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
    """The changes as a patch that `git apply` takes."""
    return "".join(patch(path, repaired.originals[path].text, new.text) for path, new in sorted(repaired.texts.items()))
