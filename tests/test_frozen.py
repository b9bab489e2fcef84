"""Frozen classes are what a frozen dataclass with slots is, but for the guard of their fields."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, field, replace

from lint.frozen import frozen


@frozen
class Point:
    """A place."""

    x: int
    y: int = 0
    seen: list[str] = field(default_factory=list, compare=False, repr=False)


@frozen
class Marked(Point):
    name: str = ""


@frozen
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class Plain:
    x: int
    y: int = 0


def test_objects_are_equal_where_their_compared_fields_are() -> None:
    assert Point(1) == Point(1, seen=["here"]) != Point(2)
    assert Nothing() == Nothing()
    assert Point(1) != object()
    assert Point(1) != Marked(1)
    assert len({Point(1), Point(1, 0), Point(1, 1), Marked(1)}) == 3


def test_objects_are_printed_as_those_of_a_dataclass() -> None:
    assert repr(Point(1, 2)) == repr(Plain(1, 2)).replace("Plain", "Point")
    assert repr(Marked(1, 2, name="a")) == "Marked(x=1, y=2, name='a')"
    assert repr(Nothing()) == "Nothing()"


def test_objects_are_replaced_copied_and_pickled() -> None:
    marked = Marked(1, 2, ["here"], "a")
    assert replace(marked, x=3) == Marked(3, 2, name="a")
    assert copy.deepcopy(marked) == pickle.loads(pickle.dumps(marked)) == marked
    assert pickle.loads(pickle.dumps(marked)).seen == ["here"]


def test_there_are_slots_and_names_to_match() -> None:
    assert not hasattr(Point(1), "__dict__")
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
