"""The same difference in many copies, told once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from lint.copies import table
from lint.copies.git import Commit
from lint.copies.survey import Copy
from lint.frozen import frozen


@frozen
class Group:
    """A difference as it is shown, and the copies that have it. `changed` is empty where it was not asked."""

    key: str
    scenario: str
    recipe_value: str
    copy_value: str
    lacking: str  # the release that has no such key, if a value is absent for that
    changed: str
    reason: str
    copies: tuple[Copy, ...]


def by_difference(copies: Iterable[Copy], show_declared: bool) -> list[Group]:
    """Every difference with its copies, those in few copies first: they are most likely to be slips."""
    found: dict[tuple[str, str, str, str, str, str, str], list[Copy]] = {}
    for copy in copies:
        for each in copy.differences:
            if each.declared is None or show_declared:
                key = table.name_of(each.difference), table.scenario_of(each.difference)
                values = table.shown(each.difference.a), table.shown(each.difference.b)
                lacking = each.difference.lacking or ""
                found.setdefault((*key, *values, lacking, each.changed or "", each.declared or ""), []).append(copy)
    return sorted((Group(*said, tuple(group)) for said, group in found.items()), key=lambda group: len(group.copies))


def commits(copies: Iterable[Copy], of: Literal["recipe", "copy"]) -> list[tuple[Commit, list[str]]]:
    """The commits of one side that the other lacks and may want, each with the names of the recipes: those of recipes
    of which it changed something that is not declared, or may have."""
    found: dict[Commit, dict[str, None]] = {}
    for copy in copies:
        if any(each.declared is None and each.changed in (of, "both", None) for each in copy.differences):
            for commit in copy.recipe_commits if of == "recipe" else copy.copy_commits:
                found.setdefault(commit, {})[copy.name] = None
    return [(commit, list(names)) for commit, names in found.items()]


def refusals(copies: Iterable[Copy]) -> list[tuple[str, tuple[Copy, ...]]]:
    """What releases refuse, each message once, with the copies."""
    found: dict[str, dict[str, Copy]] = {}
    for copy in copies:
        for problem in copy.refused:
            found.setdefault(problem.message, {})[copy.label] = copy
    return [(message, tuple(group.values())) for message, group in found.items()]


def places(copies: Sequence[Copy]) -> list[str]:
    return list(dict.fromkeys(copy.place for copy in copies))


def names(copies: Sequence[Copy]) -> list[str]:
    """The names of the recipes; where the copy has another one, that too."""
    return list(dict.fromkeys(_name(copy) for copy in copies))


def _name(copy: Copy) -> str:
    renamed = copy.copy is not None and not copy.label.endswith(f"/{copy.name}")
    return f"{copy.name} (as {copy.label.removeprefix(copy.place).lstrip('/')})" if renamed else copy.name
