"""The options that builtins know, as bash's `internal_getopt` takes them: at any other a builtin ends with status 2.

Each string is the one in the definition that bash has of the builtin (builtins/*.def, version 5.2): a letter with a
colon takes a value, the rest of its word or the next word; with a plus sign in front, options may begin with one, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from lint.bash.reading import Text

_DECLARE, _ATTRIBUTE, _MAPFILE = "+acfgilnprtuxAFGI", "aAfnp", "d:u:n:O:tC:c:s:"
LETTERS: Mapping[str, str] = {
    **dict.fromkeys(("declare", "typeset", "local"), _DECLARE),
    **dict.fromkeys(("export", "readonly"), _ATTRIBUTE),
    **dict.fromkeys(("mapfile", "readarray"), _MAPFILE),
    **dict.fromkeys(("builtin", "caller", "eval", "source", ".", "getopts", "times"), ""),
    "alias": "p",
    "bind": "lvpVPsSXf:q:u:m:r:x:",
    "cd": "eLP@",
    "command": "pvV",
    "compgen": "abcdefgjko:prsuvA:G:W:P:S:X:F:C:DEI",
    "complete": "abcdefgjko:prsuvA:G:W:P:S:X:F:C:DEI",
    "compopt": "+o:DEI",
    "disown": "ahr",
    "enable": "adnpsf:",
    "exec": "cla:",
    "hash": "dlp:rt",
    "help": "dms",
    "history": "acd:npsrw",
    "jobs": "lpnxrs",
    "printf": "v:",
    "pwd": "LP",
    "read": "ersa:d:i:n:p:t:u:N:",
    "shopt": "psuoq",
    "suspend": "f",
    "trap": "lp",
    "type": "afptP",
    "umask": "Sp",
    "unalias": "a",
    "unset": "fnv",
    "wait": "fnp:",
}

_WITHOUT_HELP = frozenset(("echo", "test", "[", ":", "true", "false"))

Parted: TypeAlias = "tuple[Mapping[str, Text | None], Sequence[Text]]"
"""The options that a builtin is given, each with its value if it takes one, and the operands behind them."""


def are_refused(name: str, words: Sequence[Text]) -> bool:
    """Whether a builtin that is given these words ends at its options."""
    if not words or words[0].shown[:1] not in ("-", "+"):
        return False
    if words[0].value == "--help":  # with which all others print how they are used
        return name not in _WITHOUT_HELP
    return name in LETTERS and _parted(name, words) is None


def parted(name: str, words: Sequence[Text]) -> Parted:
    """Options and operands of a builtin that takes them."""
    return _parted(name, words) or ({}, ())


def _parted(name: str, words: Sequence[Text]) -> Parted | None:
    """None if the builtin does not know one of its options, or lacks the value of the last."""
    letters = LETTERS[name]
    options: dict[str, Text | None] = {}
    waits = ""  # the option whose value is the next word
    for index, given in enumerate(words):
        word = _short(given) if name == "type" and not waits else given
        value = word.value
        if waits:
            options[waits], waits = word, ""
            continue
        if value == "--":
            return options, words[index + 1 :]
        if value is None or len(value) < 2 or not (value[0] == "-" or letters[:1] == value[0] == "+"):
            return options, words[index:]
        for place, letter in enumerate(value[1:], 1):
            known = letters.find(letter)
            if known < 0 or letter in "+:":
                return None
            options[letter] = None
            if letters[known + 1 : known + 2] == ":":
                options[letter] = word.slice(place + 1)
                waits = "" if value[place + 1 :] else letter
                break
    return None if waits else (options, ())


_LONG = ("type", "path", "all")


def _short(word: Text) -> Text:
    """The letter that stands for an option of `type` in words: `-type`, `-path`, `-all`."""
    value = word.value or ""
    dashes = len(value) - len(value.lstrip("-"))
    return word.slice(dashes - 1, dashes + 1) if dashes in (1, 2) and value[dashes:] in _LONG else word
