"""On which side a difference came about: the recipe or its copy, since the text that both were made from.

For a copy on a branch that text is the recipe at the commit where the branches part (or the one with which both got it
later), for a copy in a folder the one that its stamp names. The commits that each side has alone are told, too, but not
those that the other has picked.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from lint.copies.compare import Difference, written
from lint.copies.git import SHALLOW, Commit, NotRead, Repository
from lint.copies.sides import OTHERS, CommitFiles, MovedFiles, Side
from lint.copies.stamp import stamp_of
from lint.copies.survey import Changed, Copy
from lint.text import Source


def trace(copies: Sequence[Copy]) -> tuple[Copy, ...]:
    """The copies with `changed` for each difference, and the commits of each side. Raises `NotRead`."""
    folders = [posixpath.dirname(copy.recipe.source.path) for copy in copies if copy.recipe is not None]
    root = posixpath.commonpath(folders) if folders else ""
    branches: dict[str, _Branch] = {}
    there = sorted(copies, key=lambda copy: copy.copy is None)  # what is there tells the branch of what is missing
    found = {(copy.name, copy.place): _traced(copy, root, branches) for copy in there}
    return tuple(found[copy.name, copy.place] for copy in copies)


def _traced(copy: Copy, root: str, branches: dict[str, _Branch]) -> Copy:
    if copy.settled:
        return copy
    branch = branches.get(copy.place)
    if copy.copy is not None and branch is None:
        files = copy.copy.files
        files = files.files if isinstance(files, MovedFiles) else files
        if isinstance(files, CommitFiles):
            branch = branches[copy.place] = _Branch(files.repository, files.commit, root)
    if copy.recipe is None or copy.copy is None:
        return replace(copy, changed=None if branch is None else branch.changed(copy))
    if branch is None:
        return _with_sides(copy, _stamped(copy.recipe, copy.copy))
    path = copy.copy.shown.partition(":")[2]  # of the copy in its commit; no name of a branch holds a colon
    commits = branch.of_recipes.get(copy.recipe.source.path, ()), branch.of_copies.get(path, ())
    base = branch.base(copy.recipe, path)
    return replace(_with_sides(copy, base), recipe_commits=commits[0], copy_commits=commits[1])


def _with_sides(copy: Copy, base: Side | None) -> Copy:
    if base is None or copy.recipe is None or copy.copy is None:
        return copy
    recipe, other = copy.recipe, copy.copy
    found = (replace(each, changed=_changed(each.difference, base, recipe, other)) for each in copy.differences)
    return replace(copy, differences=tuple(found))


def _changed(difference: Difference, base: Side, recipe: Side, copy: Side) -> Changed | None:
    if _is_text_of(base, copy):  # equal texts differ in nothing, so it was the other that changed
        return "recipe"
    if _is_text_of(base, recipe):
        return "copy"
    names = {difference.key, *(value.written for value in (difference.a, difference.b) if value is not None)}
    before, here, there = (written(side, names) for side in (base, recipe, copy))
    if before == here:
        return None if before == there else "copy"
    return "recipe" if before == there else "both"


def _is_text_of(base: Side, side: Side) -> bool:
    """Whether a side is the text that it was made from, and that text tells all."""
    return base.source.text == side.source.text and not OTHERS.search(base.source.text)


def _stamped(recipe: Side, copy: Side) -> Side | None:
    """The text of the recipe that a copy in a folder was made from, if it says so and git has it."""
    stamp = stamp_of(copy.source.text)
    if stamp is None:
        return None
    try:
        data = Repository.at(Path(recipe.shown).parent).blob(stamp)
    except NotRead:
        return None
    return None if data is None else replace(recipe, source=Source.decode(recipe.source.path, data))


@dataclass(frozen=True)
class _Branch:
    """What a branch and the present commit have in common, and what each has alone."""

    repository: Repository
    commit: str
    root: str

    @cached_property
    def _common(self) -> str | None:
        head = self.repository.head
        common = None if head is None else self.repository.merge_base(head, self.commit)
        if common is None and self.repository.is_shallow:
            raise NotRead(SHALLOW.format(self.repository.top))
        return common

    def base(self, recipe: Side, former: str) -> Side | None:
        """A recipe where the branches part; `former` is its path there. If it came later, the text with which both got
        it; None if they got different ones."""
        if self._common is None:
            return None
        found = self._text(self._common, former)
        if found is None:
            found, other = self._first(self.commit, former), self._first(self.repository.head, recipe.source.path)
            if found is None or other is None or found[1] != other[1]:
                return None
        commit, data = found
        path = recipe.source.path
        files = CommitFiles(self.repository, commit, commit, posixpath.dirname(path))
        return Side(Source.decode(path, data), path, files, recipe.release, recipe.environment)

    def _first(self, until: str | None, path: str) -> tuple[str, bytes] | None:
        """The text with which a file came after the branches parted, and its commit."""
        if until is None or self._common is None:
            return None
        commit = self.repository.adding(path, self._common, until)
        return None if commit is None else self._text(commit, path)

    def _text(self, commit: str, path: str) -> tuple[str, bytes] | None:
        data = self.repository.read(commit, [path]).get(path)
        return None if data is None else (commit, data)

    def changed(self, copy: Copy) -> Changed | None:
        """The side that has added or removed a file that the other lacks."""
        side = copy.recipe or copy.copy
        if self._common is None or side is None:
            return None
        had = bool(self.repository.read(self._common, [side.source.path]))
        return "copy" if had == (copy.copy is None) else "recipe"

    @cached_property
    def of_recipes(self) -> Mapping[str, tuple[Commit, ...]]:
        """The commits that only the recipes have, by path."""
        return dict(self._alone(self.repository.head, self.commit))

    @cached_property
    def of_copies(self) -> Mapping[str, tuple[Commit, ...]]:
        """The commits that only the branch has, by path."""
        return dict(self._alone(self.commit, self.repository.head))

    def _alone(self, one: str | None, other: str | None) -> Iterator[tuple[str, tuple[Commit, ...]]]:
        found: dict[str, list[Commit]] = {}
        if one is not None and other is not None and self._common is not None:
            for commit, paths in self.repository.commits(one, other, self.root):
                for path in paths:
                    found.setdefault(path, []).append(commit)
        for path, commits in found.items():
            yield path, tuple(commits)
