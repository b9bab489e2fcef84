"""Dataclasses are read from source text: fields, types, allowed values, through imports and bases."""

from lint.schema.dataclass_types import read_classes
from lint.schema.schema import DataClass, Field, Schema

MODULES = {
    "p": ("p/__init__.py", "from .inner import *\nfrom .other import Renamed as Named\n"),
    "p.inner": (
        "p/inner.py",
        """\
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Optional, Union
from p.base import Base
from .other import Renamed

@dataclass
class Actor(Base):
    number: int = 1
    maybe: Optional[float] = None
    either: Union[int, str] = 1
    new: "int | None" = None
    flag: bool = False
    names: list[str] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    anything: Any = None
    mode: Literal["a", "b"] = "a"
    nested: Renamed = field(default_factory=Renamed)
    unknown: SomewhereElse = None
    shared: ClassVar[int] = 3
    derived: int = field(init=False, default=0)
    untyped = 4

    def __post_init__(self):
        valid = ["x", "y"]
        assert self.kind in ("sharded", "plain")
        if self.unknown not in valid:
            raise ValueError
        if self.number not in [1, 2]:
            print("only a warning")

class Ordinary:
    def __init__(self, a):
        pass
""",
    ),
    "p.base": (
        "p/base.py",
        "from dataclasses import dataclass\n@dataclass\nclass Base:\n    kind: str = 'plain'\n    b: int = 0\n",
    ),
    "p.other": ("p/other.py", "from dataclasses import dataclass\n@dataclass\nclass Renamed:\n    x: int = 1\n"),
    "p.broken": ("p/broken.py", "def ("),
    "p.circle": ("p/circle.py", "from p.circle import *\nfrom p.circle import X\n"),
}


def read(*targets: str) -> tuple[dict[str, DataClass], dict[str, str]]:
    return read_classes(targets, MODULES.get)


def fields() -> "dict[str, Field]":
    return dict(read("p.Actor")[0]["p.inner.Actor"].fields)


def test_finds_classes_through_re_exports() -> None:
    classes, aliases = read("p.Actor", "p.Named")
    assert aliases == {"p.Actor": "p.inner.Actor", "p.Named": "p.other.Renamed"}
    assert set(classes) == {"p.inner.Actor", "p.base.Base", "p.other.Renamed"}


def test_reads_the_types_of_fields() -> None:
    types = {name: field.types for name, field in fields().items()}
    assert types == {
        "number": ("int",),
        "maybe": ("float", "none"),
        "either": ("int", "str"),
        "new": ("int", "none"),
        "flag": ("bool",),
        "names": ("list",),
        "options": ("dict",),
        "anything": (),
        "mode": ("str",),
        "nested": ("p.other.Renamed",),
        "unknown": (),
    }


def test_reads_allowed_values_of_literals_and_of_checks_that_raise() -> None:
    found = read("p.Actor")[0]["p.inner.Actor"]
    assert (found.fields["mode"].allowed, found.fields["mode"].checked) == (("a", "b"), False)
    assert (found.fields["unknown"].allowed, found.fields["unknown"].checked) == (("x", "y"), True)
    assert found.fields["number"].allowed == ()
    assert found.inherited_allowed == {"kind": ("sharded", "plain")}


def test_a_class_takes_the_fields_of_its_bases() -> None:
    classes, aliases = read("p.Actor")
    schema = Schema("1", "", "", None, {}, {}, classes, aliases)
    taken = schema.fields("p.Actor")
    assert taken is not None
    assert {"b", "kind", "number"} <= set(taken)
    assert taken["kind"].allowed == ("sharded", "plain")


def test_says_where_a_class_is_defined() -> None:
    assert read("p.other.Renamed")[0]["p.other.Renamed"].source == "p/other.py:3"


def test_what_is_no_dataclass_of_the_tree_is_left_out() -> None:
    assert read("p.inner.Ordinary", "p.Nothing", "elsewhere.C", "p.broken.X", "p.circle.X")[0] == {}
