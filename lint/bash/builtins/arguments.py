"""`shift` and `getopts`: the arguments of a script or function, one after the other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lint.bash.builtins.operands import USAGE, behind_dashes, refuse_more
from lint.bash.commands.simple import Call
from lint.bash.commands.writing import complain
from lint.bash.numbers import legal_number
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.complaints import AssignmentFault
from lint.bash.state.state import Status
from lint.bash.state.variables import assign, scalar
from lint.bash.unknown import DIGITS, ExitStatus, is_list
from lint.regular import regular
from lint.text import Span

_NAME = regular(r"[A-Za-z_]\w*", re.ASCII)


def shift(call: Call) -> Status:
    """`shift n`: an error if there are fewer parameters."""
    state = call.state
    words = behind_dashes(call.operands)
    value = words[0].value if words else "1"
    count = None if value is None else legal_number(value)
    state.work += len(state.positional) >> 3
    if value is not None and count is None:
        return 1
    refuse_more(call, words)
    if count is None:
        left = Unknown("arguments that `shift` leaves", Origin(call.span, "expansion"), splits=True)
        state.positional = (Text((left,)),) if state.positional else ()
        return ExitStatus("exit status of shift", Origin(call.span, "substitution"), assumed=True)
    if count < 0:
        return 1
    if any(map(is_list, state.positional[:count])):
        state.positional = _behind(state.positional, count, call.span)
        return ExitStatus("exit status of shift", Origin(call.span, "substitution"), assumed=True)
    if count > len(state.positional):
        return 1
    state.positional = state.positional[count:]
    return 0


def _behind(words: Sequence[Text], count: int, span: Span) -> tuple[Text, ...]:
    """What `shift` leaves of words of which only a run can tell how many they are."""
    first = next(index for index, word in enumerate(words) if is_list(word))
    left = Text((Unknown("arguments that `shift` leaves", Origin(span, "expansion"), splits=True),))
    is_some = any(isinstance(piece, Known) and piece.text for piece in words[first].pieces)
    return (left, *words[count:]) if is_some and first == count - 1 else (left,)


def getopts(call: Call) -> Status:
    """`getopts optstring name [args]`."""
    state = call.state
    operands = behind_dashes(call.operands)
    if len(operands) < 2:
        return USAGE
    form, name = operands[0].value, operands[1].value
    arguments = operands[2:] or state.positional
    index_text = scalar(state, "OPTIND", call.span)
    index_value = index_text.value if index_text is not None else "1"
    if form is None or name is None or index_value is None:
        return _only_a_run_can_tell(call, name)
    index = min(max(1, legal_number(index_value) or 1), len(arguments) + 1)
    offset = state.option_index[1] if state.option_index[0] == index else 0
    silent = form.startswith(":")

    def store(target: str, text: Text) -> None:
        assign(state, target, None, text, call.span)

    def finish(option: str, argument: Text | None, index: int, offset: int, status: Status) -> Status:
        try:
            if _NAME.fullmatch(name):
                store(name, Text((Known(option, Origin(call.span, "positional", name)),)))
            else:
                status = 1
        except AssignmentFault:
            status = 2
        if argument is not None:
            store("OPTARG", argument)
        else:
            state.variables.pop("OPTARG", None)
        store("OPTIND", Text((Known(str(index), Origin(call.span, "positional", "OPTIND")),)))
        state.option_index = (index, offset)
        return status

    word = arguments[index - 1] if index <= len(arguments) else None
    value = word.value if word is not None else ""
    if value is None:
        return _only_a_run_can_tell(call, name)
    if offset == 0:
        if word is None or len(value) < 2 or not value.startswith("-"):
            return finish("?", None, index, 0, 1)
        if value == "--":
            return finish("?", None, index + 1, 0, 1)
        offset = 1
    letter, rest = value[offset], value[offset + 1 :]
    following = (index, offset + 1) if rest else (index + 1, 0)
    place = form.find(letter)
    origin = Origin(call.span, "positional", "OPTARG")
    allowed, wants = place >= 0 and letter != ":", form[place + 1 : place + 2] == ":"
    if not silent and (not allowed or (wants and not rest and index >= len(arguments))):
        complain(state, call.span)
    if not allowed:
        return finish("?", Text((Known(letter, origin),)) if silent else None, *following, 0)
    if not wants:
        return finish(letter, None, *following, 0)
    if rest and word is not None:
        return finish(letter, word.slice(offset + 1), index + 1, 0, 0)
    if index < len(arguments):
        return finish(letter, arguments[index], index + 2, 0, 0)
    return finish(":" if silent else "?", Text((Known(letter, origin),)) if silent else None, index + 1, 0, 0)


def _only_a_run_can_tell(call: Call, name: str | None) -> Status:
    """The next option of arguments that are not known."""
    for target, characters in ((name, ""), ("OPTARG", ""), ("OPTIND", DIGITS)):
        if target is not None and _NAME.fullmatch(target):
            origin = Origin(call.span, "positional", target)
            unknown = Unknown("an option of arguments that are not known", origin, characters=characters)
            assign(call.state, target, None, Text((unknown,)), call.span)
    return ExitStatus("exit status of getopts", Origin(call.span, "substitution"), likely=1)


BUILTINS = {"shift": shift, "getopts": getopts}
