"""Runners by their labels."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from lint.facts.devices import find_device
from lint.facts.runners import device_of


@pytest.mark.parametrize(
    ("labels", "device"),
    [
        (["L20x8"], "l20"),
        (["self-hosted", "l20-0"], "l20"),
        (["linux-aarch64-a2b3-8"], "ascend-a2"),
        (["linux-aarch64-a3-16"], "ascend-a3"),
        (["rocm-mi300"], "mi300x"),
        (["ubuntu-latest"], None),
        (["L20x8", "linux-aarch64-a3-16"], None),  # either may run it
        ([], None),
    ],
)
def test_a_label_names_a_device(labels: list[str], device: str | None) -> None:
    found = device_of(labels)
    assert (found.name if found else None) == device


def test_every_runner_has_a_device_that_is_known() -> None:
    rows = json.loads(files("lint.facts").joinpath("data/runners.json").read_text("utf-8"))["runners"]
    assert all(find_device(row["device"]) and row["source"] for row in rows)
