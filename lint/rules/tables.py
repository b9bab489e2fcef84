"""Tables of facts beside the rules that read them: `<rule_name>.toml` with a list `[[row]]`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lint.toml import loads


@cache
def rows_beside(module_file: str) -> tuple[Mapping[str, Any], ...]:
    """The rows of the table that stands beside a module, in order."""
    return tuple(loads(Path(module_file).with_suffix(".toml").read_text("utf-8"))["row"])
