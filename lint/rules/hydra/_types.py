"""Which types a key takes, and what is wrong with a value that has none of them."""

from __future__ import annotations

from functools import cache

from lint.regular import regular
from lint.schema.schema import Field

NOTHING = ("None", "none", "nil")
COUNTS = regular(r"(data|trainer)\.")
"""Nodes without a dataclass whose whole numbers are counts: as a fraction they fail in `range`, a loader or a split."""
IN_SECONDS = ("trainer.esi_redundant_time", "trainer.ray_wait_register_center_timeout")
UNSET_COUNTS = frozenset(
    (
        "data.gen_batch_size",
        "data.seed",
        "data.val_batch_size",
        "trainer.max_actor_ckpt_to_keep",
        "trainer.max_critic_ckpt_to_keep",
        "trainer.total_training_steps",
    )
)
"""Whole numbers of nodes without a dataclass that are null by default (ppo_trainer.yaml of each release)."""
EACH_EPOCH = "after_each_epoch"
"""The one word that verl takes where a number is the default (trainer/sft_trainer.py, sft_trainer_ray.py)."""
RANGE = regular(r"[\d.]+_[\d.]+")
NAMES = {"bool": "a boolean", "int": "an integer", "float": "a number", "none": "null"}


def expected(key: str, default: object, field: Field | None) -> frozenset[str]:
    """The types that a key takes: of its field, else of its default; empty: anything."""
    if field is not None:
        return _set_of(field.types)
    if default is None and key in UNSET_COUNTS:
        return frozenset({"int", "none"})
    if isinstance(default, bool):
        return frozenset({"bool"})
    if isinstance(default, int) and COUNTS.match(key) and key not in IN_SECONDS:
        return frozenset({"int"})
    return frozenset({"int", "float"}) if isinstance(default, (int, float)) else frozenset()


def others(key: str, entry_point: str) -> frozenset[str | bool]:
    """What else a program takes for a key whose default is a number: a word, or False for never."""
    if key not in ("trainer.save_freq", "trainer.test_freq"):
        return frozenset()
    return frozenset({False, EACH_EPOCH} if "sft_trainer" in entry_point else {False})


@cache
def _set_of(types: tuple[str, ...]) -> frozenset[str]:
    return frozenset(types)


def mismatch(value: object, wanted: frozenset[str]) -> str | None:
    """What is wrong with a value, in words, None if it may be right: of a type that is wanted, a range (`0.5_4.0`), or
    a value that is yet to be looked up (`${...}`)."""
    if not wanted or not wanted <= NAMES.keys():
        return None
    number = "int" in wanted or "float" in wanted
    if isinstance(value, str):
        if number and (RANGE.fullmatch(value.strip("'\"")) or "${" in value):
            return None
        return f"the text {value!r}, not {_listed(wanted)}"
    if isinstance(value, bool):
        if "bool" in wanted or not number:
            return None
        return f"{value}, a boolean that counts as {int(value)}, not {_listed(wanted)}"
    if isinstance(value, (int, float)) and not number:
        return None if value in (0, 1) else f"{value}, not {_listed(wanted)}"
    if isinstance(value, float) and "float" not in wanted:
        return f"{value}, not {_listed(wanted)}"
    return None


def _listed(wanted: frozenset[str]) -> str:
    shown = [name for kind, name in NAMES.items() if kind in wanted and not (kind == "int" and "float" in wanted)]
    return " or ".join(shown)


def kind(value: object) -> str:
    """What a value is that has none of the types: a text, a boolean, or a number with a point or without one."""
    if isinstance(value, str):
        return "text"
    return "boolean" if isinstance(value, bool) else "fraction" if isinstance(value, float) else "integer"


def advice(wanted: frozenset[str], value: object) -> str:
    """What to write instead of a value that has none of the types."""
    if "bool" in wanted:
        return "write True or False"
    return f"write {int(value)}" if isinstance(value, float) and value.is_integer() else "write a number"
