"""What one file says of the verl that a repository asks for: a lock file, a pyproject.toml, a requirement in a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lint.frozen import frozen
from lint.regular import regular
from lint.toml import TOMLDecodeError, loads
from lint.versions import holds, version

LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock")
_BOUND = r"(?:===|[=<>~!]=|[<>])\s*v?\d[\w.*]*"
_STATED = regular(
    rf"(?<![\w./-])verl(?:\[[\w, -]*\])?\s*(?P<bounds>{_BOUND}(?:\s*,\s*{_BOUND})*)"
    r"|git\+[^\s+]*?/(?P<owner>[\w.-]+)/verl(?:\.git)?@(?P<reference>[\w.-]+)"
    r"|COMMIT=(?P<commit>[0-9a-f]{7,40})",
    re.IGNORECASE,
)
_LOCKED = regular(r'^name = "verl"\nversion = "(?P<version>[^"]+)"(?P<rest>[^\[]*)', re.MULTILINE)
_LOCKED_BY_PIPENV = regular(r'"verl": \{[^{}]*?"version": "==(?P<version>[^"]+)"(?P<rest>)')
_DEVELOPED = regular(r"\.dev|\+|[a-z]+\d*$")
"""A version that is no release: its code is somewhere between two."""
_REPOSITORY = regular(r"(?P<owner>[\w.-]+)/verl(?:\.git)?(?:[/?#]|$)")
_COMMENT = regular(r"(?:^|\s)#.*")
_OWNERS = ("volcengine", "verl-project")


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
        return bool(self.bounds) and all(holds(release, operator, bound) for operator, bound in self.bounds)

    def nearest(self, releases: tuple[str, ...]) -> str:
        """Of releases in rising order: the newest that is allowed, else the first that is not older, else the last."""
        allowed = [release for release in releases if self.allows(release)]
        if allowed or not self.bounds:
            return allowed[-1] if allowed else releases[-1]
        least = version(self.bounds[0][1])
        return next((release for release in releases if version(release) >= least), releases[-1])


def statement(name: str, text: str) -> Required | None:
    """What the text of a file says, by its name; None if it says nothing of verl."""
    if name in LOCKS:
        found = (_LOCKED_BY_PIPENV if name == "Pipfile.lock" else _LOCKED).search(text)
        return None if found is None else _locked(found["version"], found["rest"], name)
    if name in ("pyproject.toml", "Pipfile"):
        return _in_tables(text, name)
    return stated(text, name)


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
        return stated(text, place)
    tables = [entry for entry in found if isinstance(entry, dict)]
    for table in tables:
        reference = table.get("tag") or table.get("rev") or table.get("ref") or table.get("branch")
        repository = _REPOSITORY.search(str(table.get("git", "")))
        if repository is not None:
            return _at(repository["owner"], str(reference or "its newest commit"), place)
    for constraint in (*(table.get("version") for table in tables), *found):
        if isinstance(constraint, str):
            required = stated(constraint, place) or _constrained(constraint, place)
            if required is not None:
                return required
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


def stated(text: str, place: str) -> Required | None:
    """What the first line says that requires verl."""
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
