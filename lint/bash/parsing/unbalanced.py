"""`$((` that is neither arithmetic nor a command: bash reads on to the `)` that balances it, and finds out later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lint.bash.parsing.cursor import Unclosed
from lint.bash.parsing.relocate import relocate
from lint.bash.parsing.words import PARENTHESIZED
from lint.bash.syntax import CommandSubstitution

if TYPE_CHECKING:
    from lint.bash.parsing.expansions import ExpansionParser


def substitution(parser: ExpansionParser, start: int) -> CommandSubstitution:
    """The substitution at `start`, which is no arithmetic; the parser stands behind its `$(`. Raises Unclosed."""
    mark, in_here_document = parser.mark(), parser.in_here_document
    try:
        part = parser.command_substitution(start)
        if len(parser.errors) == mark.errors:
            return part
    except Unclosed:
        pass
    parser.balances = False  # of those inside, which would take time that doubles with each
    try:
        parser.back_to(mark)
        parser.in_here_document = in_here_document
        end = _end(parser, start)
        parser.back_to(mark)
        parser.in_here_document = in_here_document
        return parser.command_substitution(start) if end is None else _unbalanced(parser, start, end)
    finally:
        parser.balances = True


def _end(parser: ExpansionParser, start: int) -> int | None:
    """Where the parentheses are balanced, if they are."""
    try:
        parser.parts_until(PARENTHESIZED, start, "$(")
    except Unclosed:
        return None
    return parser.position + 1


def _unbalanced(parser: ExpansionParser, start: int, end: int) -> CommandSubstitution:
    """Of what balanced parentheses hold bash runs the lines before the one where it finds out."""
    inside = parser.text[start + 2 : end - 1]
    inner = parser.derived(inside)
    inner.balances = False
    body = inner.all_statements()
    broken = min((error.start for error in inner.errors), default=len(inside))
    whole = tuple(each for each in body if each.end <= broken and "\n" in inside[each.end : broken])
    first = parser.text[start:end].partition("\n")[0]
    parser.report(start, start + len(first), f'unbalanced "{first}": ")" is missing')
    parser.size = inner.size
    parser.position = end
    return CommandSubstitution(start, end, relocate(whole, list(range(start + 2, end))))
