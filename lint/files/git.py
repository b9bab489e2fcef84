"""How git is called: a repository is text from others, and its configuration can name programs that git would run."""

from __future__ import annotations

import os
from collections.abc import Mapping

_SETTINGS = {"core.fsmonitor": "false", "core.hooksPath": os.devnull, "submodule.recurse": "false"}


def environment(settings: Mapping[str, str] = {}) -> dict[str, str]:
    """Variables under which git runs no program that a repository names, asks nothing, fetches and writes nothing.

    `settings` are further settings that win over those of the repository, as the user's own in the environment do.
    """
    held = {**_SETTINGS, **settings}
    given = os.environ.get("GIT_CONFIG_COUNT", "")
    first = int(given) if given.isdecimal() else 0
    variables = {**os.environ, "LC_ALL": "C", "GIT_CONFIG_COUNT": str(first + len(held))}
    variables.update(GIT_OPTIONAL_LOCKS="0", GIT_NO_LAZY_FETCH="1", GIT_ALLOW_PROTOCOL="", GIT_TERMINAL_PROMPT="0")
    for index, (name, value) in enumerate(held.items(), first):
        variables[f"GIT_CONFIG_KEY_{index}"] = name
        variables[f"GIT_CONFIG_VALUE_{index}"] = value
    return variables


def without_filters(names: bytes) -> dict[str, str]:
    """Settings that switch off every filter driver among the names of settings that `git config` printed, NUL after
    each: comparing a file with a commit would run them."""
    drivers = {os.fsdecode(name).rpartition(".")[0] for name in names.split(b"\0") if name}
    off = {"clean": "", "process": "", "required": "false"}
    return {f"{driver}.{key}": value for driver in sorted(drivers) for key, value in off.items()}
