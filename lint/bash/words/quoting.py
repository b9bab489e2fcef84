"""Text with escapes, and text quoted for bash to read again."""

from __future__ import annotations

import re

from lint.bash.parsing.escapes import NAMED
from lint.regular import regular

_ECHO = regular(
    r"\\(?:(?P<simple>[abeEfnrtv\\])|x(?P<hex>[0-9A-Fa-f]{1,2})|u(?P<u>[0-9A-Fa-f]{1,4})"
    r"|U(?P<U>[0-9A-Fa-f]{1,8})|0(?P<octal>[0-7]{0,3})|(?P<end>c))"
)
_PERCENT_B = regular(_ECHO.pattern.replace("0(?P<octal>[0-7]{0,3})", "(?P<octal>0[0-7]{0,3}|[1-7][0-7]{0,2})"))
_FORMAT = regular(
    r"\\(?:(?P<simple>[abeEfnrtv\\'\"?])|x(?P<hex>[0-9A-Fa-f]{1,2})|u(?P<u>[0-9A-Fa-f]{1,4})"
    r"|U(?P<U>[0-9A-Fa-f]{1,8})|(?P<octal>[0-7]{1,3}))"
)


_BACKSLASHED = {ord(character): "\\" + character for character in " !\"$&'()*,;<>?[\\]^`{|}"}


def echo_decode(text: str, octal: bool = False) -> tuple[str, bool]:
    """The text as `echo -e` prints it; whether `\\c` ended it. `octal`: as `printf %b`, which takes `\\101`, too."""
    escapes = _PERCENT_B if octal else _ECHO
    end = next((found for found in escapes.finditer(text) if found["end"]), None)
    if end is not None:
        text = text[: end.start()]
    return _bytes(escapes.sub(_character, text)), end is not None


def format_decode(text: str) -> str:
    """The plain text of a `printf` format."""
    return _bytes(_FORMAT.sub(_character, text))


def _character(found: re.Match[str]) -> str:
    parts = found.groupdict()
    if parts["simple"] is not None:
        return NAMED[parts["simple"]]
    if parts["hex"] is not None:
        return _byte(int(parts["hex"], 16))
    for name in ("u", "U"):
        if parts[name] is not None:
            code = int(parts[name], 16)
            return chr(code) if code < 0xD800 or 0xDFFF < code < 0x110000 else found[0]
    return _byte(int(parts["octal"] or "0", 8) & 0xFF)


def _byte(value: int) -> str:
    return chr(value) if value < 128 else chr(0xDC00 + value)


def _bytes(text: str) -> str:
    """Bytes that stand side by side and form a character of UTF-8 become that character."""
    if not any("\udc80" <= character <= "\udcff" for character in text):
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def _printable(text: str) -> bool:
    return all(character.isprintable() for character in text)


def shell_quote(text: str) -> str:
    """The text quoted as `${x@Q}` does."""
    if text == "'":
        return "\\'"
    if _printable(text):
        return "'" + text.replace("'", "'\\''") + "'"
    return ansi_quote(text)


def ansi_quote(text: str) -> str:
    """The text as `$'...'`."""
    names = {value: name for name, value in NAMED.items() if name not in ("e", '"', "?")}
    parts = []
    for character in text:
        if character in names:
            parts.append("\\" + names[character])
        elif character.isprintable():
            parts.append(character)
        else:
            parts.extend(f"\\{byte:03o}" for byte in character.encode("utf-8", "surrogateescape"))
    return "$'" + "".join(parts) + "'"


def backslash_quote(text: str) -> str:
    """The text as `printf %q` prints it."""
    if not text:
        return "''"
    if not _printable(text):
        return ansi_quote(text)
    quoted = text.translate(_BACKSLASHED)
    quoted = re.sub(r"([:=])~", r"\1\\~", quoted)
    return "\\" + quoted if quoted[0] in "#~" else quoted
