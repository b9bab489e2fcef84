"""`read`, `mapfile` and `readarray`: from text that the reader knows; else the variables become unknown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lint.bash.builtins.targets import assign_named
from lint.bash.commands.redirection import STANDARD
from lint.bash.commands.simple import Call
from lint.bash.origins import derive, origins_of
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.state.complaints import AssignmentFault, check_writable
from lint.bash.state.state import Status, Value
from lint.bash.state.variables import converted
from lint.bash.unknown import ExitStatus
from lint.bash.words.splitting import split_text
from lint.regular import regular

_READ_WITH_VALUE = frozenset("adinNptu")
_NAME = regular(r"[A-Za-z_]\w*", re.ASCII)
MOST_DIGITS = 10  # of an option's value
_MAPFILE_WITH_VALUE = frozenset("dnOsuCc")


def _options(words: Sequence[Text], with_value: frozenset[str]) -> tuple[dict[str, str], list[str] | None]:
    """Options and operands; operands None if one is unknown."""
    options: dict[str, str] = {}
    index = 0
    while index < len(words):
        value = words[index].value
        if value is None or not value.startswith("-") or value == "-":
            break
        index += 1
        if value == "--":
            break
        for place, letter in enumerate(value[1:], 1):
            if letter in with_value:
                rest = value[place + 1 :]
                if not rest and index < len(words):
                    rest = words[index].value or ""
                    index += 1
                options[letter] = rest
                break
            options[letter] = ""
    operands = [word.value for word in words[index:]]
    if any(operand is None for operand in operands):
        return options, None
    return options, [operand for operand in operands if operand is not None]


def _number(options: dict[str, str], letter: str, otherwise: int | None) -> int | None:
    """The value of an option as a number, if it is one; `otherwise` without the option."""
    value = options.get(letter)
    if value is None:
        return otherwise
    return int(value) if value.isdecimal() and len(value) < MOST_DIGITS else None


def _stream(call: Call, options: dict[str, str]) -> int | None:
    descriptor = _number(options, "u", 0)
    return None if descriptor is None else call.state.descriptors.get(descriptor)


def _is_closed(call: Call, options: dict[str, str]) -> bool:
    """Whether `-u` names a descriptor that nothing has opened."""
    number = _number(options, "u", 0)
    return number is not None and number > STANDARD and number not in call.state.descriptors


def read(call: Call) -> Status:
    """`read`."""
    state = call.state
    options, names = _options(call.operands, _READ_WITH_VALUE)
    if names is None:
        call.evaluator.budget.report(call.span, "read into a variable whose name is not known")
        return _unknown_status(call)
    if _is_closed(call, options):
        return 1
    stream = _stream(call, options)
    content = state.inputs.get(stream) if stream else None
    targets = [options["a"]] if "a" in options else names or ["REPLY"]
    if not _NAME.fullmatch(options.get("a", "REPLY")):
        return 1
    try:
        if content is None:
            return _read_unknown(call, targets, "a" in options)
        return _read_known(call, options, names, targets, content, stream or 0)
    except AssignmentFault:
        return 1


def _unknown_status(call: Call) -> Status:
    return ExitStatus("exit status of read", Origin(call.span, "substitution"), likely=1)


def _read_unknown(call: Call, targets: Sequence[str], as_array: bool) -> Status:
    for name in targets:
        unknown = Text((Unknown("line of the input", Origin(call.span, "expansion", name), splits=as_array),))
        if as_array:
            check_writable(call.state, name)
            value = call.state.variables.get(name) or Value(None)
            call.state.variables[name] = value._replace(content={0: unknown}, kind="indexed", inherited=False)
        else:
            assign_named(call, name, unknown)
    return _unknown_status(call)


def _read_known(
    call: Call, options: dict[str, str], names: list[str], targets: list[str], content: Text, stream: int
) -> Status:
    state = call.state
    delimiter = options["d"][:1] or "\0" if "d" in options else "\n"
    limit = _number(options, "n", _number(options, "N", None))
    head, rest = _parted(content, delimiter)
    line, size, found = _line(head.value or "", delimiter, "r" in options, limit, "N" in options)
    if head.value is None or (rest and not found):  # the line does not end there
        known, head, rest = content.value, content, ()
        if known is None:
            state.inputs[stream] = None
            return _read_unknown(call, targets, "a" in options)
        line, size, found = _line(known, delimiter, "r" in options, limit, "N" in options)
    state.work += (size >> 4) + (len(content.pieces) >> 6)
    left = head.slice(size).pieces if size < len(head.shown) else ()
    state.inputs[stream] = Text((*left, *rest))
    origin = derive(call.span, "substitution", None, origins_of([content], 4))
    status: Status = 0 if found else 1
    ifs = call.evaluator.expander.ifs(state).text
    escaped = line
    if "a" in options:
        check_writable(state, options["a"])
        value = state.variables.get(options["a"]) or Value(None)
        texts = [_text(field, origin) for field in split_text(escaped, ifs)]
        elements = {i: converted(state, value, None, text, call.span) for i, text in enumerate(texts)}
        state.variables[options["a"]] = value._replace(content=elements, kind="indexed", inherited=False)
        return status
    if not names or "N" in options:
        assign_named(call, targets[0], _text(line, origin))
        for name in targets[1:]:
            assign_named(call, name, Text(()))
        return status
    fields = split_text(escaped, ifs, len(names))
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
    state = call.state
    options, names = _options(call.operands, _MAPFILE_WITH_VALUE)
    name = names[0] if names else "MAPFILE"
    if _is_closed(call, options) or not _NAME.fullmatch(name):
        return 1
    stream = _stream(call, options)
    content = state.inputs.get(stream) if stream else None
    value = state.variables.get(name) or Value(None)
    try:
        check_writable(state, name)
    except AssignmentFault:
        return 1
    known = content.value if content is not None else None
    if known is None or content is None:
        origin = Origin(call.span, "expansion", name)
        unknown = Text((Unknown("lines of the input", origin, splits=True),))
        state.variables[name] = value._replace(content={0: unknown}, kind="indexed", inherited=False)
        return ExitStatus("exit status of mapfile", origin, assumed=True) if content is None else 0
    delimiter = (options["d"][:1] or "\0") if "d" in options else "\n"
    lines = re.findall(f"[^{re.escape(delimiter)}]*{re.escape(delimiter)}|[^{re.escape(delimiter)}]+", known)
    lines = lines[_number(options, "s", 0) or 0 :]
    most = _number(options, "n", 0)
    if most:
        lines = lines[:most]
    if "t" in options:
        lines = [line.removesuffix(delimiter) for line in lines]
    start = _number(options, "O", 0) or 0
    origin = derive(call.span, "substitution", None, origins_of([content], 4))
    elements: dict[int, Text] = {}
    if "O" in options and value.content is not None and not isinstance(value.content, Text):
        elements = {int(key): text for key, text in value.content.items()}
    for index, line in enumerate(lines, start):
        text = Text((Known(line.replace("\0", ""), origin),))
        elements[index] = converted(state, value, None, text, call.span) if value.integer or value.case else text
    state.variables[name] = value._replace(content=elements, kind="indexed", inherited=False)
    state.inputs[stream or 0] = Text(())
    return 0


BUILTINS = {"read": read, "mapfile": mapfile, "readarray": mapfile}
