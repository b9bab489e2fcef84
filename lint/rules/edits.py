"""Edits of the text that decides a value: the literal, the assignment or the default, not the place of use."""

from __future__ import annotations

from lint.findings import Edit, Fix
from lint.rules.subject import Subject, deciding


def rewrite(subject: Subject, key: str, value: str, *, safe: bool = True) -> Fix | None:
    """Write another value for a key, if one literal of the script decides the present one and nothing else."""
    override = subject.deciding_override(key)
    if override is None or override.value is None or override.value.value is None:
        return None
    places = [override.value_span]
    for piece in override.value.pieces:
        places.extend(origin.span for origin, _ in deciding(piece.origin))
    for span in places:
        source = subject.sources.get(span.path)
        if source is not None and source.text[span.start : span.end] == override.value.value:
            return Fix(f"set {override.key} to {value}", safe, (Edit(span, value),))
    return None
