"""Where a construct that was never closed was meant to end.

Bash only sees that the text ended inside something. The accident lies earlier, mostly in one of four forms: a wrong or
missing bracket in a substitution, a missing quote, a missing `fi`, `done` or `esac`, a missing brace. A user wants the
rest of the script read as if that one thing had been closed where the line, or the indentation, says so.
"""

from __future__ import annotations

from lint.bash.parsing.commands import CommandParser
from lint.bash.parsing.cursor import Closing, Unclosed
from lint.bash.parsing.words import end_of_line
from lint.bash.syntax import SyntaxProblem
from lint.regular import regular

_QUOTES = frozenset(["'", '"', "$'", '$"', "`"])
_SUBSTITUTIONS = frozenset(["$(", "<(", ">(", "$[", "(("])
_WRONG_BRACE = regular(r"[<>$]\(+[^\s\"'`;|&<>(){}]*\}")
_PARAMETER = regular(r"\$\{[^\s\"'`;|&<>(){}]*[)\]]?")


def decide(parser: CommandParser, unclosed: Unclosed) -> int:
    """Notes in `parser.closings` where a construct ends; returns the offset at which that construct was opened."""
    opening, opener, closer, end = _culprit(parser, unclosed)
    text = parser.text
    if opener in _QUOTES:
        problem = SyntaxProblem(
            opening, end, f"unterminated quote: {_shown(text, opening, end)} has no closing {closer}"
        )
    elif opener in _SUBSTITUTIONS or opener == "${":
        problem = SyntaxProblem(opening, end, f'unbalanced {_shown(text, opening, end)}: "{closer}" is missing')
    else:
        line = text.count("\n", 0, opening) + 1
        message = f'unexpected end of file looking for "{closer}" of the "{opener}" in line {line}'
        problem = SyntaxProblem(opening, opening + len(opener), message)
    parser.closings[opening] = Closing(end, problem)
    return opening


def _culprit(parser: CommandParser, unclosed: Unclosed) -> tuple[int, str, str, int]:
    """Opening, opener, closer and end of what is to blame: the first suspect of that kind, or the open construct."""
    words = unclosed.opener in _QUOTES or unclosed.opener in _SUBSTITUTIONS or unclosed.opener == "${"
    for kind, opening, opener, closer, end in parser.suspects:
        if opening not in parser.closings and (kind == "quote") == words:
            return opening, opener, closer, end
    return unclosed.opening, unclosed.opener, unclosed.closer, _end(parser, unclosed)


def _end(parser: CommandParser, unclosed: Unclosed) -> int:
    text, opening = parser.text, unclosed.opening
    if unclosed.opener in _SUBSTITUTIONS:
        match = _WRONG_BRACE.match(text, opening)
        return match.end() if match else end_of_line(text, opening)
    if unclosed.opener == "${":
        match = _PARAMETER.match(text, opening)
        return match.end() if match else opening + 2
    if unclosed.opener in _QUOTES:
        return end_of_line(text, opening)
    outdented = parser.outdented(opening, unclosed.inner)
    return len(text) if outdented is None else outdented


def _shown(text: str, opening: int, end: int) -> str:
    shown = text[opening : min(end, opening + 60)]
    return f"'{shown}'" if '"' in shown else f'"{shown}"'
