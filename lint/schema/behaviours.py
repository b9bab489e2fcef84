"""How a verl tree behaves where releases differ, read from its code by the probes in `data/behaviours.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from lint.packaged import packaged
from lint.schema.source_tree import SourceTree


def behaviours(tree: SourceTree) -> tuple[str, ...]:
    """The names of the behaviours that a tree shows, sorted."""
    return tuple(sorted(probe["name"] for probe in _probes() if _holds(probe, tree)))


def fingerprint() -> str:
    """Tells one set of probes from another: what is remembered of a tree stands only under the probes it came from."""
    return json.dumps(list(_probes()), sort_keys=True)


def known_behaviours() -> Iterator[str]:
    """The names of all behaviours that are probed for."""
    return (probe["name"] for probe in _probes())


def awaited_behaviours() -> Iterator[str]:
    """The names of fixes that no shipped release has, probed for in checkouts."""
    return (probe["name"] for probe in _probes() if probe.get("awaited", False))


def gone_behaviours() -> Iterator[str]:
    """The names of what only code older than every shipped release does, probed for in checkouts and forks."""
    return (probe["name"] for probe in _probes() if probe.get("gone", False))


def _holds(probe: Mapping[str, Any], tree: SourceTree) -> bool:
    data = tree.read(probe["file"])
    if data is None:
        return False
    found = re.search(probe["pattern"], data.decode("utf-8", "replace"), re.DOTALL) is not None
    return found is not probe.get("absent", False)


@cache
def _probes() -> tuple[Mapping[str, Any], ...]:
    text = packaged("schema/data/behaviours.json").read_text(encoding="utf-8")
    return tuple(json.loads(text)["behaviours"])
