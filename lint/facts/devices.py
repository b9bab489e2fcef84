"""Accelerators: the bytes that the runtime reports as usable, devices per node, kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Device:
    """One accelerator as a process sees it (an Ascend 910C die is one device). Memory in bytes."""

    name: str  # "ascend-a3"
    title: str
    kind: Literal["npu", "cuda"]
    memory_bytes: int  # usable, as the runtime reports it
    per_node: int
    host_memory_bytes: int | None  # of a usual node, where known
    source: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """Nodes and devices per node of a launch; `device` None: kind not known."""

    nodes: int
    devices_per_node: int
    device: Device | None

    @property
    def devices(self) -> int:
        return self.nodes * self.devices_per_node
