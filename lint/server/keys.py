"""The keys of a launch's config and the fields behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lint.schema.schema import Field
from lint.subject.subject import Subject


def field_of(subject: Subject, key: str) -> Field | None:
    """The field of a dataclass that a key is, if its node names one."""
    if subject.composition is None or "." not in key:
        return None
    above, _, name = key.rpartition(".")
    node: Any = subject.composition.tree
    for part in above.split("."):
        node = node.get(part) if isinstance(node, Mapping) else None
    target = node.get("_target_") if isinstance(node, Mapping) else None
    fields = subject.composition.schema.fields(target) if isinstance(target, str) else None
    return None if fields is None else fields.get(name)
