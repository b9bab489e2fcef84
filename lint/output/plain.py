"""JSON that every reader accepts: bytes that are not UTF-8 are shown as escapes, never as half of a surrogate pair."""

from __future__ import annotations

import json
from typing import Any


def dumps(document: Any) -> str:
    """The document as indented JSON in ASCII, with a line end."""
    return json.dumps(_clean(document), indent=2) + "\n"


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
