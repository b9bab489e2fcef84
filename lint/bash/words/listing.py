"""Variables as bash lists them: `declare -p`, `${x@A}`."""

from __future__ import annotations

import re

from lint.bash.reading import Text
from lint.bash.state.key_order import ordered
from lint.bash.state.state import Value
from lint.bash.words.quoting import shell_quote
from lint.regular import regular

_SHELL_META = regular(r"[\x00-\x20\x7f'\"\\|&;()<>!{}*\[?\]^$`]|(?:^|[:=])~|^#")


def declaration(name: str, value: Value) -> str:
    """The statement `declare ... name=...` that makes this variable, as `declare -p` prints it."""
    letters = attribute_letters(value)
    head = f"declare -{letters or '-'} {name}"
    if value.content is None:
        return head
    if isinstance(value.content, Text):
        return f"{head}={double_quote(value.content.shown)}"
    pairs = [f"[{key_quote(str(key))}]={double_quote(text.shown)}" for key, text in ordered(value.content)]
    end = " )" if value.kind == "associative" and pairs else ")"
    return f"{head}=({' '.join(pairs)}{end}"


def double_quote(text: str) -> str:
    """A text in double quotes, as `declare -p` writes values."""
    if any(ord(character) < 32 or ord(character) == 127 for character in text):
        return shell_quote(text)
    return '"' + re.sub(r'[\\"$`]', r"\\\g<0>", text) + '"'


def key_quote(key: str) -> str:
    """A key of an array as `declare -p` writes it."""
    return double_quote(key) if key in ("", "@", "*") or _SHELL_META.search(key) else key


def attribute_letters(value: Value | None) -> str:
    """The attributes of a variable as `declare -p` writes them."""
    if value is None:
        return ""
    kinds = {"indexed": "a", "associative": "A", "scalar": ""}
    cases = {"upper": "u", "lower": "l", "capital": "c", "": ""}
    letters = kinds[value.kind] + ("i" if value.integer else "") + ("n" if value.reference else "")
    return letters + ("r" if value.readonly else "") + ("x" if value.exported else "") + cases[value.case]
