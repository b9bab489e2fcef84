"""What each verl release runs on: the rollout engine and its stack in the images that the release ships."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

from lint.frozen import frozen
from lint.packaged import packaged


@frozen
class Software:
    """Versions in the image of one release for one kind of device. None: not part of it, or not stated."""

    vllm: str
    source: str
    vllm_ascend: str | None = None
    sglang: str | None = None
    torch_npu: str | None = None
    cann: str | None = None
    transformers: str | None = None
    flash_linear_attention: str | None = None


@cache
def load_software() -> Mapping[tuple[str, str], Software]:
    """Software by release and kind of device ("npu", "cuda")."""
    text = packaged("facts/data/software.json").read_text(encoding="utf-8")
    return {
        (entry["release"], kind): Software(**entry[kind])
        for entry in json.loads(text)["releases"]
        for kind in ("npu", "cuda")
    }


def software_of(release: str, kind: Literal["npu", "cuda"]) -> Software | None:
    """The software of a release's image; None for a release that is not in the table."""
    return load_software().get((release, kind))


def version(text: str) -> tuple[int, ...]:
    """A version as numbers that compare: "0.18.0rc1" -> (0, 18, 0)."""
    found = re.match(r"\d+(\.\d+)*", text)
    return tuple(int(part) for part in found.group().split(".")) if found else ()
