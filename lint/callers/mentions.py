"""Which workflows of a repository name a script: all that is looked at where none does."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache

from lint.files import discovery
from lint.files.cache import digest
from lint.regular import regular

FOLDER = os.path.join(".github", "workflows")
SCRIPT_NAME = regular(rb"[\w.+-]+\.(?:sh|bash)\b")


def state_of_calls(path: str, root: str) -> str:
    """A name for the state of the workflows that mention a script; empty if none does."""
    found = mentions(root).get(os.fsencode(os.path.basename(path)), ())
    return digest(*((workflow, text_of(workflow)) for workflow in found)) if found else ""


@lru_cache(maxsize=64)
def mentions(root: str) -> Mapping[bytes, tuple[str, ...]]:
    """The workflows that name a script, by its name without folders."""
    found: dict[bytes, list[str]] = {}
    folder = os.path.join(root, FOLDER)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return {}
    for workflow in names:
        path = os.path.join(folder, workflow)
        if workflow.endswith((".yml", ".yaml")):
            lines = (line for line in text_of(path).split(b"\n") if b".sh" in line or b".bash" in line)
            for name in {name for line in lines for name in SCRIPT_NAME.findall(line)}:
                found.setdefault(name, []).append(path)
    return {name: tuple(workflows) for name, workflows in found.items()}


@lru_cache(maxsize=256)
def text_of(path: str) -> bytes:
    """The bytes of a workflow; none of a file that cannot be read."""
    data = discovery.read(path)
    return data if isinstance(data, bytes) else b""
