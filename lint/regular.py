"""Regular expressions that are compiled when they are first used.

To compile the hundreds that rules and the reader know takes longer than to check a short script, which needs few.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def regular(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, compiled once somebody asks for one of its methods."""
    return cast("re.Pattern[AnyStr]", _Uncompiled(expression, flags))


class _Uncompiled:
    """Stands for a pattern; each method that was asked for is kept, so that the next use costs nothing more."""

    def __init__(self, expression: Any, flags: int) -> None:
        self._given = expression, flags

    def __getattr__(self, name: str) -> Any:
        method = getattr(re.compile(*self._given), name)
        setattr(self, name, method)
        return method
