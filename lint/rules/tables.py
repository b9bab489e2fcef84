"""Tables of facts beside the rules that read them: `<rule_name>.toml` with a list `[[row]]`."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cache
from pathlib import Path
from typing import Any

from lint.toml import loads


@cache
def rows_beside(module_file: str) -> tuple[Mapping[str, Any], ...]:
    """The rows of the table that stands beside a module, in order."""
    return tuple(loads(Path(module_file).with_suffix(".toml").read_text("utf-8"))["row"])


def keys_of(row: Mapping[str, Any]) -> list[str]:
    """The keys that a row speaks of: its `key`, or its `keys`."""
    return [row["key"]] if "key" in row else row["keys"]


@cache
def keys_beside(module_file: str) -> Set[str]:
    """The keys that the rows speak of."""
    return frozenset(key for row in rows_beside(module_file) for key in keys_of(row))
