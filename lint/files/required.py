"""The verl that a repository asks for, where it holds none: what a lock file or a requirement says, REQUIRED_VERL.txt,
or a submodule."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from lint.files.checkout import enclosing_repository
from lint.files.discovery import text_of
from lint.files.statements import LOCKS, Required, stated, statement
from lint.regular import regular

STATED_IN = ("REQUIRED_VERL.txt", *LOCKS, "pyproject.toml", "Pipfile", "requirements.txt", "setup.py", "setup.cfg")
"""Files that say so, the first that does decides: what was installed comes before what may be. The folder of the script
comes before those above it."""

MOST_FILES = 20  # requirements that one file includes, and these again

_INCLUDED = regular(r"^\s*(?:-r|-c|--requirement|--constraint)[\s=]*(?P<file>[^\s#]+)", re.MULTILINE)
_SUBMODULE = regular(r"path\s*=\s*(?P<path>(?:\S*/)?verl)\s*$", re.MULTILINE)


def required_verl(path: str) -> Required | None:
    """What the repository of a script asks for; None where it says nothing, or where there is no repository."""
    folder = os.path.dirname(os.path.abspath(path))
    top = enclosing_repository(folder)
    return None if top is None else required_in(folder, top)


@lru_cache(maxsize=4096)
def required_in(folder: str, top: str) -> Required | None:
    """What a folder of a repository asks for, else the folders above it up to the `top`, else the submodule there."""
    for name in STATED_IN:
        text = text_of(os.path.join(folder, name)) or ""
        found = statement(name, text) if "verl" in text or name == "REQUIRED_VERL.txt" else None
        if found is None and name == "requirements.txt":
            found = _included(folder, name, text)
        if found is not None:
            return found
    if folder != top:
        return required_in(os.path.dirname(folder), top)
    submodule = _SUBMODULE.search(text_of(os.path.join(top, ".gitmodules")) or "")
    return Required(f"the submodule {submodule['path']}", ".gitmodules") if submodule else None


def _included(folder: str, name: str, text: str) -> Required | None:
    """What the files say that a file of requirements names (`-r`, `-c`), and those that these name."""
    waiting, seen = [(name, text)], {name}
    while waiting:
        name, text = waiting.pop(0)
        for file in _INCLUDED.findall(text):
            place = os.path.normpath(os.path.join(os.path.dirname(name), file))
            if place in seen or len(seen) > MOST_FILES or os.path.isabs(place) or "://" in file:
                continue
            seen.add(place)
            included = text_of(os.path.join(folder, place)) or ""
            found = stated(included, place)
            if found is not None:
                return found
            waiting.append((place, included))
    return None
