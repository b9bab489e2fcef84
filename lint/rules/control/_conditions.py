"""The conditions of the tables beside the rules: what a key has, what it must have, and how that is said."""

from __future__ import annotations

from typing import Any

from lint.subject.subject import Subject


def holds(subject: Subject, key: str, condition: Any) -> bool:
    """True if the key certainly has the value, one of the values, any value (`set`), or another one (`not VALUE`)."""
    value = subject.value(key)
    if condition == "set":
        return value not in (None, "")
    if isinstance(condition, str) and condition.startswith("not "):
        return value is not None and value != condition.removeprefix("not ")
    return value in condition if isinstance(condition, list) else value == condition and value is not None


def satisfied(value: object, must: Any) -> bool:
    """True if a known value is as it must be."""
    if isinstance(must, list):
        return value in must
    if must.startswith("holds "):
        return isinstance(value, str) and must.removeprefix("holds ") in value
    if must.startswith("not "):
        return bool(value != must.removeprefix("not "))
    if must == "set":
        return value not in (None, "", [])
    return isinstance(value, (int, float)) and value > (1 if must == "above one" else 0)


def wanted(key: str, must: Any) -> str:
    """The companion as text: `trainer.val_before_train=True`, `trainer.resume_from_path to hold global_step_`."""
    if isinstance(must, list):
        return f"{key}={' or '.join(map(str, must))}"
    if must.startswith("not "):
        return f"{key} other than {must.removeprefix('not ')}"
    return f"{key} to {must.replace('holds ', 'hold ') if must.startswith('holds ') else f'be {must}'}"
