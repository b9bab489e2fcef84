"""The files that come with the package: facts about the world, beside the code that reads them."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def packaged(path: str) -> Path:
    """Where a file is, by its path in the package, such as `facts/data/devices.json`."""
    return _PACKAGE / path
