"""Arguments that a version of a rollout engine takes: those below `engine_kwargs.vllm` and `engine_kwargs.sglang`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

from lint.frozen import frozen
from lint.packaged import packaged


@frozen
class Arguments:
    """Names with underscores, by version of the engine; `instead` says what to write for one that it lacks.

    `command_line`: verl writes them as options (dashes, `no_...` and beginnings are understood), else as keywords.
    """

    versions: Mapping[str, frozenset[str]]
    instead: Mapping[str, str | None]
    command_line: bool

    def takes(self, version: str, name: str) -> bool | None:
        """Whether a version takes an argument; None if the version is not listed."""
        known = self.versions.get(version)
        if known is None:
            return None
        if not self.command_line:
            return name in known
        name = name.replace("-", "_")
        return any(one.startswith(name) for one in known) or name.removeprefix("no_") in known


@cache
def load_arguments(engine: str) -> Arguments:
    """The arguments of "vllm" or "sglang"."""
    document = json.loads(packaged(f"facts/data/{engine}_arguments.json").read_text("utf-8"))
    always, some = frozenset(document["always"]), document["some"]
    versions = {
        version: always | {name for name, having in some.items() if version in having}
        for version in document["versions"]
    }
    return Arguments(versions, document["instead"], document["command_line"])
