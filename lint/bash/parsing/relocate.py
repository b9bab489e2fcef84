"""Moves a syntax tree from a text that was derived from the source back onto the source.

Three readings of bash work on a text that is not the script's own: the inside of backquotes (some backslashes taken
away), a here-document (leading tabs taken away), and a script with NUL bytes (which bash ignores). They are parsed as
texts of their own, and the offsets of the result are mapped back afterwards.
"""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

Node = TypeVar("Node")


def relocate(node: Node, offsets: Sequence[int]) -> Node:
    """The same tree, or tuple of trees, with every `start` and `end` replaced by `offsets[start]`, `offsets[end]`."""
    moved: Any = node
    if isinstance(node, tuple):
        moved = tuple(relocate(item, offsets) for item in node)
    elif is_dataclass(node) and not isinstance(node, type):
        changes: dict[str, object] = {}
        for field in fields(node):
            value = getattr(node, field.name)
            if field.name in ("start", "end"):
                changes[field.name] = offsets[value]
            elif isinstance(value, tuple) or is_dataclass(value):
                changes[field.name] = relocate(value, offsets)
        moved = replace(node, **changes)
    return moved  # type: ignore[no-any-return]
