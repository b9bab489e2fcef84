"""Text that is safe and aligned in a terminal: escapes for what must not be sent, widths in cells, colour."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from typing import TextIO

TAB = "    "

CODES = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "emphasis": "1",
    "frame": "34",
    "related": "34",
    "label": "36",
    "good": "32",
    "dim": "2",
}


class Style:
    """Paints text by its role, or leaves it as it is."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def paint(self, role: str, text: str) -> str:
        return f"\x1b[{CODES[role]}m{text}\x1b[0m" if self.colour and text else text


def wants_colour(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Colour on a terminal, unless NO_COLOR is set; FORCE_COLOR asks for it anywhere (and wins)."""
    if environment.get("FORCE_COLOR"):
        return True
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    return stream.isatty()


def visible(text: str) -> str:
    """`text` with tabs as blanks, and an escape in place of every character that could act on the terminal.

    Those are control characters, bytes that are not UTF-8, and invisible formatting characters (among them the
    bidirectional ones that make source text look like something else).
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t":
        return TAB
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8, as surrogateescape decodes it
        return f"\\x{code - 0xDC00:02x}"
    category = unicodedata.category(character)
    if category in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character


def width(text: str) -> int:
    """How many cells of a terminal the (visible) text takes."""
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


def padded(text: str, cells: int) -> str:
    """The (visible) text with blanks up to a width."""
    return text + " " * (cells - width(text))


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
