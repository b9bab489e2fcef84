"""Numbers as text, of any length: Python converts no more than some thousand digits, and takes long for many."""

from __future__ import annotations

_DIGITS = 40  # more than 64 bits take


def whole(text: str) -> int:
    """The number that decimal digits stand for, with or without a sign. One far beyond 64 bits stays beyond them."""
    if len(text) <= _DIGITS:
        return int(text)
    sign = "-" if text[0] == "-" else ""
    return int(f"{sign}{text.lstrip('+-').lstrip('0')[:_DIGITS] or '0'}")
