"""Environment variables of verl launches: who reads them, on which device, which values, in which releases."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from lint.findings import Severity
from lint.frozen import frozen
from lint.toml import loads

DATA = Path(__file__).parent / "data" / "environment.toml"


@frozen
class EnvironmentVariable:
    """One variable; the fields are explained in the data file.

    `since` and `until` are verl releases (`until`: the first whose images hold no reader of it).
    """

    name: str
    reader: str
    effect: str
    source: str
    device: str | None = None  # "npu", "cuda"; None: both
    values: tuple[str, ...] = ()
    pattern: str | None = None
    minimum: int | None = None
    maximum: int | None = None
    wrong: str = ""
    severity: Severity = "warning"
    unread: Severity = "info"
    since: str | None = None
    until: str | None = None
    instead: str | None = None
    counterpart: str | None = None

    @property
    def allowed(self) -> str:
        """The accepted values in words: `0, 1 or 2`, `120 to 7200`, `at least 1`; empty if any value will do."""
        if self.values:
            return ", ".join(self.values[:-1]) + f" or {self.values[-1]}"
        if self.minimum is not None:
            return f"{self.minimum} to {self.maximum}" if self.maximum is not None else f"at least {self.minimum}"
        return self.pattern or ""

    def accepts(self, value: str) -> bool:
        """True if the reader takes this value, or if its values are not known."""
        if self.values:
            return value in self.values
        if self.pattern is not None:
            return re.fullmatch(self.pattern, value) is not None
        if self.minimum is None:
            return True
        if re.fullmatch(r"\d+", value) is None:
            return False
        number = int(value.lstrip("0")[:DIGITS] or "0")
        return number >= self.minimum and (self.maximum is None or number <= self.maximum)


DIGITS = 30  # of a number that are looked at: no limit is so large


@cache
def environment_variables() -> dict[str, EnvironmentVariable]:
    """All known variables, by name."""
    entries = loads(DATA.read_text(encoding="utf-8"))["variable"]
    known = (EnvironmentVariable(**{**entry, "values": tuple(entry.get("values", ()))}) for entry in entries)
    return {variable.name: variable for variable in known}
