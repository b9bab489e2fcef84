"""The nodes of a syntax tree by kind, and what can be said of a word without evaluating it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, TypeVar

from lint.bash.syntax import DoubleQuoted, Literal, Quoted, Word

Node = TypeVar("Node")


@dataclass(frozen=True)
class Nodes:
    """All nodes of a tree; it is gone through once, when somebody asks first."""

    root: Any

    @cached_property
    def _by_kind(self) -> Mapping[type, list[Any]]:
        return _collect(self.root)

    def of(self, kind: type[Node]) -> Iterator[Node]:
        """The nodes of one kind in the order of the source, parents before what is in them."""
        return iter(self._by_kind.get(kind, ()))

    def end(self) -> int:
        """The offset at which the last of them ends, here-documents included."""
        return int(max(node.end for nodes in self._by_kind.values() for node in nodes))


_PLAIN = ("int", "str", "bool", "str | None")  # types of fields that hold no node, as `syntax` writes them


@cache
def _children(kind: type) -> Callable[[Any], Sequence[Any]] | None:
    """What gives the nodes in a node of this kind, and tuples of them, the last first; None for what is no node."""
    if not is_dataclass(kind):
        return None
    names = [field.name for field in fields(kind) if field.init and field.name != "source" and field.type not in _PLAIN]
    if len(names) == 1:
        return lambda node: (getattr(node, names[0]),)
    return attrgetter(*reversed(names)) if names else lambda node: ()


def _collect(root: Any) -> dict[type, list[Any]]:
    found: dict[type, list[Any]] = defaultdict(list)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        kind: type = node.__class__
        if kind is tuple:
            waiting.extend(node[::-1])
            continue
        children = _children(kind)
        if children is not None:
            found[kind].append(node)
            waiting.extend(children(node))
    return found


def constant(word: object) -> str | None:
    """The text of a word that holds no expansion, without its quotes; None if only evaluation could tell."""
    if not isinstance(word, Word):
        return None
    text: list[str] = []
    for part in word.parts:
        for inner in part.parts if isinstance(part, DoubleQuoted) else (part,):
            if not isinstance(inner, (Literal, Quoted)):
                return None
            text.append(inner.text)
    return "".join(text)
