"""`read`, `mapfile` and `readarray`: from text that the reader knows; else the variables become unknown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from lint.bash.builtins.operands import USAGE
from lint.bash.builtins.option_letters import parted
from lint.bash.builtins.targets import assign_named, is_target
from lint.bash.commands.redirection import STANDARD
from lint.bash.commands.simple import Call
from lint.bash.numbers import legal_number
from lint.bash.origins import derive, origins_of
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.state.complaints import AssignmentFault, check_writable
from lint.bash.state.state import Status, Value
from lint.bash.state.variables import converted, resolve
from lint.bash.unknown import ExitStatus
from lint.bash.words.splitting import split_text
from lint.regular import regular

_NAME = regular(r"[A-Za-z_]\w*", re.ASCII)
_SECONDS = regular(r"[-+]?[0-9]*(?:\.[0-9]*)?")
_INT, _UNSIGNED = (1 << 31) - 1, (1 << 32) - 1
_Options: TypeAlias = "Mapping[str, Text | None]"


class _BadOption(Exception):
    """The value of an option that is not the number that it must be."""


def _value(options: _Options, letter: str) -> str | None:
    given = options.get(letter)
    return None if given is None else given.value


def _number(options: _Options, letter: str, least: int = 0, most: int = _UNSIGNED) -> int | None:
    """The value of an option as a number; None where it is not given or not known. Raises _BadOption."""
    value = _value(options, letter)
    if value is None:
        return None
    number = legal_number(value)
    if number is None or not least <= number <= most:
        raise _BadOption
    return number


def _unknown_options(options: _Options, letters: str) -> bool:
    """Whether only a run can tell what an option that counts is given."""
    return any((given := options.get(letter)) is not None and given.value is None for letter in letters)


def _delimiter(options: _Options) -> str:
    value = _value(options, "d")
    return "\n" if value is None else value[:1] or "\0"


def _stream(call: Call, options: _Options) -> int | None:
    """The stream to read from; None if it is not known. Raises _BadOption where nothing has opened the descriptor."""
    number = _number(options, "u", most=_INT) or 0
    if number > STANDARD and number not in call.state.descriptors:
        raise _BadOption
    return call.state.descriptors.get(number)


def read(call: Call) -> Status:
    """`read`."""
    options, operands = parted("read", call.operands)
    try:
        return _read(call, options, operands)
    except (AssignmentFault, _BadOption):
        return 1


def _read(call: Call, options: _Options, operands: Sequence[Text]) -> Status:
    state = call.state
    timeout = _value(options, "t")
    if timeout is not None and (not _SECONDS.fullmatch(timeout) or re.match("-.*[1-9]", timeout)):
        return 1
    limit = _number(options, "n", most=_INT)
    exact = _number(options, "N", most=_INT)
    stream = _stream(call, options)
    content = state.inputs.get(stream) if stream and not _unknown_options(options, "dnNu") else None
    if timeout is not None and not timeout.strip("-+0."):  # whether there is anything to read
        return 0 if content is not None else _unknown_status(call)
    names = [word.value for word in ([options["a"]] if "a" in options else operands) if word is not None]
    known = [name for name in names if name is not None]
    if len(known) < len(names):
        call.evaluator.budget.report(call.span, "read into a variable whose name is not known")
        return _unknown_status(call)
    if (known and not is_target(known[0])) or ("a" in options and not _NAME.fullmatch(known[0])):
        return 1
    if content is None:
        if stream:
            state.inputs[stream] = None
        return _read_unknown(call, known or ["REPLY"], "a" in options)
    return _read_known(call, options, known, content, stream or 0, limit if exact is None else exact)


def _unknown_status(call: Call) -> Status:
    return ExitStatus("exit status of read", Origin(call.span, "substitution"), likely=1)


def _array_named(call: Call, name: str) -> tuple[str, Value]:
    """The variable that is to be an indexed array. Raises AssignmentFault."""
    name, subscript = resolve(call.state, name)
    if subscript is not None:
        raise AssignmentFault(f"{name}[{subscript}]: not a valid identifier")
    check_writable(call.state, name)
    value = call.state.variables.get(name) or Value(None)
    if value.kind == "associative":
        raise AssignmentFault(f"{name}: cannot convert associative to indexed array")
    return name, value


def _fill(call: Call, name: str, value: Value, elements: Mapping[int, Text]) -> None:
    call.state.variables[name] = value._replace(content=elements, kind="indexed", inherited=False)


def _read_unknown(call: Call, targets: Sequence[str], as_array: bool) -> Status:
    for name in targets:
        unknown = Text((Unknown("line of the input", Origin(call.span, "expansion", name), splits=as_array),))
        if as_array:
            _fill(call, *_array_named(call, name), {0: unknown})
        else:
            assign_named(call, name, unknown)
    return _unknown_status(call)


def _read_known(
    call: Call, options: _Options, names: list[str], content: Text, stream: int, limit: int | None
) -> Status:
    state = call.state
    delimiter, exactly, raw = _delimiter(options), "N" in options, "r" in options
    targets = names or ["REPLY"]
    head, rest = _parted(content, delimiter)
    line, size, found = _line(head.value or "", delimiter, raw, limit, exactly)
    if head.value is None or (rest and not found):  # the line does not end there
        known, head, rest = content.value, content, ()
        if known is None:
            state.inputs[stream] = None
            return _read_unknown(call, targets, "a" in options)
        line, size, found = _line(known, delimiter, raw, limit, exactly)
    state.work += (size >> 4) + (len(content.pieces) >> 6)
    left = head.slice(size).pieces if size < len(head.shown) else ()
    state.inputs[stream] = Text((*left, *rest))
    origin = derive(call.span, "substitution", None, origins_of([content], 4))
    status: Status = 0 if found else 1
    ifs = call.evaluator.expander.ifs(state).text
    if "a" in options:
        name, value = _array_named(call, targets[0])
        texts = [_text(field, origin) for field in split_text(line, ifs)]
        _fill(call, name, value, {i: converted(state, value, None, text, call.span) for i, text in enumerate(texts)})
        return status
    if not names or exactly:
        assign_named(call, targets[0], _text(line, origin))
        for name in targets[1:]:
            assign_named(call, name, Text(()))
        return status
    fields = split_text(line, ifs, len(names))
    for index, name in enumerate(names):
        assign_named(call, name, _text(fields[index], origin) if index < len(fields) else Text(()))
    return status


def _parted(content: Text, delimiter: str) -> tuple[Text, tuple[Piece, ...]]:
    """An input up to the piece in which the first line ends, and the rest: long ones have thousands of pieces."""
    pieces = content.pieces
    for index, piece in enumerate(pieces, 1):
        if isinstance(piece, Unknown) or delimiter in piece.text:
            return Text(pieces[:index]), pieces[index:]
    return content, ()


_ESCAPED = 0xE000  # characters behind a backslash are moved here while the line is split
_MOVED = regular(f"[{chr(_ESCAPED)}-{chr(_ESCAPED + 0x7F)}]")


def _text(text: str, origin: Origin) -> Text:
    plain = _MOVED.sub(lambda moved: chr(ord(moved[0]) - _ESCAPED), text)
    return Text((Known(plain, origin),))


def _line(text: str, delimiter: str, raw: bool, most: int | None, exactly: bool) -> tuple[str, int, bool]:
    """One line (characters after a backslash moved away), how much was read, and whether the delimiter was there."""
    if most is None:
        end = text.find(delimiter)
        plain = text if end < 0 else text[:end]
        if raw or "\\" not in plain:
            return plain.replace("\0", ""), len(plain) + (end >= 0), end >= 0
    parts: list[str] = []
    position = 0
    while position < len(text):
        if most is not None and len(parts) >= most:
            return "".join(parts), position, True
        character = text[position]
        position += 1
        if character == delimiter and not exactly:
            return "".join(parts), position, True
        if character == "\\" and not raw:
            following = text[position : position + 1]
            position += 1
            if following and following != "\n":
                moved = chr(ord(following) + _ESCAPED) if ord(following) < 0x80 else following
                parts.append(moved)
            continue
        if character != "\0":
            parts.append(character)
    return "".join(parts), len(text), most is not None and len(parts) >= most


def mapfile(call: Call) -> Status:
    """`mapfile` and `readarray`."""
    options, operands = parted("mapfile", call.operands)
    try:
        return _mapfile(call, options, operands[0] if operands else None)
    except (AssignmentFault, _BadOption):
        return 1


def _mapfile(call: Call, options: _Options, target: Text | None) -> Status:
    state = call.state
    start, skipped, most = _number(options, "O"), _number(options, "s") or 0, _number(options, "n")
    every = _number(options, "c", least=1)
    stream = _stream(call, options)
    given = "MAPFILE" if target is None else target.value
    if given is None:
        call.evaluator.budget.report(call.span, f"{call.name} into a variable whose name is not known")
        return ExitStatus(f"exit status of {call.name}", Origin(call.span, "substitution"), assumed=True)
    if not given:
        return USAGE
    if not _NAME.fullmatch(given):
        return 1
    name, value = _array_named(call, given)
    content = state.inputs.get(stream) if stream else None
    known = content.value if content is not None and not _unknown_options(options, "dnOsu") else None
    if "C" in options and (known is None or len(known) >= (every or _OFTEN)):
        call.evaluator.budget.report(call.span, f"what {call.name} -C runs for the lines that it reads")
    if known is None or content is None:
        origin = Origin(call.span, "expansion", name)
        unknown = Text((Unknown("lines of the input", origin, splits=True),))
        _fill(call, name, value, {0: unknown})
        if content is None:
            return ExitStatus("exit status of mapfile", origin, assumed=True)
        state.inputs[stream or 0] = None if "n" in options else Text(())
        return 0
    delimiter = _delimiter(options)
    lines = re.findall(f"[^{re.escape(delimiter)}]*{re.escape(delimiter)}|[^{re.escape(delimiter)}]+", known)
    end = skipped + most if most else len(lines)
    taken = sum(map(len, lines[:end]))
    if "t" in options:
        lines = [line.removesuffix(delimiter) for line in lines]
    origin = derive(call.span, "substitution", None, origins_of([content], 4))
    elements: dict[int, Text] = {}
    if start is not None and value.content is not None:
        kept = {0: value.content} if isinstance(value.content, Text) else value.content
        elements = {int(key): text for key, text in kept.items()}
    for index, line in enumerate(lines[skipped:end], start or 0):
        text = Text((Known(line.replace("\0", ""), origin),))
        elements[index] = converted(state, value, None, text, call.span) if value.integer or value.case else text
    _fill(call, name, value, elements)
    state.inputs[stream or 0] = content.slice(taken)
    return 0


_OFTEN = 5_000  # lines, at which `mapfile -C` runs its command by itself

BUILTINS = {"read": read, "mapfile": mapfile, "readarray": mapfile}
