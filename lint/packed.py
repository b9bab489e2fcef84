"""Values that a run keeps until its end, in a file as long as nobody looks at them: memory stays as it is."""

from __future__ import annotations

import pickle
from collections.abc import Hashable, Iterable, Iterator, MutableMapping, Sequence
from itertools import chain, islice
from typing import IO, Any, Generic, TypeVar, overload

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

FEW = 200  # values by key that are kept as they are: to pack them would save less than it takes
SHORT = 2000  # values of a sequence that are kept so
PAGE = 50  # values of a longer sequence that are packed as one


class Packed(MutableMapping[Key, Value], Generic[Key, Value]):
    """Values by key. Once there are many, each is packed into a temporary file, and unpacked when it is asked for."""

    def __init__(self, few: int | None = None) -> None:
        self._few = FEW if few is None else few
        self._values: dict[Key, Value] = {}
        self._places: dict[Key, tuple[int, int]] = {}  # offset and size in the file
        self._file: IO[bytes] | None = None
        self._last: tuple[Key, Value] | None = None  # unpacked: one key is often asked for many times in a row

    def __setitem__(self, key: Key, value: Value) -> None:
        if key in self._values or (key not in self._places and len(self._values) < self._few):
            self._values[key] = value
            return
        if self._file is None:
            from tempfile import TemporaryFile  # few runs need it

            self._file = TemporaryFile()  # noqa: SIM115 -- open as long as this is
        packed = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        self._places[key] = (self._file.seek(0, 2), len(packed))
        self._file.write(packed)
        self._file.flush()  # a process that is forked from now on has nothing to write
        self._last = None

    def __getitem__(self, key: Key) -> Value:
        if key in self._values:
            return self._values[key]
        if self._last is None or self._last[0] != key:
            offset, size = self._places[key]
            assert self._file is not None
            self._file.seek(offset)
            value: Value = pickle.loads(self._file.read(size))
            self._last = (key, value)
        return self._last[1]

    def __delitem__(self, key: Key) -> None:
        self._last = None
        if key in self._values:
            del self._values[key]
        else:
            del self._places[key]

    def __contains__(self, key: object) -> bool:
        return key in self._values or key in self._places

    def __iter__(self) -> Iterator[Key]:
        yield from self._values
        yield from self._places

    def __len__(self) -> int:
        return len(self._values) + len(self._places)


class Pages(Sequence[Value], Generic[Value]):
    """A long sequence of which one page is in memory."""

    def __init__(self, values: Iterable[Value]) -> None:
        self._pages: Packed[int, Sequence[Value]] = Packed(few=0)
        self._length = 0
        rest = iter(values)
        while page := tuple(islice(rest, PAGE)):
            self._pages[len(self._pages)] = page
            self._length += len(page)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Value]:
        for page in self._pages.values():
            yield from page

    @overload
    def __getitem__(self, index: int) -> Value: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Value]: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[one] for one in range(*index.indices(self._length)))
        number = range(self._length)[index]  # raises IndexError
        return self._pages[number // PAGE][number % PAGE]


def sequence(values: Iterable[Value]) -> Sequence[Value]:
    """The values in order: a tuple, unless there are many."""
    rest = iter(values)
    first = tuple(islice(rest, SHORT))
    return first if len(first) < SHORT else Pages(chain(first, rest))
