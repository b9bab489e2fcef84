"""The verl that a repository asks for, where it holds none: a requirement, REQUIRED_VERL.txt, or a submodule."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from lint.files.checkout import enclosing_repository
from lint.files.discovery import text_of
from lint.frozen import frozen
from lint.versions import version

STATED_IN = ("REQUIRED_VERL.txt", "pyproject.toml", "requirements.txt", "setup.py", "setup.cfg")
"""Files that say so, the first that does decides; the folder of the script comes before those above it."""

_BOUND = r"(?:===|[=<>~!]=|[<>])\s*v?\d[\w.*]*"
_STATED = re.compile(
    rf"(?<![\w./-])verl(?:\[[\w, -]*\])?\s*(?P<bounds>{_BOUND}(?:\s*,\s*{_BOUND})*)"
    r"|git\+[^\s+]*?/(?P<owner>[\w.-]+)/verl(?:\.git)?@(?P<reference>[\w.-]+)"
    r"|COMMIT=(?P<commit>[0-9a-f]{7,40})",
    re.IGNORECASE,
)
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
    for name in STATED_IN:
        found = _stated(text_of(os.path.join(folder, name)) or "", name)
        if found is not None:
            return found
    if folder != top:
        return required_in(os.path.dirname(folder), top)
    submodule = _SUBMODULE.search(text_of(os.path.join(top, ".gitmodules")) or "")
    return Required(f"the submodule {submodule['path']}", ".gitmodules") if submodule else None


def _stated(text: str, place: str) -> Required | None:
    for line in text.splitlines():
        found = _STATED.search(_COMMENT.sub("", line))
        if found is None:
            continue
        if found["bounds"]:
            pairs = re.findall(r"([=<>~!]=|[<>])=?\s*v?(\d[\w.*]*)", found["bounds"])
            return Required("verl" + ",".join(operator + bound for operator, bound in pairs), place, tuple(pairs))
        reference = found["reference"] or found["commit"]
        tag = re.fullmatch(r"v?(\d+(?:\.\d+)+)", reference)
        if tag and found["owner"] in _OWNERS:
            return Required(f"verl=={tag[1]}", place, (("==", tag[1]),))
        owner = "" if found["owner"] in (None, *_OWNERS) else f"{found['owner']}/"
        return Required(f"{owner}verl at {reference[:12]}", place)
    return None
