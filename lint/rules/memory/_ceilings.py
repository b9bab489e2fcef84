"""A team's table of ceilings for `rollout.gpu_memory_utilization`: size of a model, as `32B`, to share of a device."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lint.facts.models import Model
from lint.regular import regular
from lint.rules.memory._prediction import is_share

BILLIONS = regular(r"(\d+(?:\.\d+)?)B", re.IGNORECASE)


def objection(name: str, table: Mapping[str, object]) -> str | None:
    """What is wrong with a team's table of ceilings: rows that no model, or every share, would pass."""
    for size, share in table.items():
        if not BILLIONS.fullmatch(size):
            return f"{size!r} is no size of a model; write it as in '32B'"
        if isinstance(share, bool) or not isinstance(share, (int, float)) or not is_share(share):
            return f"the ceiling of {size} must be a share between 0 and 1, not {share!r}"
    return None


def row_for(table: Mapping[str, object], model: Model) -> tuple[str, float] | None:
    """The row of the table for a model: the smallest size that is at least the model's."""
    numbers = {size: share for size, share in table.items() if isinstance(share, (int, float))}
    sizes = {size: float(found[1]) * 1.05e9 for size in numbers if (found := BILLIONS.fullmatch(size))}
    fitting = sorted((size for size in sizes if sizes[size] >= model.parameters.total), key=sizes.__getitem__)
    return (fitting[0], float(numbers[fitting[0]])) if fitting else None
