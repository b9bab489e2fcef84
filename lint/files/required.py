"""The verl that a repository asks for, where it holds none: what a lock file or a requirement says, REQUIRED_VERL.txt,
or a submodule."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from lint.files.checkout import enclosing_repository
from lint.files.discovery import text_of
from lint.frozen import frozen
from lint.toml import TOMLDecodeError, loads
from lint.versions import version

LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock")
STATED_IN = ("REQUIRED_VERL.txt", *LOCKS, "pyproject.toml", "Pipfile", "requirements.txt", "setup.py", "setup.cfg")
"""Files that say so, the first that does decides: what was installed comes before what may be. The folder of the script
comes before those above it."""

MOST_FILES = 20  # requirements that one file includes, and these again

_BOUND = r"(?:===|[=<>~!]=|[<>])\s*v?\d[\w.*]*"
_STATED = re.compile(
    rf"(?<![\w./-])verl(?:\[[\w, -]*\])?\s*(?P<bounds>{_BOUND}(?:\s*,\s*{_BOUND})*)"
    r"|git\+[^\s+]*?/(?P<owner>[\w.-]+)/verl(?:\.git)?@(?P<reference>[\w.-]+)"
    r"|COMMIT=(?P<commit>[0-9a-f]{7,40})",
    re.IGNORECASE,
)
_LOCKED = re.compile(r'^name = "verl"\nversion = "(?P<version>[^"]+)"(?P<rest>[^\[]*)', re.MULTILINE)
_LOCKED_BY_PIPENV = re.compile(r'"verl": \{[^{}]*?"version": "==(?P<version>[^"]+)"(?P<rest>)')
_DEVELOPED = re.compile(r"\.dev|\+|[a-z]+\d*$")
"""A version that is no release: its code is somewhere between two."""
_REPOSITORY = re.compile(r"(?P<owner>[\w.-]+)/verl(?:\.git)?(?:[/?#]|$)")
_INCLUDED = re.compile(r"^\s*(?:-r|-c|--requirement|--constraint)[\s=]*(?P<file>[^\s#]+)", re.MULTILINE)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_OWNERS = ("volcengine", "verl-project")
_SUBMODULE = re.compile(r"path\s*=\s*(?P<path>(?:\S*/)?verl)\s*$", re.MULTILINE)


@frozen
class Required:
    """What is asked for, and where: `verl>=0.7.1,<0.9.0`, `pyproject.toml`.

    `bounds` are pairs of an operator and a version; none for a commit, a fork or a submodule, whose release only their
    own code tells.
    """

    text: str
    place: str
    bounds: tuple[tuple[str, str], ...] = ()

    def allows(self, release: str) -> bool:
        """Whether a release is what is asked for."""
        return bool(self.bounds) and all(_holds(release, operator, bound) for operator, bound in self.bounds)

    def nearest(self, releases: tuple[str, ...]) -> str:
        """Of releases in rising order: the newest that is allowed, else the first that is not older, else the last."""
        allowed = [release for release in releases if self.allows(release)]
        if allowed or not self.bounds:
            return allowed[-1] if allowed else releases[-1]
        least = version(self.bounds[0][1])
        return next((release for release in releases if version(release) >= least), releases[-1])


def _holds(release: str, operator: str, bound: str) -> bool:
    width = max(len(version(release)), len(version(bound)))
    have, want = (version(one) + (0,) * (width - len(version(one))) for one in (release, bound))
    if operator == "~=" or bound.endswith(".*"):
        kept = len(version(bound)) - (operator == "~=")
        same = have[:kept] == want[:kept]
        return have >= want and same if operator == "~=" else same is (operator != "!=")
    return {
        "==": have == want,
        "!=": have != want,
        ">=": have >= want,
        "<=": have <= want,
        ">": have > want,
        "<": have < want,
    }[operator]


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
        found = _read(name, text) if "verl" in text or name == "REQUIRED_VERL.txt" else None
        if found is None and name == "requirements.txt":
            found = _included(folder, name, text)
        if found is not None:
            return found
    if folder != top:
        return required_in(os.path.dirname(folder), top)
    submodule = _SUBMODULE.search(text_of(os.path.join(top, ".gitmodules")) or "")
    return Required(f"the submodule {submodule['path']}", ".gitmodules") if submodule else None


def _read(name: str, text: str) -> Required | None:
    if name in LOCKS:
        found = (_LOCKED_BY_PIPENV if name == "Pipfile.lock" else _LOCKED).search(text)
        return None if found is None else _locked(found["version"], found["rest"], name)
    if name in ("pyproject.toml", "Pipfile"):
        return _in_tables(text, name)
    return _stated(text, name)


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
            found = _stated(included, place)
            if found is not None:
                return found
            waiting.append((place, included))
    return None


def _locked(number: str, rest: str, place: str) -> Required | None:
    """A version that was installed; none for the repository itself."""
    if re.search(r'(?:editable|virtual) = "\."', rest):
        return None
    if _DEVELOPED.search(number):
        return Required(f"verl {number}", place)
    repository = _REPOSITORY.search(rest)
    if repository and repository["owner"] not in _OWNERS:
        return Required(f"{repository['owner']}/verl {number}", place)
    return Required(f"verl=={number}", place, (("==", number),))


def _in_tables(text: str, place: str) -> Required | None:
    """What a pyproject.toml says: where verl comes from, else a constraint in the words of Poetry or Pipenv, else a
    requirement in any group."""
    try:
        found = list(_entries(loads(text)))
    except (TOMLDecodeError, RecursionError):
        return _stated(text, place)
    tables = [entry for entry in found if isinstance(entry, dict)]
    for table in tables:
        reference = table.get("tag") or table.get("rev") or table.get("ref") or table.get("branch")
        repository = _REPOSITORY.search(str(table.get("git", "")))
        if repository is not None:
            return _at(repository["owner"], str(reference or "its newest commit"), place)
    for constraint in (*(table.get("version") for table in tables), *found):
        if isinstance(constraint, str):
            stated = _stated(constraint, place) or _constrained(constraint, place)
            if stated is not None:
                return stated
    return None


def _entries(value: Any, key: str = "") -> Iterator[Any]:
    """What stands for verl anywhere in tables: texts and tables under its name, and requirements in lists."""
    if isinstance(value, dict):
        if key == "verl":
            yield value
        for name, inside in value.items():
            yield from _entries(inside, name.lower())
    elif isinstance(value, list):
        for inside in value:
            if isinstance(inside, str) and _STATED.match(inside.strip()):
                yield inside
            elif isinstance(inside, (dict, list)):
                yield from _entries(inside, key)
    elif isinstance(value, str) and key == "verl":
        yield value


def _constrained(text: str, place: str) -> Required | None:
    """A constraint as Poetry writes it: `^0.8.0`, `~0.8`, `0.8.0`, `>=0.7,<0.9`."""
    pairs: list[tuple[str, str]] = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\^|~|~=|[=<>!]=|===|[<>])?\s*v?(\d+(?:\.\d+)*(?:\.\*)?)\s*", part)
        if found is None:
            return None
        operator, number = found[1] or "==", found[2]
        if operator in ("^", "~"):
            pairs += [(">=", number), ("<", _above(version(number), caret=operator == "^"))]
        else:
            pairs.append((operator[:2], number))
    return Required("verl" + ",".join(operator + bound for operator, bound in pairs), place, tuple(pairs))


def _above(number: tuple[int, ...], caret: bool) -> str:
    """The first version that a caret (its first part that is not 0 stays) or a tilde (its second stays) leaves out."""
    kept = min(len(number), 2) - 1
    if caret:
        kept = next((index for index, part in enumerate(number) if part), len(number) - 1)
    return ".".join(map(str, (*number[:kept], number[kept] + 1)))


def _stated(text: str, place: str) -> Required | None:
    for line in text.splitlines():
        found = _STATED.search(_COMMENT.sub("", line))
        if found is None:
            continue
        if found["bounds"]:
            pairs = re.findall(r"([=<>~!]=|[<>])=?\s*v?(\d[\w.*]*)", found["bounds"])
            return Required("verl" + ",".join(operator + bound for operator, bound in pairs), place, tuple(pairs))
        return _at(found["owner"], found["reference"] or found["commit"], place)
    return None


def _at(owner: str | None, reference: str, place: str) -> Required:
    """A tag, a branch or a commit of a repository."""
    tag = re.fullmatch(r"v?(\d+(?:\.\d+)+)", reference)
    if tag and owner in _OWNERS:
        return Required(f"verl=={tag[1]}", place, (("==", tag[1]),))
    shown = "" if owner in (None, *_OWNERS) else f"{owner}/"
    return Required(f"{shown}verl at {reference if len(reference) <= 20 else reference[:12]}", place)
