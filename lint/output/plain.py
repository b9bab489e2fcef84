"""JSON that every reader accepts: bytes that are not UTF-8 are shown as escapes, never as half of a surrogate pair."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any


def dumps(document: Any) -> str:
    """The document as indented JSON in ASCII, with a line end."""
    return json.dumps(_clean(document), indent=2) + "\n"


def pieces(document: Any) -> Iterator[str]:
    """The same text piece by piece; iterators in the document are lists that are written row by row."""
    yield from _pieces(document, "\n")
    yield "\n"


def _pieces(value: Any, line: str) -> Iterator[str]:
    """`line` is a line end with the blanks that stand before the value."""
    deeper = f"{line}  "
    rows: Iterator[Iterable[str]]
    if isinstance(value, Iterator):
        rows, ends = ((_text(row, deeper),) for row in value), "[]"
    elif isinstance(value, list):
        rows, ends = (_pieces(inner, deeper) for inner in value), "[]"
    elif isinstance(value, dict):
        rows, ends = (
            (chain((f"{_text(name, deeper)}: ",), _pieces(inner, deeper)) for name, inner in value.items()),
            "{}",
        )
    else:
        yield _text(value, line)
        return
    begin = ends[0]
    for row in rows:
        yield begin + deeper
        yield from row
        begin = ","
    yield ends if begin != "," else line + ends[1]


def _text(value: Any, line: str) -> str:
    return json.dumps(_clean(value), indent=2).replace("\n", line)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return (
            value if value.isascii() else value.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        )
    if isinstance(value, dict):
        return {_clean(name): _clean(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(inner) for inner in value]
    return value
