"""Releases as numbers that compare."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=256)
def version(release: str) -> tuple[int, ...]:
    """`v0.9.1` as (0, 9, 1); what follows the digits of a part (`rc1`, `.dev0`) does not count."""
    numbers = []
    for part in release.removeprefix("v").split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits[:18]))
    return tuple(numbers)
