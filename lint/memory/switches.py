"""The switches of a release, read from `data/switches.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from lint.memory.inputs import Switches
from lint.rules.versions import version


@cache
def switches_of(release: str) -> Switches:
    """How a release behaves. A development version (`0.9.0.dev`) behaves as the release before it."""
    here = version(release)
    if "dev" in release:
        here = (*here[:-1], here[-1] - 1, 999) if here[-1] else (*here[:-2], here[-2] - 1, 999)
    return Switches(**{entry["name"]: _holds(entry, here) for entry in _entries()})


@cache
def _entries() -> tuple[Mapping[str, Any], ...]:
    text = files("lint.memory").joinpath("data/switches.json").read_text(encoding="utf-8")
    return tuple(json.loads(text)["switches"])


def _holds(entry: Mapping[str, Any], here: tuple[int, ...]) -> bool:
    since, until = entry["since"], entry["until"]
    return (since is None or here >= version(since)) and (until is None or here < version(until))
