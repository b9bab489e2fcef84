"""Every recipe against every copy of it: what differs, what is missing, and what the release of a copy refuses."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from fnmatch import translate
from glob import escape
from pathlib import Path
from typing import Literal

from lint.checking.pool import each
from lint.copies.compare import Difference, compare
from lint.copies.git import Branch, Commit, NotRead, Repository, fetching
from lint.copies.places import MISSING, Copies, Declared, Place, release_of
from lint.copies.sides import Side, moved, of_commit, of_file, release_in
from lint.files import discovery
from lint.frozen import frozen
from lint.launch.compose import Problem
from lint.text import Source

Changed = Literal["recipe", "copy", "both"]
USUAL = "release/v*"  # where copies are looked for if nothing is said


@frozen
class Found:
    """One difference, and why it is meant, if it is.

    `changed` is the side that has changed since the text that both were made from; None: not asked, or not known.
    """

    difference: Difference
    declared: str | None
    changed: Changed | None = None


@frozen
class Copy:
    """One recipe and one copy of it.

    `recipe` or `copy` is None where that side is missing. `refused` is what the copy's own release does not take.
    """

    name: str  # of the recipe, relative to the root
    recipe: Side | None
    copy: Side | None
    place: str  # what paths of its branch or folder start with
    release: str | None
    differences: tuple[Found, ...] = ()
    refused: tuple[Problem, ...] = ()
    changed: Changed | None = None  # of a side that is missing: the one that has added or removed it, if that was asked
    declared_missing: str | None = None  # why a side that is missing is meant to be missing
    recipe_commits: tuple[Commit, ...] = ()  # that only the recipe has, if that was asked
    copy_commits: tuple[Commit, ...] = ()  # that only the copy has

    @property
    def label(self) -> str:
        """The path at which the copy is, or would be."""
        return f"{self.place}/{self.name}".replace(":./", ":") if self.copy is None else self.copy.shown

    @property
    def undeclared(self) -> tuple[Difference, ...]:
        return tuple(found.difference for found in self.differences if found.declared is None)

    @property
    def settled(self) -> bool:
        """Nothing to report: both are there (or meant to be missing), and no difference is undeclared."""
        if self.recipe is None or self.copy is None:
            return self.declared_missing is not None
        return not self.undeclared and not self.refused


@frozen
class Survey:
    """All copies, and the declarations that none of them needs."""

    copies: tuple[Copy, ...]
    stale: tuple[Declared, ...]

    @property
    def clean(self) -> bool:
        return not self.stale and all(copy.settled for copy in self.copies)


@frozen
class Location:
    """A branch or folder with its copies: their sides by the name of the recipe."""

    place: str  # what a path of it starts with: "release/v0.8.0:examples", "examples/release/0.8.0"
    release: str | None
    copies: Mapping[str, Side]


@frozen
class _Task:
    """One recipe, and what is at each of its places."""

    copies: Copies
    name: str
    recipe: Side | None
    places: tuple[tuple[str, str | None, Side | None], ...]  # place, release, copy


def in_usual_places(copies: Copies) -> Copies:
    """Copies of a project whose settings name no place: on the branches `release/v*` of releases that are known.

    Without a settings file the recipes are those below the current folder. Where there is no such branch, or no
    repository, nothing is added.
    """
    base = Path.cwd() if copies.file is None else copies.base
    try:
        branches = matching(Repository.at(base).branches(), (USUAL,))
    except NotRead:
        branches = []
    names = tuple(escape(branch.label) for branch in branches if release_in(branch.label) is not None)
    return replace(copies, base=base, places=(Place(names, None, copies.root, None),)) if names else copies


def survey(copies: Copies, environment: Mapping[str, str], processes: int = 1) -> Survey:
    """All of it, by recipe and place. Raises `NotRead` if a place cannot be read."""
    found = tuple(_compare_everywhere(copies, environment, processes))
    return Survey(found, stale(copies, found))


def _compare_everywhere(copies: Copies, environment: Mapping[str, str], processes: int) -> list[Copy]:
    recipes = dict(_recipes(copies, environment))
    places = list(locations(copies, environment, recipes))
    names = sorted({*recipes, *(name for location in places for name in location.copies)})
    tasks = []
    for name in names:
        found = [(location.place, location.release, location.copies.get(name)) for location in places]
        there = tuple(place for place in found if name in recipes or place[2] is not None)
        tasks.append(_Task(copies, name, recipes.get(name), there))
    with closing(each(_compare_all, tasks, processes)) as results:
        return [copy for result in results for copy in result]


def stale(copies: Copies, found: Sequence[Copy]) -> tuple[Declared, ...]:
    """The declarations that no copy needs: nothing differs where they say that something does."""
    occurring = {(one.difference.key, copy.name, copy.release) for copy in found for one in copy.differences}
    occurring |= {(MISSING, copy.name, copy.release) for copy in found if None in (copy.recipe, copy.copy)}
    return tuple(one for one in copies.declared if not any(one.covers(*place) for place in occurring))


def _compare_all(task: _Task) -> list[Copy]:
    return [_compare(task, place, release, copy) for place, release, copy in task.places]


def _compare(task: _Task, place: str, release: str | None, copy: Side | None) -> Copy:
    reason = task.copies.reason
    if task.recipe is None or copy is None:
        missing = reason(MISSING, task.name, release)
        return Copy(task.name, task.recipe, copy, place, release, declared_missing=missing)
    copy = moved(copy, task.recipe, task.name)
    found = tuple(Found(one, reason(one.key, task.name, release)) for one in compare(task.recipe, copy))
    return Copy(task.name, task.recipe, copy, place, release, found, _refused(task.recipe, copy))


def _refused(recipe: Side, copy: Side) -> tuple[Problem, ...]:
    """What Hydra would refuse in a copy, under the release that it is for. The same text is not read twice."""
    read = recipe if recipe.source.text == copy.source.text and not recipe.reads_others else copy
    problems = [
        problem
        for launches in read.launches.values()
        for started in launches
        for problem in started.composed(copy.schema).problems
    ]
    return tuple({(problem.key, problem.message): problem for problem in problems}.values())


def _recipes(copies: Copies, environment: Mapping[str, str]) -> Iterator[tuple[str, Side]]:
    folder = copies.base / copies.root
    for path in discovery.discover([str(folder)], lambda _: False).paths:
        name = os.path.relpath(path, folder).replace(os.sep, "/")
        if copies.is_recipe(name):
            source = _decoded(path, discovery.read(path))
            if source is not None:
                yield name, of_file(source, environment)


def _decoded(path: str, data: bytes | discovery.Unreadable) -> Source | None:
    source = data if isinstance(data, discovery.Unreadable) else discovery.decode(path, data)
    return source if isinstance(source, Source) else None


# ------------------------------------------------------------------------------------------------------- locations


def locations(copies: Copies, environment: Mapping[str, str], recipes: Mapping[str, Side]) -> Iterator[Location]:
    """Every branch and folder with copies. Raises `NotRead`."""
    repository: Repository | None = None
    for place in copies.places:
        if place.folder is not None:
            yield _in_folder(copies, place, place.folder, environment)
            continue
        repository = repository or Repository.at(copies.base)
        branches = matching(repository.branches(), place.branches)
        if not branches:
            raise NotRead(_no_branch(repository, place.branches))
        for branch in branches:
            found = _on_branch(copies, place, repository, branch, environment)
            yield replace(found, copies=_under_present_names(repository, branch, found.copies, recipes))


def _under_present_names(
    repository: Repository, branch: Branch, copies: Mapping[str, Side], recipes: Mapping[str, Side]
) -> Mapping[str, Side]:
    """The copies by the names of their recipes, also of those recipes that have another name since."""
    lost = {side.source.path: name for name, side in copies.items() if name not in recipes}
    new = {side.source.path: name for name, side in recipes.items() if name not in copies}
    head = repository.head if lost and new else None
    if head is None:
        return copies
    common = posixpath.commonpath([posixpath.dirname(path) for path in (*lost, *new)])
    found = dict(copies)
    for before, after in repository.renames(branch.commit, head, common).items():
        if before in lost and after in new:
            found[new[after]] = found.pop(lost[before])
    return found


def matching(branches: Sequence[Branch], patterns: Sequence[str]) -> list[Branch]:
    """The branches that a pattern names, each name once: a local branch hides the remote one of its name."""
    found: dict[str, Branch] = {}
    for branch in branches:
        for pattern in patterns:
            if re.match(translate(pattern), branch.name):
                found.setdefault(branch.name, branch)
            elif re.match(translate(pattern), branch.label):
                found.setdefault(branch.label, branch)
    return [found[name] for name in sorted(found)]


def _no_branch(repository: Repository, patterns: Sequence[str]) -> str:
    names = ", ".join(repr(pattern) for pattern in patterns)
    known = ", ".join(branch.label for branch in repository.branches()[:5]) or "no branch at all"
    return f"no branch matches {names} in {repository.top}: there is {known}; fetch them with `{fetching(patterns)}`"


def _on_branch(
    copies: Copies, place: Place, repository: Repository, branch: Branch, environment: Mapping[str, str]
) -> Location:
    release = release_of(place, branch.label)
    root = _from_top(copies, place, repository)
    below = f"{root}/" if root else ""
    files = repository.files(branch.commit, root)
    paths = [path for path in files if copies.is_recipe(path.removeprefix(below))]
    sides = {}
    for path, data in zip(paths, repository.blobs([files[path] for path in paths]), strict=True):
        if data is None:
            raise NotRead(
                f"{repository.top} is a partial clone without {branch.label}:{path}: run `git fetch --refetch`"
            )
        try:
            sides[path.removeprefix(below)] = of_commit(
                repository, branch.commit, branch.label, path, data, environment, release
            )
        except NotRead:  # a binary file
            continue
    return Location(f"{branch.label}:{root}" if root else f"{branch.label}:.", release, sides)


def _from_top(copies: Copies, place: Place, repository: Repository) -> str:
    """The root of a place on a branch, from the top of the repository."""
    folder = (copies.base / place.root).resolve()
    inside = folder.relative_to(repository.top.resolve()) if folder.is_relative_to(repository.top.resolve()) else Path()
    return "" if inside == Path() else inside.as_posix()


def _in_folder(copies: Copies, place: Place, folder: str, environment: Mapping[str, str]) -> Location:
    release = place.release or release_in(folder)
    top = copies.base / folder
    sides = {}
    for path in discovery.discover([str(top)], lambda _: False).paths:
        name = os.path.relpath(path, top).replace(os.sep, "/")
        source = _decoded(path, discovery.read(path)) if copies.names(name) else None
        if source is not None:
            sides[name] = of_file(source, environment, release)
    return Location(discovery.shown_path(str(top)), release, sides)
