"""Variables of NPUs that several rules read."""

from __future__ import annotations

import re

PORT_RANGES = ("HCCL_HOST_SOCKET_PORT_RANGE", "HCCL_NPU_SOCKET_PORT_RANGE")
ALLOCATOR = "PYTORCH_NPU_ALLOC_CONF"


def options(value: str) -> dict[str, str]:
    """The options of an allocator setting; brackets hold lists of their own."""
    parts = re.split(r",(?![^\[]*\])", value)
    return {name.strip(): text.strip() for name, _, text in (part.partition(":") for part in parts if part.strip())}
