"""The escapes of `$'...'`, as bash decodes them."""

from __future__ import annotations

import re

from lint.regular import regular

NAMED = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
"""The characters that a letter or sign after a backslash stands for."""
_ESCAPE = regular(
    r"\\(?:(?P<octal>[0-7]{1,3})"
    r"|x(?:\{(?P<braced>[0-9A-Fa-f]+)\}?|(?P<byte>[0-9A-Fa-f]{1,2}))"
    r"|(?:u(?P<short>[0-9A-Fa-f]{1,4})|U(?P<long>[0-9A-Fa-f]{1,8}))"
    r"|c(?P<control>\\\\|.)"
    r"|(?P<simple>.))",
    re.DOTALL,
)


def decode_escapes(text: str) -> str:
    """The value of `$'text'`. Octal and hexadecimal escapes are bytes; a NUL ends the value, as in C."""
    if "\\" not in text:
        return text
    value = bytearray()
    position = 0
    for match in _ESCAPE.finditer(text):
        value += _encode(text[position : match.start()])
        position = match.end()
        replacement = _decode(match)
        if replacement == b"\0":
            return value.decode("utf-8", "surrogateescape")
        value += replacement
    value += _encode(text[position:])
    return value.decode("utf-8", "surrogateescape")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _decode(match: re.Match[str]) -> bytes:
    """The bytes one escape stands for; an escape that bash does not know keeps its backslash."""
    kind, digits = match.lastgroup, match.group(match.lastgroup or 0)
    if kind == "octal":
        return bytes([int(digits, 8) & 0xFF])
    if kind in ("byte", "braced"):
        return bytes([int(digits, 16) & 0xFF])
    if kind in ("short", "long"):
        return _utf8(int(digits, 16))
    if kind == "control":
        character = digits[-1]
        return b"\x7f" if character == "?" else bytes([ord(character.upper()) & 0x1F])
    return _encode(NAMED.get(digits, "\\" + digits))


def _utf8(code: int) -> bytes:
    if code > 0x10FFFF:
        return b""
    return chr(code).encode("utf-8", "surrogatepass")
