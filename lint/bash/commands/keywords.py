"""`set -k`: words like `name=value` are assignments for the command wherever they stand in it."""

from __future__ import annotations

import re
from dataclasses import replace

from lint.bash.syntax import Assignment, Literal, SimpleCommand, Word
from lint.regular import regular

_START = regular(r"([A-Za-z_]\w*)(\+?)=", re.ASCII)


def placed_first(node: SimpleCommand) -> SimpleCommand:
    """The command with all its assignments before it, as bash under `set -k` takes it."""
    taken = [word if isinstance(word, Assignment) else _assignment(word) for word in node.words]
    if not any(taken):
        return node
    words = tuple(word for word, assignment in zip(node.words, taken, strict=True) if assignment is None)
    return replace(node, assignments=(*node.assignments, *filter(None, taken)), words=words)


def _assignment(word: Word) -> Assignment | None:
    first = word.parts[0] if word.parts else None
    found = _START.match(first.text) if isinstance(first, Literal) else None
    if found is None or not isinstance(first, Literal):
        return None
    start = first.start + found.end()
    rest = Literal(start, first.end, first.text[found.end() :])
    value = Word(start, word.end, (rest, *word.parts[1:]) if rest.text else word.parts[1:])
    return Assignment(word.start, word.end, found[1], None, bool(found[2]), value)
