"""`declare -a "name=(a b)"`: text in parentheses that a declaration reads once more, as the list of an array.

Bash does so where the name is an array by then, or the options make it one (`declare.def`, 5.2); `export` and
`readonly` only if they are told `-a` or `-A`.
"""

from __future__ import annotations

from collections.abc import Collection

from lint.bash.commands.assigning import assign_array
from lint.bash.commands.simple import Call
from lint.bash.faults import Fatal
from lint.bash.parser import parse
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.state import UNKNOWN_TEXT, Unit, Value
from lint.bash.state.unknown_values import unknown_array
from lint.bash.state.variables import resolve
from lint.bash.syntax import ArrayLiteral, SimpleCommand
from lint.bash.unknown import is_one_word
from lint.text import Source


def list_assigned(
    call: Call, options: Collection[str], name: str, text: Text, append: bool, element: bool = False
) -> bool:
    """Set an array from a text in parentheses; False if it is no such text, or one value as it stands.

    `element`: the declaration names one, which bash forgets if `options` (its letters) make an array.

    An unknown text may be either, and an unknown part of one any number of elements. Raises Fatal where bash cannot
    read what is in the parentheses: the rest of the line is not run.
    """
    written = "".join(piece.text if isinstance(piece, Known) else UNKNOWN_TEXT for piece in text.pieces)
    if not written or not _reads_lists(call, options, name, element):
        return False
    unsure = [piece for piece in text.pieces if isinstance(piece, Unknown) and not is_one_word(piece)]
    opens = written.startswith("(") or text.pieces[0] in unsure
    closes = written[1:].endswith(")") or text.pieces[-1] in unsure
    if not (opens and closes):
        return False
    state = call.state
    if unsure:
        target = resolve(state, name)[0]
        reason = f"elements of {name}, of which {unsure[0].reason} decides"
        state.variables[target] = unknown_array(state.variables.get(target) or Value(None), reason, call.span)
        return True
    start = Known(f"{name}=", Origin(call.span, "literal"))
    literal, unit = _read(Text((start, *text.pieces)), call)
    if literal is None:
        strict = "errexit" in state.options
        raise Fatal(f"{name}={text.shown}: the list cannot be read", strict, status=2 if strict else 1)
    outer, state.unit = state.unit, unit
    try:
        assign_array(call.evaluator, state, name, literal, append, call.span)
    finally:
        state.unit = outer
    return True


def _reads_lists(call: Call, options: Collection[str], name: str, element: bool) -> bool:
    """Whether a declaration takes text in parentheses for the elements of a variable, or of what it is an `element`."""
    if "n" in options:
        return False
    if "a" in options or "A" in options:
        return True
    value = call.state.variables.get(resolve(call.state, name)[0])
    if value is None or element or call.name in ("export", "readonly"):
        return False
    content = value.content
    is_unknown_array = isinstance(content, Text) and any(
        isinstance(piece, Unknown) and piece.splits for piece in content.pieces
    )
    return value.kind != "scalar" or is_unknown_array


def _read(text: Text, call: Call) -> tuple[ArrayLiteral | None, Unit]:
    """`name=(...)` as bash parses it, and the text that its positions are of."""
    written = "".join(piece.text if isinstance(piece, Known) else UNKNOWN_TEXT for piece in text.pieces)
    source = Source(call.state.unit.source.path, written)
    script = parse(source, extglob="extglob" in call.state.shell_options)
    unit = Unit(source, text.pieces, extended=script.extended, counted=False)
    command = script.body[0].pipelines[0].commands[0] if script.body and not script.errors else None
    assignments = command.assignments if isinstance(command, SimpleCommand) else ()
    literal = assignments[0].value if assignments else None
    whole = isinstance(literal, ArrayLiteral) and assignments[0].end == len(written)
    return (literal if isinstance(literal, ArrayLiteral) and whole else None), unit
