"""The operands of builtins that take a number: `shift`, `return`, `exit`, `break` (`common.c` of bash 5.2)."""

from __future__ import annotations

from collections.abc import Sequence

from lint.bash.commands.simple import Call
from lint.bash.numbers import legal_number
from lint.bash.reading import Text, Unknown
from lint.bash.state.state import Status
from lint.bash.unknown import ExitStatus
from lint.bash.words.arithmetic_tokens import LastingFault

USAGE = 2


class TooManyOperands(LastingFault):
    """An operand too many: bash goes on with the next line of the script, whatever ran in this one."""


def behind_dashes(words: Sequence[Text]) -> Sequence[Text]:
    """The operands of a builtin without options: a `--` in front of them does not count."""
    return words[1:] if words[:1] and words[0].value == "--" else words


def refuse_more(call: Call, words: Sequence[Text], most: int = 1) -> None:
    """Raise TooManyOperands behind the last operand that the builtin takes."""
    if len(words) > most:
        raise TooManyOperands(f"{call.name}: too many arguments")


def status_operand(call: Call) -> Status:
    """The exit status that `return` and `exit` are given; without one, the last. Raises TooManyOperands."""
    words = behind_dashes(call.operands)
    if not words:
        return call.state.status
    value = words[0].value
    number = None if value is None else legal_number(value)
    if value is not None and number is None:
        return USAGE
    refuse_more(call, words)
    if number is not None:
        return number & 0xFF
    pieces = words[0].pieces
    unknown = next(piece for piece in pieces if isinstance(piece, Unknown))
    if isinstance(unknown, ExitStatus) and len(pieces) == 1:
        return unknown
    return ExitStatus(unknown.reason, unknown.origin)
