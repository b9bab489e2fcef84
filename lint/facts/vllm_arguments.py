"""Arguments that a version of vLLM takes: verl starts it as `vllm serve` with what stands in `engine_kwargs.vllm`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from lint.frozen import frozen


@frozen
class Arguments:
    """Names with underscores, by version; `instead` says what to write for one that is gone (None: nothing)."""

    versions: Mapping[str, frozenset[str]]
    instead: Mapping[str, str | None]


@cache
def load_arguments() -> Arguments:
    document = json.loads(files("lint.facts").joinpath("data/vllm_arguments.json").read_text("utf-8"))
    always, some = frozenset(document["always"]), document["some"]
    versions = {
        version: always | {name for name, having in some.items() if version in having}
        for version in document["versions"]
    }
    return Arguments(versions, document["instead"])


def takes(version: str, name: str) -> bool | None:
    """Whether a version takes an argument, also as `no_...` or by its beginning; None if it is not listed."""
    known = load_arguments().versions.get(version)
    if known is None:
        return None
    name = name.replace("-", "_")
    return any(one.startswith(name) for one in known) or name.removeprefix("no_") in known
