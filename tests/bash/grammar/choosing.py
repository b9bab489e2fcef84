"""What every part of the grammar chooses from."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

SCALARS = ("a", "b", "c", "long_name")
ARRAYS = ("l", "m", "sparse")
PATTERNS = (
    *("*", "?", "a*", "*b", "[a-c]*", "*/", "*.*", "x", "[!x]?", "*o", "o", "/", ":*", "b c", "[[:upper:]]*", "[^a]*"),
    *("[]a]*", "[a-", "[[:alpha:][:digit:]]", "??*", "*[ :]*", "\\*", "a\\?", "[\\]]", "[a\\-c]", "*\\ *", ""),
)
EXTENDED = ("@(a|foo)", "!(foo)", "*(o|f)", "+([a-z])", "?(a) b*", "@(*o|x)*", "!(*.*)", "a@(|b)", "+(@(f|o))")

Choice = Callable[[], str]


def several(random: Random, choices: Sequence[Choice], least: int, most: int) -> str:
    """A few of the choices side by side."""
    return "".join(random.choice(choices)() for _ in range(random.randint(least, most)))


def weighted(random: Random, choices: Sequence[tuple[int, Choice]]) -> str:
    """One of the choices, each as likely as its number says."""
    return random.choices([choice for _, choice in choices], [weight for weight, _ in choices])[0]()


def single_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def pattern_word(text: str) -> str:
    """A pattern as one word of the script."""
    return re.sub(r"(?<!\\) ", r"\\ ", text) or '""'
