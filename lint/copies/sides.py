"""The scripts that are compared: a file of the work tree, or `ref:path`, a file of a commit. Each is read once."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from lint.bash.files import Checkout, FileReader
from lint.bash.parser import parse
from lint.bash.reading import Reading
from lint.bash.syntax import Script
from lint.checking import linter
from lint.checking.examination import Request
from lint.checking.target import find_schema
from lint.copies.git import NotRead, Repository
from lint.files import discovery
from lint.files.checkout import enclosing_checkout, enclosing_repository
from lint.files.sources import Files, files_beside
from lint.frozen import frozen
from lint.launch.compose import Composition, compose
from lint.launch.foreign import with_launch_config
from lint.launch.launch import Launch
from lint.launch.launches import Launches
from lint.regular import regular
from lint.schema.load import load, shipped
from lint.schema.schema import Schema
from lint.settings import ScriptSettings, settings_for
from lint.suppression import directives
from lint.text import Source, Span

NOTHING = ScriptSettings()
VERSION = regular(r"\d+(?:\.\d+)+")
OTHERS = regular(r"(?:^|[\s;&|(`])(?:source|\.|(?:\S*/)?(?:ba)?sh)[ \t]+[^\s-]", re.MULTILINE)

Scenario = frozenset[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class Side:
    """One script, read as if it were started at the top of its repository: the path of `source` is from there.

    `shown` is what messages call it. `release` is what is known from outside of it: from the settings, or from the name
    of a branch.
    """

    source: Source
    shown: str
    files: FileReader
    release: str | None
    environment: Mapping[str, str]

    def __reduce__(self) -> tuple[Any, ...]:
        """What another process needs; it reads again what it wants to know."""
        return Side, (self.source, self.shown, self.files, self.release, self.environment)

    @cached_property
    def reads_others(self) -> bool:
        """Whether the script may read or start another script, so that its own text does not tell all."""
        return OTHERS.search(self.source.text) is not None and len(self._readings[0].files) > 1

    @cached_property
    def schema(self) -> Schema:
        """The schema of the release that the script is for."""
        if self.release is not None:
            return load(self.release)
        if isinstance(self.files, CommitFiles):
            stated = directives.parse(self._script).facts.get("release")
            known = stated is not None and stated.value.removeprefix("v") in shipped()
            return load(stated.value if stated is not None and known else shipped()[-1])
        settings = settings_for(self.shown).for_script(self.shown)
        return find_schema(self.shown, directives.parse(self._script).facts, Request(settings, NOTHING))

    @cached_property
    def launches(self) -> Mapping[Scenario, tuple[Started, ...]]:
        """What the script starts, by the assignment of its toggles; the empty one is how it is started as it is."""
        return {frozenset(reading.scenario.items()): self._started(reading) for reading in self._readings}

    def under(self, scenario: Scenario) -> tuple[Started, ...]:
        """What the script starts under a scenario that may be another script's: its names are only variables then."""
        known = self.launches.get(scenario)
        if known is not None:
            return known
        if scenario not in self._others:
            named = self.reads_others or any(name in self.source.text for name, _ in scenario)
            self._others[scenario] = self._read_under(scenario) if named else self.launches[frozenset()]
        return self._others[scenario]

    @property
    def roots(self) -> tuple[Path, ...]:
        """The folders that Python modules and config files of the script's own project may lie in."""
        files = self.files.files if isinstance(self.files, MovedFiles) else self.files
        return files.roots if isinstance(files, Files) else ()

    def place(self, span: Span) -> Span:
        """A place in the script, with the path that messages show."""
        return span._replace(path=self.shown) if span.path == self.source.path else span

    def _read_under(self, scenario: Scenario) -> tuple[Started, ...]:
        (reading, *_) = linter.read(self._script, {**self.environment, **dict(scenario)}, self.files)
        return self._started(reading)

    def _started(self, reading: Reading) -> tuple[Started, ...]:
        return tuple(Started(self, launch) for launch in Launches().of([reading]))

    @cached_property
    def _readings(self) -> tuple[Reading, ...]:
        return linter.read(self._script, self.environment, self.files)

    @cached_property
    def _others(self) -> dict[Scenario, tuple[Started, ...]]:
        return {}

    @cached_property
    def _script(self) -> Script:
        return parse(self.source)


@dataclass(frozen=True, eq=False)
class Started:
    """One launch of a side, composed with the schema of the side when that is asked for."""

    side: Side
    launch: Launch

    @cached_property
    def composition(self) -> Composition:
        return self.composed(self.side.schema)

    def composed(self, schema: Schema) -> Composition:
        """The launch with the configs of a schema, and with those that its own project holds."""
        return compose(self.launch, with_launch_config(schema, self.launch, self.side.roots))


