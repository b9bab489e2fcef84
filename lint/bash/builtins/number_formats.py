"""Numbers as the `printf` of C writes them, which Python's `%` does not do in every detail."""

from __future__ import annotations

import math

_BASES = {"o": "o", "x": "x", "X": "X"}
_SIGNED = "di"


def integer_text(letter: str, flags: str, width: int, precision: int | None, number: int) -> str:
    """`%d`, `%u`, `%o`, `%x` and their like; an unsigned letter takes a negative number for one of 64 bits."""
    if letter not in _SIGNED and number < 0:
        number += 1 << 64
    digits = format(abs(number), _BASES.get(letter, "d"))
    if number == 0 and precision == 0:
        digits = ""
    digits = digits.rjust(precision or 0, "0")
    prefix = ""
    if letter in _SIGNED:
        prefix = "-" if number < 0 else "+" if "+" in flags else " " if " " in flags else ""
    elif "#" in flags and letter == "o" and not digits.startswith("0"):
        digits = "0" + digits
    elif "#" in flags and letter in "xX" and number:
        prefix = "0" + letter
    if "-" in flags:
        return (prefix + digits).ljust(width)
    if "0" in flags and precision is None:
        return prefix + digits.rjust(width - len(prefix), "0")
    return (prefix + digits).rjust(width)


def endless_text(letter: str, flags: str, width: int, number: float, negative: bool) -> str:
    """`%f` and its like of infinity, and of what is no number, which keeps its sign and is never filled with zeros."""
    text = "nan" if math.isnan(number) else "inf"
    text = ("-" if negative else "+" if "+" in flags else " " if " " in flags else "") + text
    text = text.upper() if letter.isupper() else text
    return text.ljust(width) if "-" in flags else text.rjust(width)
