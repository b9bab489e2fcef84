"""The table of settings that need another one: `missing_companion.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lint.rules.control._conditions import satisfied
from lint.rules.tables import rows_beside
from lint.subject.subject import Subject

TABLE = str(Path(__file__).with_name("missing_companion.toml"))


def companions() -> tuple[Mapping[str, Any], ...]:
    """Its rows."""
    return rows_beside(TABLE)


def lacks(subject: Subject, key: str, value: str) -> bool:
    """True if a value of a key would want a companion that is not there."""
    wanting = (row for row in companions() if row.get("when", {}).get(key) == value)
    return any(not satisfied(subject.value(row["key"]), row["must"]) for row in wanting)