@frozen
class CommitFiles:
    """The files of a commit, for scripts that are started at the top of the repository or in their own folder."""

    repository: Repository
    commit: str
    label: str  # how the commit was named
    folder: str  # of the script

    def read(self, path: str) -> Source | None:
        tried = [posixpath.normpath(path), posixpath.normpath(posixpath.join(self.folder, path))]
        found = self.repository.read(self.commit, [name for name in tried if not name.startswith(("/", ".."))])
        for name in tried:
            if name in found:
                return Source.decode(f"{self.label}:{name}", found[name])
        return None

    def exists(self, path: str) -> bool | None:
        return True if self.read(path) is not None else None

    def names(self, directory: str) -> Collection[str] | None:
        return None


@frozen
class MovedFiles:
    """The files around a copy, each at the path that it has around the recipe. Both folders are from the top."""

    files: FileReader
    recipes: str
    copies: str

    def read(self, path: str) -> Source | None:
        return self.files.read(self._moved(path))

    def exists(self, path: str) -> bool | None:
        return self.files.exists(self._moved(path))

    def names(self, directory: str) -> Collection[str] | None:
        return self.files.names(self._moved(directory))

    def _moved(self, path: str) -> str:
        inside = posixpath.relpath(path, self.recipes or ".") if not path.startswith("/") else ".."
        return path if inside.startswith("..") else posixpath.normpath(posixpath.join(self.copies, inside))


def side(argument: str, environment: Mapping[str, str], release: str | None = None) -> Side:
    """The script that a path or `ref:path` names. Raises `NotRead`."""
    if ":" in argument and not Path(argument).exists():
        reference, _, path = argument.partition(":")
        return _of_commit(reference, path, environment, release)
    data = discovery.read(argument)
    source = data if isinstance(data, discovery.Unreadable) else discovery.decode(argument, data)
    if isinstance(source, discovery.Unreadable):
        raise NotRead(f"{argument}: {source.reason}")
    return of_file(source, environment, release)


def of_file(source: Source, environment: Mapping[str, str], release: str | None = None) -> Side:
    """The side of a file whose text is at hand; the path of `source` is from the current folder."""
    settings = settings_for(source.path).for_script(source.path)
    given = {**settings.environment, **environment}
    folder = os.path.realpath(os.path.dirname(os.path.abspath(source.path)))
    found = enclosing_repository(folder) or enclosing_checkout(source.path)
    if found is None:
        return Side(source, source.path, files_beside(source.path), release, given)
    top = str(found)
    path = os.path.relpath(os.path.join(folder, os.path.basename(source.path)), top).replace(os.sep, "/")
    files = Files(Checkout(Path(top), Path(top)), top, tuple(dict.fromkeys((Path(top), Path(folder)))))
    return Side(Source(path, source.text), source.path, files, release, given)


def moved(copy: Side, recipe: Side, name: str) -> Side:
    """A copy at another path, read at the path of its recipe, so that `$0` is no difference between the two.

    `name` is what the recipe is called in the folder of all recipes; a copy with that name has its own such folder.
    """
    here, there = recipe.source.path, copy.source.path
    if here == there:
        return copy
    if there.endswith(name):
        here, there = here.removesuffix(name).strip("/"), there.removesuffix(name).strip("/")
    else:
        here, there = posixpath.dirname(here), posixpath.dirname(there)
    files = copy.files if here == there else MovedFiles(copy.files, here, there)
    return replace(copy, source=Source(recipe.source.path, copy.source.text), files=files)


def _of_commit(reference: str, path: str, environment: Mapping[str, str], release: str | None) -> Side:
    """`path` is from the top of the repository, as git has it, or else from the current folder."""
    repository = Repository.at(Path())
    commit = repository.commit(reference)
    inside = posixpath.normpath(path)
    here = Path().resolve()
    from_here = here.relative_to(repository.top) if here.is_relative_to(repository.top) else Path()
    tried = list(dict.fromkeys([inside, posixpath.normpath((from_here / path).as_posix())]))
    found = repository.read(commit, tried)
    for name in tried:
        if name in found:
            return of_commit(repository, commit, reference, name, found[name], environment, release)
    raise NotRead(f"{reference}:{path}: no such file in that commit")


def of_commit(
    repository: Repository,
    commit: str,
    label: str,
    path: str,
    data: bytes,
    environment: Mapping[str, str],
    release: str | None = None,
) -> Side:
    """The side of a file of a commit whose bytes are at hand. `label` is how the commit was named."""
    shown = f"{label}:{path}"
    source = discovery.decode(path, data)
    if isinstance(source, discovery.Unreadable):
        raise NotRead(f"{shown}: {source.reason}")
    reader = CommitFiles(repository, commit, label, posixpath.dirname(path))
    return Side(source, shown, reader, release or release_in(label), environment)


def release_in(name: str) -> str | None:
    """The release of verl that the name of a branch or a folder tells, if its schema comes with the tool.

    The name of a line of releases (`v0.9.x`) stands for the newest of them.
    """
    for version in VERSION.findall(name):
        if version in shipped():
            return str(version)
        line = [release for release in shipped() if version.count(".") == 1 and release.startswith(f"{version}.")]
        if line:
            return line[-1]
    return None
