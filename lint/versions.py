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


def holds(release: str, operator: str, bound: str) -> bool:
    """Whether a release is within a bound as pip writes it: `>=`, `0.8.0`; `==`, `0.8.*`; `~=`, `0.8.0`."""
    width = max(len(version(release)), len(version(bound)))
    have, want = (version(one) + (0,) * (width - len(version(one))) for one in (release, bound))
    if operator == "~=" or bound.endswith(".*"):
        kept = len(version(bound)) - (operator == "~=")
        same = have[:kept] == want[:kept]
        return have >= want and same if operator == "~=" else same is (operator != "!=")
    return {
        "==": have == want,
        "!=": have != want,
        ">=": have >= want,
        "<=": have <= want,
        ">": have > want,
        "<": have < want,
    }[operator]
