"""Values of an object that are computed when they are first asked for, whichever thread asks."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class once(Generic[Value]):  # noqa: N801 -- a decorator, as `property` is
    """A property that is computed once; a thread that asks meanwhile waits for it.

    `functools.cached_property` has one lock for all objects before Python 3.12, so that one waits for another, and no
    lock since, so that two threads compute the same.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> once[Value]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> once[Value] | Value:
        if instance is None:
            return self
        known = vars(instance)
        with known.setdefault(f"lock of {self._name}", RLock()):
            if self._name not in known:
                known[self._name] = self._compute(instance)
            value: Value = known[self._name]
            return value
