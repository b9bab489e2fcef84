"""Values that a run keeps until its end: small as long as nobody looks at them."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterator, MutableMapping
from typing import Generic, TypeVar

Value = TypeVar("Value")

FEW = 500  # values that are kept as they are: packing them would save less than it takes


class Packed(MutableMapping[str, Value], Generic[Value]):
    """Values by name. Once there are many, each is kept as compressed bytes, and unpacked whenever it is asked for."""

    def __init__(self) -> None:
        self._values: dict[str, Value] = {}
        self._packed: dict[str, bytes] = {}
        self._last: tuple[str, Value] | None = None  # unpacked: one name is often asked for many times in a row

    def __setitem__(self, name: str, value: Value) -> None:
        if name in self._values or len(self._values) < FEW:
            self._values[name] = value
        else:
            self._packed[name] = zlib.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), 1)
            self._last = None

    def __getitem__(self, name: str) -> Value:
        if name in self._values:
            return self._values[name]
        if self._last is None or self._last[0] != name:
            value: Value = pickle.loads(zlib.decompress(self._packed[name]))
            self._last = (name, value)
        return self._last[1]

    def __delitem__(self, name: str) -> None:
        del (self._values if name in self._values else self._packed)[name]
        self._last = None

    def __contains__(self, name: object) -> bool:
        return name in self._values or name in self._packed

    def __iter__(self) -> Iterator[str]:
        yield from self._values
        yield from self._packed

    def __len__(self) -> int:
        return len(self._values) + len(self._packed)
