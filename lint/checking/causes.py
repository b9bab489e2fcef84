"""Causes before what follows from them: which findings wait until another is mended, and which are shown first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from lint.bash.reading import Unchecked
from lint.findings import Finding
from lint.launch.launch import Launch
from lint.output.report import SEVERITIES
from lint.rules.catalogue import group_of
from lint.text import Span

LINE_ENDS = "line-ends"
MISREAD = frozenset({"continuation-broken", LINE_ENDS, "syntax-error"})
"""Rules that say that bash reads a script otherwise than it was meant: all else may follow from that."""
LACKING = frozenset({"overrides-not-passed"})
"""Rules that say that launches get less than is written for them: all that compares values may follow from that."""
ALONE = frozenset({"hydra", "shell", "environment", "shellcheck", "tool"})
"""Groups of rules that judge a word by itself. The others compare values, of which some may have been cut off."""


def without_consequences(
    findings: list[Finding], launches: tuple[Launch, ...]
) -> tuple[list[Finding], tuple[Unchecked, ...]]:
    """The findings to show, and what is said of those that are not.

    Where bash reads a script otherwise than it was meant, only errors are shown beside the cause: none at the head of a
    launch that was cut short (it lacks something), none in it that compares values (it may have the default of what was
    cut off), not the word where it was cut, and none at all where lines end in a carriage return, which becomes part of
    the values. Where launches lack overrides that are written for them, what compares values waits. How many others
    wait until it is mended is said.
    """
    causes = [finding for finding in findings if finding.rule in MISREAD]
    if not causes:
        causes = [finding for finding in findings if finding.rule in LACKING]
        heads = {launch.entry_span for launch in launches}
        shown = [one for one in findings if one in causes or (one.span not in heads and _stands_alone(one))]
        return _with_remark(findings, shown, causes) if causes else (findings, ())
    ends = [cause for cause in causes if cause.rule == LINE_ENDS]
    if ends:
        shown = causes = ends
    else:
        cut = {related.span for cause in causes for related in cause.related}
        heads = {launch.entry_span for launch in launches if launch.command.span in cut}
        shown = [one for one in findings if one in causes or (one.span not in heads and _holds(one, cut))]
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


def _holds(finding: Finding, cut: Collection[Span]) -> bool:
    """Whether a finding is an error whatever was cut off of the launches at `cut`."""
    if finding.severity != "error":
        return False
    if finding.rule == "override-syntax" and any(_end(finding.span) == _end(span) for span in cut):
        return False
    return _stands_alone(finding) or not any(_within(finding.span, span) for span in cut)


def _end(span: Span) -> tuple[str, int]:
    return span.path, span.end


def _within(inner: Span, outer: Span) -> bool:
    return inner.path == outer.path and outer.start <= inner.start and inner.end <= outer.end


def causes_first(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings in their order, save that one which names the place of another comes after it.

    What weighs less is no cause: a remark about the model's path does not go before the errors that name the path.
    """
    at: dict[Span, list[Finding]] = defaultdict(list)
    for finding in findings:
        at[finding.span].append(finding)
    placed: dict[int, Finding] = {}
    seen: set[int] = set()
    for finding in findings:
        waiting = [finding]  # for their causes; no recursion, as a chain of them can be as long as a script
        while waiting:
            one = waiting[-1]
            if id(one) in seen:
                placed.setdefault(id(waiting.pop()), one)
            else:
                seen.add(id(one))
                causes = [
                    cause
                    for related in one.related
                    for cause in at.get(related.span, ())
                    if SEVERITIES.index(cause.severity) <= SEVERITIES.index(one.severity)
                ]
                waiting.extend(cause for cause in reversed(causes) if id(cause) not in seen)
    return tuple(placed.values())
