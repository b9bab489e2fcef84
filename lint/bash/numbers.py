"""Numbers as text, of any length: Python converts no more than some thousand digits, and takes long for many."""

from __future__ import annotations

from lint.regular import regular

_DIGITS = 40  # more than 64 bits take
_LEGAL = regular(r"[ \t\n\v\f\r]*([-+]?[0-9]+)[ \t]*")
_INT64 = 1 << 63


def whole(text: str) -> int:
    """The number that decimal digits stand for, with or without a sign. One far beyond 64 bits stays beyond them."""
    if len(text) <= _DIGITS:
        return int(text)
    sign = "-" if text[0] == "-" else ""
    return int(f"{sign}{text.lstrip('+-').lstrip('0')[:_DIGITS] or '0'}")


def legal_number(text: str) -> int | None:
    """The number that a word is where a builtin of bash wants one; None if it is none, or takes more than 64 bits."""
    found = _LEGAL.fullmatch(text)
    number = whole(found[1]) if found is not None else _INT64
    return number if -_INT64 <= number < _INT64 else None
