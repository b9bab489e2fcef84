"""Variables and elements that a builtin is given by name: `read 'm[$key]'`, `printf -v`, `unset`, `declare`.

The subscript in such a text is expanded once more, for it may be quoted in it. Not so where the word itself is written
as a reference, `read m[$key]`: its subscript has been expanded with the word.
"""

from __future__ import annotations

import re

from lint.bash.commands.simple import Call
from lint.bash.reading import Known, Origin, Text
from lint.bash.state.variables import AssignmentFault, assign

_TARGET = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.+)\])?", re.ASCII | re.DOTALL)
_REFERENCE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\[.*\]", re.ASCII | re.DOTALL)


def assign_named(call: Call, target: str, text: Text) -> None:
    """Assign to `name` or `name[subscript]`, given as text. Raises AssignmentFault."""
    found = _TARGET.fullmatch(target)
    if found is None:
        raise AssignmentFault(f"{target}: not a valid identifier")
    key = None if found[2] is None else subscript(call, target, found[1], found[2])
    assign(call.state, found[1], key, text, call.span)


def subscript(call: Call, target: str, name: str, text: str) -> Text:
    """The subscript of a target that is given as text."""
    if any(
        word.value == target and _REFERENCE.match(call.state.unit.source.text, span.start, span.end)
        for word, span in zip(call.words, call.word_spans, strict=False)
    ):
        return Text((Known(text, Origin(call.span, "literal")),))
    return call.evaluator.expander.subscript(call.state, name, text, call.span)
