"""Variables whose content is not known: a scalar, a list of nobody knows how many elements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lint.bash.origins import derive, origins_of
from lint.bash.reading import Origin, Text, Unknown
from lint.bash.state.state import Value
from lint.bash.unknown import is_list
from lint.text import Span


def unknown_value(value: Value, reason: str, span: Span) -> Value:
    """The same variable with a content that is not known."""
    return value._replace(content=Text((Unknown(reason, Origin(span, "expansion")),)), kind="scalar")


def unknown_array(value: Value, reason: str, span: Span) -> Value:
    """An array of which nothing is certain any more, not even how many elements it has."""
    before = value.content
    texts = before.values() if isinstance(before, Mapping) else [before]
    elements = Text((Unknown(reason, derive(span, "expansion", None, origins_of(texts)), splits=True),))
    return value._replace(content=elements, kind="scalar", inherited=False)


def unknown_like(values: Iterable[Value | None], reason: str, span: Span) -> Value:
    """A variable that may hold anything of the kind of these, of which one is set: it is a list if one of them is."""
    found = [value for value in values if value is not None]
    lists = [value for value in found if _is_array(value)]
    return unknown_array(lists[0], reason, span) if lists else unknown_value(found[0], reason, span)


def _is_array(value: Value) -> bool:
    return value.kind != "scalar" or (isinstance(value.content, Text) and is_list(value.content))
