"""The conditions of the tables beside the rules: where a row holds, what a key has, what it must have, and how that is
said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lint.subject.derived import Role, at_least, engine, generation, legacy_workers
from lint.subject.subject import Subject
from lint.subject.workers import accelerator


def in_scope(subject: Subject, row: Mapping[str, Any], role: Role = "actor") -> bool:
    """True if the launch is certainly one that a row speaks of: its release, program, workers, trainer, engine, device,
    model (`architectures`) and the values of other keys (`when`)."""
    for key, condition in row.get("when", {}).items():
        if not holds(subject, key, condition):
            return False
    if not at_least(subject, row.get("since", "0")) or ("until" in row and at_least(subject, row["until"])):
        return False
    if "programs" in row and not subject.launch.entry_point.startswith(tuple(row["programs"])):
        return False
    if row.get("workers") == "engine" and legacy_workers(subject):
        return False
    if "trainer" in row and generation(subject) != row["trainer"]:
        return False
    if "engines" in row and engine(subject, role) not in row["engines"]:
        return False
    if "device" in row and accelerator(subject) != row["device"]:
        return False
    return "architectures" not in row or (
        subject.model is not None and subject.model.architecture in row["architectures"]
    )


def holds(subject: Subject, key: str, condition: Any) -> bool:
    """True if the key certainly has the value, one of the values, another one (`not VALUE`), or any one (`set`): one
    that is neither nothing nor False."""
    value = subject.value(key)
    if value is None:
        return False
    if condition == "set":
        return value is not False and value not in ("", [], {})
    if condition == "above one":
        return isinstance(value, (int, float)) and value > 1
    if isinstance(condition, str) and condition.startswith("not "):
        return value != condition.removeprefix("not ")
    return value in condition if isinstance(condition, list) else value == condition


def satisfied(value: object, must: Any) -> bool:
    """True if a known value is as it must be."""
    if isinstance(must, list):
        return value in must or (value is None and "null" in must)
    if must == "positive or null" and value is None:
        return True
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


def described(subject: Subject, key: str) -> str:
    """The key with its value for a message, and with the node above it where one word says too little: `mtp.enable`."""
    above, _, name = key.rpartition(".")
    return subject.describe(key) if "_" in name or not above else f"{above.rpartition('.')[2]}.{subject.describe(key)}"


def shortest(key: str) -> str:
    """The last name of a key, with the node above it where one word says too little: `reward_manager.name`."""
    return ".".join(key.split(".")[-1 if "_" in key.rpartition(".")[2] else -2 :])
