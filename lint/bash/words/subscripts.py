"""Subscripts in texts that are names only when the script runs: in strings for builtins, in expressions, in `${!x}`."""

from __future__ import annotations

import re
from functools import lru_cache

from lint.bash.parser import parse
from lint.bash.reading import Known, Text
from lint.bash.syntax import SimpleCommand, Word
from lint.regular import regular
from lint.text import Source

EXPANDED = regular(r"[\\'\"$`]")
"""What an expansion may change: texts without it, most by far, are subscripts as they are."""
_EXPANSION = regular(r"[$`]")
_QUOTED = regular(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\\(.)", re.DOTALL)
_DOLLAR_BEFORE_QUOTES = regular(r"(?<!\\)((?:\\\\)*)\$(?=['\"])")


@lru_cache(maxsize=256)
def reference(name: str, subscript: str) -> tuple[Source, Word | None]:
    """A text with a subscript, and the subscript as a word in it; None if bash would take its end for another."""
    subscript = _DOLLAR_BEFORE_QUOTES.sub(r"\1\\$", subscript)  # `$'a'` is for the parser alone
    source = Source("", f"{name}[{subscript}]=")
    script = parse(source)
    command = script.body[0].pipelines[0].commands[0] if script.body and not script.errors else None
    if not isinstance(command, SimpleCommand) or len(command.assignments) != 1 or command.words:
        return source, None
    word = command.assignments[0].subscript
    whole = word is not None and word.end - word.start == len(subscript)
    return source, word if whole else None


def is_expanded(subscript: str) -> bool:
    """Whether a run works out a subscript."""
    return _EXPANSION.search(subscript) is not None


def unquoted(key: str) -> str:
    """The key that a subscript without expansions stands for."""
    if not EXPANDED.search(key) or is_expanded(key):
        return key
    return _QUOTED.sub(lambda found: next((part for part in found.groups() if part is not None), ""), key)


def once_expanded(expression: Text) -> Text:
    """An expression whose expansions are done: what they brought in is not expanded again as part of a subscript."""
    if not any(isinstance(piece, Known) and ("$" in piece.text or "`" in piece.text) for piece in expression.pieces):
        return expression
    return Text(
        tuple(
            Known(_EXPANSION.sub(r"\\\g<0>", piece.text), piece.origin) if isinstance(piece, Known) else piece
            for piece in expression.pieces
        )
    )
