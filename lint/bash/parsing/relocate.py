"""Moves a syntax tree from a text that was derived from the source back onto the source.

Three readings of bash work on a text that is not the script's own: the inside of backquotes (some backslashes taken
away), a here-document (leading tabs taken away), and a script with NUL bytes (which bash ignores). They are parsed as
texts of their own, and the offsets of the result are mapped back afterwards.
"""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

Node = TypeVar("Node")
_OFFSETS = ("start", "end", "line_at")


def relocate(node: Node, offsets: Sequence[int]) -> Node:
    """The same tree, or tuple of trees: a character at offset `i` of the derived text is at `offsets[i]`."""
    moved: Any = node
    if isinstance(node, tuple):
        moved = tuple(relocate(item, offsets) for item in node)
    elif is_dataclass(node) and not isinstance(node, type):
        values = {name: relocate(getattr(node, name), offsets) for name in _names(type(node))}
        values.update((name, offsets[values[name]]) for name in _OFFSETS if name in values)
        moved = type(node)(**values)
    return moved  # type: ignore[no-any-return]


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.init)
