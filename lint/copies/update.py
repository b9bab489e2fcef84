"""Brings a copy up to its recipe and keeps what was edited in it: a three-way merge.

base: the recipe that the copy was made from, carried over, or as it was where a branch was cut with the recipe on it
and nothing carried it over since; ours: the copy; theirs: the recipe of today, carried over.
Where both changed the same lines, both stand in the result between conflict markers.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lint.bash.parser import parse
from lint.copies.backport import Backported, Checked, backport, check
from lint.copies.compare import Difference, compare
from lint.copies.git import SHALLOW, Branch, NotRead, Repository
from lint.copies.merge import conflicts, merge
from lint.copies.sides import CommitFiles, Side, of_commit, of_file
from lint.copies.stamp import LENGTH, stamp_of, stamped, without_stamp
from lint.files import discovery
from lint.frozen import frozen
from lint.schema.load import shipped
from lint.suppression import directives
from lint.text import Source


@frozen
class Base:
    """The recipe that a copy was made from, and how messages call it."""

    recipe: Side
    name: str


@frozen
class Updated:
    """The text of the copy; the lines of conflicts; the edits of the copy (what the recipe had, what the copy has)."""

    text: str
    conflicts: tuple[int, ...]
    edits: tuple[Difference, ...]
    base: str


class NoBase(NotRead):
    """Nothing tells what a copy was made from, so what was edited in it cannot be told from what is old."""


def update(repository: Repository, recipe: Side, carried: Backported, copy: Side, base: Base) -> Updated:
    """The copy with what its recipe changed since `base`. `carried` is the recipe, for the release of the copy."""
    ours = without_stamp(copy.source.text)
    as_it_was, then = base.recipe.source.text, without_stamp(backport(base.recipe, carried.after).text)
    is_carried = stamp_of(copy.source.text) is not None or _distance(ours, then) <= _distance(ours, as_it_was)
    before = then if is_carried else as_it_was
    labels = (copy.shown, base.name + (", carried over" if is_carried else ""), f"{recipe.shown}, carried over")
    merged = merge(ours, before, without_stamp(carried.text), labels)
    text = with_stamp(repository, recipe, merged.text)
    places = tuple(conflicts(text, labels[0])) if merged.has_conflicts else ()
    was = replace(copy, source=Source(copy.source.path, before), shown=base.name)
    now = replace(copy, source=Source(copy.source.path, ours))
    return Updated(text, places, tuple(compare(was, now)), base.name)


def _distance(text: str, other: str) -> int:
    """How many lines one of two texts has and the other has not."""
    lines, others = Counter(text.splitlines()), Counter(other.splitlines())
    return (lines - others).total() + (others - lines).total()


def find_base(
    repository: Repository, recipe: Side, copy: Side, named: str | None, commits: tuple[str, str] | None
) -> Base:
    """What a copy was made from: the commit that is `named`, else by its stamp, else the last commit that the recipe
    and the branch of the copy (`commits`) have in common. Raises `NoBase`, `NotRead`."""
    path = recipe.source.path
    names = (path, copy.source.path)  # a recipe may have got another name since
    if named is not None:
        commit = repository.commit(named)
        found = _first(repository, commit, names)
        if found is None:
            raise NotRead(f"{named}:{path}: no such file in that commit")
        return Base(_side(repository, recipe, commit, found[1]), f"{named}:{found[0]}")
    stamp = stamp_of(copy.source.text)
    if stamp is not None:
        data = repository.blob(stamp)
        if data is None:
            raise NoBase(
                f"{copy.shown} was made from a text of the recipe that git does not have (copy-of={stamp}): fetch the "
                "history that has it, name the commit with --base, or lose the edits of the copy with --overwrite"
            )
        return Base(_side(repository, recipe, "HEAD", data), f"{path} at {stamp}")
    common = None if commits is None else repository.merge_base(*commits)
    found = None if common is None else _first(repository, common, names)
    if common is None or found is None:
        if common is None and commits is not None and repository.is_shallow:
            raise NotRead(SHALLOW.format(repository.top))
        raise NoBase(
            f"{copy.shown} exists, and nothing tells which text of {path} it was made from: name the commit with "
            "--base, or lose the edits of the copy with --overwrite"
        )
    name = f"{found[0]} at {common[:LENGTH]}, where the branches part"
    return Base(_side(repository, recipe, common, found[1]), name)


def _first(repository: Repository, commit: str, paths: Sequence[str]) -> tuple[str, bytes] | None:
    """The first of some paths that a commit has, with its bytes."""
    found = repository.read(commit, paths)
    return next(((path, found[path]) for path in paths if path in found), None)


def _side(repository: Repository, recipe: Side, commit: str, data: bytes) -> Side:
    """A former text of a recipe; where it names no release, it was for the one that the recipe is for today."""
    source = Source.decode(recipe.source.path, data)
    states = "release" in directives.parse(parse(source)).facts
    release = recipe.schema.release if not states and recipe.schema.release in shipped() else None
    files = CommitFiles(repository, commit, commit[:LENGTH], posixpath.dirname(source.path))
    return Side(source, source.path, files, release, recipe.environment)


# ------------------------------------------------------------------------------------------------- where copies are


@frozen
class Brought:
    """A copy as it is to be written, and how it came about. `before` is the text that is there, None if none is."""

    recipe: str
    copy: str
    path: str  # of the copy, from the top of the repository
    before: str | None
    text: str
    carried: Backported
    updated: Updated | None
    checked: Checked
    unknown_branch: str | None  # what looks like a branch, and is none here
    in_place: bool  # a patch changes the recipe itself: the copy is for a mere release

    @property
    def conflicts(self) -> tuple[int, ...]:
        return () if self.updated is None else self.updated.conflicts

    @property
    def whole(self) -> bool:
        """Nothing is lost, nothing is left to decide."""
        return not self.carried.lost and not self.conflicts and not self.checked.refused


def bring(
    recipe: Side, carried: Backported, to: str, target: Path | None, base: str | None, overwrite: bool
) -> Brought:
    """The copy of a recipe for the file `target` or, if that is None, for the branch `to`, merged with what is there.

    Where `to` is no branch, and there is no `target`, nothing is there. Raises `NoBase`, `NotRead`.
    """
    repository = _repository()
    branch = None if repository is None else _branch(repository, to)
    there = _in_file(target, recipe, carried) if target is not None else None
    if target is None and repository is not None and branch is not None:
        there = _on_branch(repository, branch, recipe)
    text = with_stamp(repository, recipe, carried.text)
    updated = None
    if there is not None and not overwrite and without_stamp(there.copy.source.text) != without_stamp(carried.text):
        if repository is None:
            raise NoBase(f"{there.copy.shown} exists, and there is no git to tell what it was made from: --overwrite?")
        found = find_base(repository, recipe, there.copy, base, there.commits)
        updated = update(repository, recipe, carried, there.copy, found)
        text = updated.text
    unsettled = updated is not None and updated.conflicts
    checked = Checked(0, 0, ()) if unsettled else check(recipe, text, carried.after)
    shown = there.copy.shown if there is not None else f"{to}:{recipe.source.path}"
    path = there.copy.source.path if there is not None else recipe.source.path
    in_place = there is None and branch is None
    start = recipe.source.text if in_place else None
    before = there.copy.source.text if there is not None else start
    unknown = to if "/" in to and branch is None and target is None else None
    return Brought(recipe.shown, shown, path, before, text, carried, updated, checked, unknown, in_place)


@frozen
class _There:
    """A copy that exists. `commits`: of the recipe and of the copy, if that is on a branch."""

    copy: Side
    commits: tuple[str, str] | None


def _repository() -> Repository | None:
    try:
        return Repository.at(Path())
    except NotRead:
        return None


def _in_file(target: Path, recipe: Side, carried: Backported) -> _There | None:
    data = discovery.read(str(target))
    if not isinstance(data, bytes):
        return None
    source = discovery.decode(str(target), data)
    if not isinstance(source, Source):
        raise NotRead(f"{source.path}: {source.reason}")
    return _There(of_file(source, recipe.environment, carried.after), None)


def _branch(repository: Repository, name: str) -> Branch | None:
    return next((branch for branch in repository.branches() if name in (branch.name, branch.label)), None)


def _on_branch(repository: Repository, branch: Branch, recipe: Side) -> _There | None:
    here = recipe.files.commit if isinstance(recipe.files, CommitFiles) else repository.head
    path = recipe.source.path
    found = _first(repository, branch.commit, [path])
    if found is None and here is not None:
        renames = repository.renames(branch.commit, here, "")
        found = _first(repository, branch.commit, [former for former, name in renames.items() if name == path])
    if found is None:
        return None
    copy = of_commit(repository, branch.commit, branch.label, *found, recipe.environment)
    return _There(copy, None if here is None else (here, branch.commit))


def with_stamp(repository: Repository | None, recipe: Side, text: str) -> str:
    """The text of a copy, stamped with the recipe that it was made from."""
    return text if repository is None else stamped(text, repository.identity(recipe.source.encode()))
