"""The order in which bash lists the elements of an array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lint.bash.reading import Text


def ordered(value: Mapping[int, Text] | Mapping[str, Text]) -> list[tuple[int | str, Text]]:
    """The elements in the order in which bash lists them."""
    keys: list[int | str] = list(value)
    if any(isinstance(key, str) for key in keys):
        keys = list(hash_order([str(key) for key in keys]))
    else:
        keys.sort(key=int)
    items: Mapping[object, Text] = value  # type: ignore[assignment]
    return [(key, items[key]) for key in keys]


def hash_order(keys: Sequence[str]) -> Iterable[str]:
    """Keys of an associative array in bash's order: by bucket of a 32-bit FNV-1 hash, in a bucket the newest first.

    Source: hashlib.c of bash 5.2 (hash_string, 1024 buckets for associative arrays, four times as many once there
    are more than twice as many keys as buckets).
    """
    buckets = 1024
    while len(keys) > buckets * 2:
        buckets *= 4
    newest_first = keys[::-1]
    return sorted(newest_first, key=lambda key: _hash(key) & (buckets - 1))


def _hash(key: str) -> int:
    value = 2166136261
    for byte in key.encode("utf-8", "surrogateescape"):
        value = value * 16777619 & 0xFFFFFFFF
        value ^= byte if byte < 128 else (byte - 256) & 0xFFFFFFFF  # bash reads signed characters
    return value
