"""Tables of facts beside the rules that read them: `<rule_name>.toml` with a list `[[row]]`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def rows_beside(module_file: str) -> tuple[Mapping[str, Any], ...]:
    """The rows of the table that stands beside a module, in order."""
    with Path(module_file).with_suffix(".toml").open("rb") as table:
        return tuple(tomllib.load(table)["row"])
