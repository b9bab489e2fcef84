"""Findings at overrides, and edits of their text in the script."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lint.findings import Confidence, Edit, Finding, Fix, Related, Severity
from lint.launch.launch import Override
from lint.launch.written import part_span
from lint.rules.rule import Rule
from lint.subject.subject import Subject
from lint.text import Span


def report(
    subject: Subject,
    rule: Rule,
    override: Override | None,
    message: str,
    *,
    key: str | None = None,
    help: str | None = None,
    note: str | None = None,
    fix: Fix | None = None,
    severity: Severity | None = None,
    confidence: Confidence | None = None,
    also: Iterable[Override] = (),
) -> Finding:
    """A finding at an override (at the launch itself if there is none)."""
    found = subject.finding(
        rule,
        message,
        span=override.span if override is not None else subject.launch.entry_span,
        help=help,
        note=note,
        fix=fix,
        severity=severity,
        confidence=confidence,
        related=[Related(other.span, f"{other.key} is set here, too") for other in also],
    )
    value = None if override is None or override.value is None else override.value.value
    return replace(found, key=key or (None if override is None else override.key), value=value)


def rename(subject: Subject, override: Override, new: str, *, safe: bool) -> Fix | None:
    """A fix that writes another key; None if the key does not stand in the script as it is."""
    span = _key_span(subject, override)
    if not _is_written(subject, span, override.key):
        return None
    return Fix(f"write {new}", safe, (Edit(span, new),))


def set_prefix(subject: Subject, override: Override, prefix: str, *, safe: bool) -> Fix | None:
    """A fix that writes another prefix; None if prefix and key do not stand in the script as they are."""
    key = _key_span(subject, override)
    start = key.start - len(override.prefix)
    if not _is_written(subject, Span(key.path, start, key.end), override.prefix + override.key):
        return None
    title = f"write {prefix}{override.key}" if prefix else f"drop the {override.prefix}"
    return Fix(title, safe, (Edit(Span(key.path, start, key.start), prefix),))


def _key_span(subject: Subject, override: Override) -> Span:
    """Where the key is written, in single quotes too."""
    start = len(override.prefix)
    return part_span(override.text, start, start + len(override.key), subject.sources) or override.span


def _is_written(subject: Subject, span: Span, text: str) -> bool:
    source = subject.sources.get(span.path)
    return source is not None and source.text[span.start : span.end] == text
