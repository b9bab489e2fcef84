"""What declaration builtins are asked: their options; functions, and the text that `declare -p` prints."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lint.bash.commands.simple import Argument, Call, write_unknown
from lint.bash.commands.writing import write
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.state import Status
from lint.bash.syntax import Assignment
from lint.bash.words.listing import declaration

WITHOUT_SUBSCRIPTS = ("export", "readonly")


@dataclass(slots=True)
class Wanted:
    """The options of one `declare`."""

    on: set[str]
    off: set[str]


def split(call: Call) -> tuple[Wanted, list[Argument]]:
    """Options and operands of a declaration builtin."""
    wanted = Wanted(set(), set())
    operands: list[Argument] = []
    options, signs = True, "-" if call.name in WITHOUT_SUBSCRIPTS else "-+"
    for argument in call.arguments:
        value = argument.value if isinstance(argument, Text) else None
        if options and value is not None and len(value) > 1 and value[0] in signs and not operands:
            options = value != "--"
            if options:
                (wanted.on if value[0] == "-" else wanted.off).update(value[1:])
            continue
        operands.append(argument)
    return wanted, operands


_NOT_OF_FUNCTIONS = frozenset("aAin")


def export_functions(call: Call, operands: list[Argument], exported: bool) -> Status:
    """`export -f name`."""
    status = 0
    for operand in operands:
        name = operand.value if isinstance(operand, Text) else None
        body = call.state.functions.get(name) if name is not None else None
        if name is None or body is None:
            status = 1
        else:
            call.state.functions[name] = replace(body, exported=exported)
    return status


def functions(call: Call, wanted: Wanted, operands: list[Argument]) -> Status:
    """`declare -f`, `declare -F`: attributes of functions, or what they are."""
    if wanted.on & _NOT_OF_FUNCTIONS or any(isinstance(operand, Assignment) for operand in operands):
        return 1
    names = [operand.value for operand in operands if isinstance(operand, Text)]
    if not names:
        return list_all(call)
    functions = call.state.functions
    for name in names:
        if name is None or name not in functions:
            continue
        body = functions[name]
        if "r" in wanted.off and body.readonly:
            return 1
        if wanted.on & {"r", "t", "x"} or "t" in wanted.off:
            traced = "t" in wanted.on or (body.traced and "t" not in wanted.off)
            exported, readonly = body.exported or "x" in wanted.on, body.readonly or "r" in wanted.on
            functions[name] = replace(body, traced=traced, exported=exported, readonly=readonly)
        elif "F" in wanted.on:
            write(call.state, 1, Text((Known(f"{name}\n", Origin(call.span, "substitution")),)))
        else:
            write_unknown(call, "text of a function")
    return int(any(name not in functions for name in names))


def print_declarations(call: Call, operands: list[Argument]) -> Status:
    """`declare -p name`."""
    status = 0
    if not operands:
        write_unknown(call)
    for operand in operands:
        name = operand.value if isinstance(operand, Text) else None
        value = call.state.variables.get(name) if name else None
        if name is None or value is None:
            status = 1
            continue
        origin = Origin(call.span, "substitution", name)
        content = {} if value.content is None else value.content
        texts = (content,) if isinstance(content, Text) else content.values()
        if all(text.value is not None for text in texts):
            write(call.state, 1, Text((Known(declaration(name, value) + "\n", origin),)))
        else:
            write(call.state, 1, Text((Unknown(f"declaration of {name}", origin),)))
    return status


def list_all(call: Call) -> Status:
    """A declaration builtin without names prints all that there are."""
    write_unknown(call)
    return 0
