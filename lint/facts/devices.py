"""Accelerators: the bytes that the runtime reports as usable, devices per node, kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Literal

from lint.frozen import frozen
from lint.packaged import packaged


@frozen
class Device:
    """One accelerator as a process sees it (an Ascend 910C die is one device). Memory in bytes."""

    name: str  # "ascend-a3"
    title: str
    kind: Literal["npu", "cuda"]
    memory_bytes: int  # usable, as the runtime reports it
    per_node: int
    host_memory_bytes: int | None  # of a usual node, where known
    source: str
    measured: bool = True  # False: memory_bytes is derived from the nominal size
    links: Literal["fabric", "pcie"] = "fabric"  # between the devices of a node: NVLink and its like, or the bus


@frozen
class Cluster:
    """Nodes and devices per node of a launch; `device` None: kind not known."""

    nodes: int
    devices_per_node: int
    device: Device | None

    @property
    def devices(self) -> int:
        return self.nodes * self.devices_per_node


@cache
def load_devices() -> Mapping[str, Device]:
    """Every device of `data/devices.json` by name."""
    text = packaged("facts/data/devices.json").read_text(encoding="utf-8")
    return {entry["name"]: Device(**entry) for entry in json.loads(text)["devices"]}


def find_device(name: str) -> Device | None:
    """The device of that name (`ascend-a3`, `h100`); case does not matter. None if there is none."""
    return load_devices().get(name.lower())
