"""Findings as plain data and back, for the cache."""

from __future__ import annotations

from typing import Any, cast

from lint.bash.reading import Unchecked
from lint.findings import Confidence, Edit, Finding, Fix, Related, Severity
from lint.text import Span


def span_to_plain(span: Span) -> list[Any]:
    return [span.path, span.start, span.end]


def span_from_plain(row: list[Any]) -> Span:
    path, start, end = row
    return Span(str(path), int(start), int(end))


def finding_to_plain(finding: Finding) -> list[Any]:
    fix = finding.fix
    return [
        finding.rule,
        finding.severity,
        finding.confidence,
        span_to_plain(finding.span),
        finding.message,
        finding.key,
        finding.value,
        finding.phase,
        finding.help,
        finding.note,
        [[span_to_plain(other.span), other.message] for other in finding.related],
        None if fix is None else [fix.title, fix.safe, [[span_to_plain(edit.span), edit.text] for edit in fix.edits]],
        dict(finding.scenario),
    ]


def finding_from_plain(row: list[Any]) -> Finding:
    """The finding that `finding_to_plain` gave. Raises TypeError or ValueError for anything else."""
    rule, severity, confidence, span, message, key, value, phase, help, note, related, fix, scenario = row
    return Finding(
        rule=str(rule),
        severity=cast(Severity, severity),
        confidence=cast(Confidence, confidence),
        span=span_from_plain(span),
        message=str(message),
        key=key,
        value=value,
        phase=phase,
        help=help,
        note=note,
        related=tuple(Related(span_from_plain(place), text) for place, text in related),
        fix=None
        if fix is None
        else Fix(fix[0], fix[1], tuple(Edit(span_from_plain(place), text) for place, text in fix[2])),
        scenario=dict(scenario),
    )


def unchecked_to_plain(unchecked: Unchecked) -> list[Any]:
    return [span_to_plain(unchecked.span), unchecked.reason]


def unchecked_from_plain(row: list[Any]) -> Unchecked:
    span, reason = row
    return Unchecked(span_from_plain(span), str(reason))
