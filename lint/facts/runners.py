"""Runners of workflows: the device that their labels stand for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache

from lint.facts.devices import Device, find_device
from lint.packaged import packaged


def device_of(labels: Iterable[str]) -> Device | None:
    """The device of a runner with these labels; None if they name none that is known, or two."""
    found = {name for label in labels for form, name in _forms().items() if form.fullmatch(label)}
    return find_device(found.pop()) if len(found) == 1 else None


@cache
def _forms() -> Mapping[re.Pattern[str], str]:
    """The device of each form of label in `data/runners.json`."""
    text = packaged("facts/data/runners.json").read_text(encoding="utf-8")
    return {re.compile(entry["label"]): entry["device"] for entry in json.loads(text)["runners"]}
