"""Which types a key takes, and what is wrong with a value that has none of them."""

from __future__ import annotations

import re

from lint.schema.schema import Field

NOTHING = ("None", "none", "nil")
COUNTS = re.compile(r"(data|trainer)\.")
"""Nodes without a dataclass whose whole numbers are counts: as a fraction they fail in `range`, a loader or a split."""
IN_SECONDS = ("trainer.esi_redundant_time", "trainer.ray_wait_register_center_timeout")
LIKE_A_NUMBER = re.compile(r"[+-]?\.?\d|[lIO]e-?\d")
"""Also `le-6`, a small l for the one."""
RANGE = re.compile(r"[\d.]+_[\d.]+")
NAMES = {"bool": "a boolean", "int": "an integer", "float": "a number", "none": "null"}


def expected(key: str, default: object, field: Field | None) -> frozenset[str]:
    """The types that a key takes: of its field, else of its default; empty: anything."""
    if field is not None:
        return frozenset(field.types)
    if isinstance(default, bool):
        return frozenset({"bool"})
    if isinstance(default, int) and COUNTS.match(key) and key not in IN_SECONDS:
        return frozenset({"int"})
    return frozenset({"int", "float"}) if isinstance(default, (int, float)) else frozenset()


def mismatch(value: object, wanted: frozenset[str]) -> str | None:
    """What is wrong with a value, in words, None if it may be right.

    A word where a number is expected may be right: verl takes `after_each_epoch` for `trainer.test_freq`. One that
    begins like a number is not, unless it is a range (`0.5_4.0`).
    """
    if not wanted or not wanted <= {"bool", "int", "float", "none"}:
        return None
    number = bool(wanted & {"int", "float"})
    if isinstance(value, str):
        bare = value.strip("'\"")
        if number and not (value == "" or (LIKE_A_NUMBER.match(bare) and not RANGE.fullmatch(bare))):
            return None
        return f"the text {value!r}, not {_listed(wanted)}"
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)) and not number:
        return None if value in (0, 1) else f"{value}, not {_listed(wanted)}"
    if isinstance(value, float) and "float" not in wanted:
        return f"{value}, not {_listed(wanted)}"
    return None


def _listed(wanted: frozenset[str]) -> str:
    shown = [name for kind, name in NAMES.items() if kind in wanted and not (kind == "int" and "float" in wanted)]
    return " or ".join(shown)


def advice(wanted: frozenset[str], value: object) -> str:
    """What to write instead of a value that has none of the types."""
    if "bool" in wanted:
        return "write True or False"
    return f"write {int(value)}" if isinstance(value, float) and value.is_integer() else "write a number"
