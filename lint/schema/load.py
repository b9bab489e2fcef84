"""The schemas that come with the tool, one for each release."""

from __future__ import annotations

from functools import lru_cache

from lint.packaged import packaged
from lint.schema.schema import Schema
from lint.schema.store import parse

_PREFIX = "verl-"


class UnknownRelease(Exception):
    """No schema of that release comes with the tool. `known` are the releases that do."""

    def __init__(self, release: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no schema of verl {release} comes with this version; known are {', '.join(known)}")
        self.release = release
        self.known = known


@lru_cache(maxsize=1)
def shipped() -> tuple[str, ...]:
    """The releases whose schemas come with the tool, oldest first."""
    names = (file.name for file in packaged("schema/data").iterdir())
    found = [name.removeprefix(_PREFIX).removesuffix(".json") for name in names if name.startswith(_PREFIX)]
    return tuple(sorted(found, key=version_key))


@lru_cache(maxsize=16)
def load(release: str) -> Schema:
    """The schema of a release that comes with the tool. Raises `UnknownRelease`."""
    release = release.removeprefix("v")
    if release not in shipped():
        raise UnknownRelease(release, shipped())
    return parse(packaged(f"schema/data/{_PREFIX}{release}.json").read_text("utf-8"))


def latest() -> Schema:
    """The schema of the newest release."""
    return load(shipped()[-1])


@lru_cache(maxsize=256)
def version_key(release: str) -> tuple[int, ...]:
    """A key that sorts releases by age; `0.9.0.dev` and `v0.9.0` are as old as `0.9.0`."""
    return tuple(int(part) for part in release.removeprefix("v").split(".") if part.isdigit())


def nearest_release(release: str) -> str:
    """The shipped release that a version is nearest to: the newest one that is not newer than it, else the oldest.

    A development version counts as the release that it leads to (`0.9.0.dev` as 0.9.0).
    """
    older = [known for known in shipped() if version_key(known) <= version_key(release)]
    return older[-1] if older else shipped()[0]


LEGACY_WORKERS = "legacy_workers"
"""The behaviour by which a tree is known to be older than its version says: main led to a release for months."""


def release_of(schema: Schema) -> str:
    """The shipped release whose code that of a schema is nearest to.

    A development version that still has the legacy workers counts as the newest release that has them.
    """
    nearest = nearest_release(schema.release)
    if LEGACY_WORKERS in schema.behaviours and LEGACY_WORKERS not in load(nearest).behaviours:
        return [known for known in shipped() if LEGACY_WORKERS in load(known).behaviours][-1]
    return nearest


def own_name(schema: Schema, name: str) -> bool:
    """True for a name that the code of a checkout registers and that of no release does."""
    return schema.date is None and name in schema.registered and not release_registers(name)


def release_registers(name: str) -> bool:
    """True for a name that the code of some release registers."""
    return any(name in load(release).registered for release in shipped())
