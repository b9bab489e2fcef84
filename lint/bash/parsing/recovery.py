"""Where a construct that was never closed was meant to end.

Bash only sees that the text ended inside something. The accident lies earlier, mostly in one of four forms: a wrong or
missing bracket in a substitution, a missing quote, a missing `fi`, `done` or `esac`, a missing brace. A user wants the
rest of the script read as if that one thing had been closed where the line, or the indentation, says so.
"""

from __future__ import annotations

import re

from lint.bash.parsing.commands import CommandParser
from lint.bash.parsing.cursor import Closing, Unclosed
from lint.bash.syntax import SyntaxProblem

_QUOTES = ("'", '"', "$'", '$"', "`")
_SUBSTITUTIONS = ("$(", "<(", ">(", "$[", "((")
_WRONG_BRACE = re.compile(r"[<>$]\(+[^\s\"'`;|&<>(){}]*\}")
_WORD = re.compile(r"\$\{[^\s\"'`;|&<>(){}]*[)\]]?")
_LINE = re.compile(r"[^\n]*?(?=[ \t]*\\?(?:\n|\Z))")
_UP_TO_QUOTE = re.compile(r"[^\n\"]*(?=\")")


def decide(parser: CommandParser, unclosed: Unclosed) -> int:
    """Notes in `parser.closings` where a construct ends; returns the offset at which that construct was opened."""
    opening, end = _culprit(parser, unclosed)
    text = parser.text
    opener = unclosed.opener if opening == unclosed.opening else text[opening]
    closer = unclosed.closer if opening == unclosed.opening else text[opening]
    message = f'unexpected end of file looking for the closing {closer} of "{_first_word(text, opening, end, opener)}"'
    parser.closings[opening] = Closing(end, SyntaxProblem(opening, end, message))
    return opening


def _culprit(parser: CommandParser, unclosed: Unclosed) -> tuple[int, int]:
    for opening, end in parser.suspects:
        if opening not in parser.closings and opening < unclosed.opening:
            return opening, end
    return unclosed.opening, _end(parser, unclosed)


def _end(parser: CommandParser, unclosed: Unclosed) -> int:
    text, opening = parser.text, unclosed.opening
    if unclosed.opener in _SUBSTITUTIONS:
        return _match_end(_WRONG_BRACE, text, opening) or _match_end(_LINE, text, opening) or opening + 1
    if unclosed.opener == "${":
        return _match_end(_WORD, text, opening) or opening + 2
    if unclosed.opener in _QUOTES:
        return max(_match_end(_LINE, text, opening) or 0, opening + 1)
    outdented = parser.outdented(opening, unclosed.inner)
    return len(text) if outdented is None else outdented


def _match_end(pattern: re.Pattern[str], text: str, position: int) -> int | None:
    match = pattern.match(text, position)
    return match.end() if match else None


def _first_word(text: str, opening: int, end: int, opener: str) -> str:
    return text[opening : min(end, opening + 40)].split("\n", 1)[0] or opener
