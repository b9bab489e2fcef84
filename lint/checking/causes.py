"""Causes before what follows from them: which findings wait until another is mended, and which are shown first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from lint.bash.reading import Unchecked
from lint.findings import Finding
from lint.launch.launch import Launch
from lint.output.report import SEVERITIES
from lint.rules.catalogue import group_of
from lint.text import Span

CUT = "continuation-broken"
"""The rule that says that lines were meant for a command above them; of lines between two syntax errors it knows less
than these."""
SPOILT = frozenset({"brace-missing", "line-ends"})
"""Rules that say that values hold what was never meant to be in them: nothing else that is found need be true."""
MISREAD = frozenset({CUT, "syntax-error"}) | SPOILT
"""Rules that say that bash reads a script otherwise than it was meant: all else may follow from that."""
LACKING = frozenset({"array-undefined", "overrides-not-passed"})
"""Rules whose errors say that launches get less than is written for them: all that compares values may follow."""
ALONE = frozenset({"hydra", "shell", "shellcheck", "tool"})
"""Groups of rules that judge a word by itself. The others compare values, of which some may have been cut off."""
BEFORE = "environment"
"""The group whose findings stand before the launch with whose values they compare."""


def without_consequences(
    findings: list[Finding], launches: tuple[Launch, ...]
) -> tuple[list[Finding], tuple[Unchecked, ...]]:
    """The findings to show, and what is said of those that are not.

    Where bash reads a script otherwise than it was meant, only errors are shown beside the cause: none at the head of a
    launch that was cut short or stands behind a syntax error (it lacks something), none in it, in its overrides or its
    environment that compares values (it may have the default of what was cut off), not the word where it was cut, and
    none at all where carriage returns at the ends of lines, or whole lines above a closing brace, become part of
    values. Where launches lack overrides that are written for them, what compares values waits. How many others wait
    until it is mended is said.
    """
    broken = sorted(finding.span for finding in findings if finding.rule == "syntax-error")
    causes = [one for one in findings if one.rule in MISREAD and not (one.rule == CUT and _between(one.span, broken))]
    if not causes:
        causes = [finding for finding in findings if finding.rule in LACKING and finding.severity == "error"]
        heads = {launch.entry_span for launch in launches}
        shown = [one for one in findings if one in causes or (one.span not in heads and _stands_alone(one))]
        return _with_remark(findings, shown, causes) if causes else (findings, ())
    spoilt = [cause for cause in causes if cause.rule in SPOILT]
    if spoilt:
        shown = causes = spoilt
    else:
        cut = {related.span for cause in causes for related in cause.related}
        heads = {
            launch.entry_span
            for launch in launches
            if launch.command.span in cut or any(_before(span, launch.command.span) for span in broken)
        }
        given = {place.span for launch in launches if launch.command.span in cut for place in launch.overrides}
        shown = [one for one in findings if one in causes or (one.span not in heads and _holds(one, cut, given))]
    return _with_remark(findings, shown, causes)


def _with_remark(
    findings: Sequence[Finding], shown: list[Finding], causes: Sequence[Finding]
) -> tuple[list[Finding], tuple[Unchecked, ...]]:
    """What is shown, and how many others wait for the first of the causes."""
    waiting = len(findings) - len(shown)
    noun = "other finding waits" if waiting == 1 else "other findings wait"
    said = f"{waiting} {noun} until the {causes[0].rule} here is mended"
    return shown, (Unchecked(causes[0].span, said),) if waiting else ()


def _stands_alone(finding: Finding) -> bool:
    """Whether a finding judges a word by itself, whatever other values a launch has."""
    return group_of(finding.rule) in ALONE


def _holds(finding: Finding, cut: Collection[Span], given: Collection[Span]) -> bool:
    """Whether a finding is an error whatever was cut off of the launches at `cut`, whose overrides are `given`."""
    if finding.severity != "error" or finding.rule == CUT:
        return False
    if finding.rule == "override-syntax" and any(_end(finding.span) == _end(span) for span in cut):
        return False
    inside = finding.span in given or any(_within(finding.span, span) for span in cut)
    compared = group_of(finding.rule) == BEFORE or inside
    return _stands_alone(finding) or not compared


def _before(first: Span, second: Span) -> bool:
    return first.path == second.path and first.start < second.start


def _between(span: Span, others: Sequence[Span]) -> bool:
    return any(_before(other, span) for other in others) and any(_before(span, other) for other in others)


def _end(span: Span) -> tuple[str, int]:
    return span.path, span.end


def _within(inner: Span, outer: Span) -> bool:
    return inner.path == outer.path and outer.start <= inner.start and inner.end <= outer.end


def causes_first(found: Mapping[str, Collection[Finding]]) -> Iterator[Finding]:
    """The findings of all files by place, save that one which names the place of another comes after it.

    What weighs less is no cause: a remark about the model's path does not go before the errors that name the path.
    The findings of a file are looked at in its turn, and where those of another file before it name a place in it.
    """
    seen: set[tuple[str, int]] = set()  # path and number, from the file whose turn it is on
    placed: set[tuple[str, int]] = set()
    for path in sorted(found):
        own = _Ordered(found[path])
        for number, finding in enumerate(own.findings):
            waiting = [(path, number, finding)]  # for their causes; no recursion: a chain can be as long as a script
            while waiting:
                where, at, one = waiting[-1]
                if (where, at) in seen:
                    waiting.pop()
                    if (where, at) not in placed:
                        placed.add((where, at))
                        yield one
                    continue
                seen.add((where, at))
                for span in [related.span for related in reversed(one.related) if related.span.path >= path]:
                    there = own if span.path == path else _Ordered(found.get(span.path, ()))
                    causes = reversed(list(there.causes(span, one)))
                    waiting.extend((span.path, *cause) for cause in causes if (span.path, cause[0]) not in seen)
        seen = {later for later in seen if later[0] > path}
        placed = {later for later in placed if later[0] > path}


class _Ordered:
    """The findings of one file by place."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = sorted(
            findings, key=lambda one: (one.span, SEVERITIES.index(one.severity), one.rule, one.message)
        )
        self._at: dict[Span, list[tuple[int, Finding]]] = defaultdict(list)
        for number, finding in enumerate(self.findings):
            self._at[finding.span].append((number, finding))

    def causes(self, span: Span, finding: Finding) -> Iterator[tuple[int, Finding]]:
        """Those at a place that weigh as much as a finding which names it, with their numbers."""
        for number, one in self._at.get(span, ()):
            if SEVERITIES.index(one.severity) <= SEVERITIES.index(finding.severity):
                yield number, one
