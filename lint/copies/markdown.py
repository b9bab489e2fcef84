"""A survey of copies for a pull request: what differs, told once for all copies that have it; what to bring over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from lint.copies import groups, table
from lint.copies.groups import Group
from lint.copies.report import absence, summary
from lint.copies.survey import Copy, Survey
from lint.copies.table import ABSENT, code
from lint.output.markdown import cell
from lint.output.text import plural

FEW = 3  # recipes that are named in a cell; more are folded


def render(survey: Survey, show_all: bool) -> str:
    """Markdown as GitHub and GitLab show it. `show_all` adds what is declared."""
    copies = survey.copies
    where = f" in {_places(copies)}" if copies else ""
    parts = [f"**{summary(copies)}**{where}\n", _differences(copies, show_all), _notes(survey, show_all)]
    parts += [
        _commits(copies, "recipe", "Commits that copies lack"),
        _commits(copies, "copy", "Commits that recipes lack"),
    ]
    return "\n".join(part for part in parts if part)


def _differences(copies: Sequence[Copy], show_all: bool) -> str:
    found = groups.by_difference(copies, show_all)
    if not found:
        return ""
    heading = ["key", "recipe", "copy", "copies", "changed in", "declared because"]
    return table.markdown(table.without_empty_columns([heading, *map(_row, found)], 4))


def _row(group: Group) -> list[str]:
    key = code(group.key) + (f" with {code(group.scenario)}" if group.scenario else "")
    return [
        key,
        _value(group.recipe_value, group.lacking),
        _value(group.copy_value, group.lacking),
        _copies(group.copies),
        cell(group.changed),
        cell(group.reason),
    ]


def _value(shown: str, lacking: str) -> str:
    absent = f"not in verl {lacking}" if lacking else "not set"
    return absent if shown == ABSENT else code(shown)


def _copies(copies: Sequence[Copy]) -> str:
    return _named([code(name) for name in groups.names(copies)], f" in {_places(copies)}")


def _places(copies: Sequence[Copy]) -> str:
    """The branches and folders of copies; the folder on a branch goes without saying."""
    return ", ".join(dict.fromkeys(code(place.partition(":")[0]) for place in groups.places(copies)))


def _notes(survey: Survey, show_all: bool) -> str:
    """What no row of the table tells: what is missing, what a release refuses, what is declared in vain."""
    missing: dict[str, list[str]] = {}
    for copy in survey.copies:
        if None in (copy.recipe, copy.copy) and (show_all or copy.declared_missing is None):
            kind = "Without a recipe" if copy.recipe is None else "Missing"
            how = f" ({absence(copy)})" if absence(copy) else ""
            reason = f" ({cell(copy.declared_missing)})" if copy.declared_missing else ""
            missing.setdefault(f"{kind} in {_places([copy])}{how}", []).append(code(copy.name) + reason)
    lines = [f"{place}: {', '.join(names)}" for place, names in missing.items()]
    for message, copies in groups.refusals(survey.copies):
        lines.append(f"Refused by the release of the copy: {code(message.replace('`', ''))} of {_copies(copies)}")
    lines += [f"Declared, but nothing differs: {code(each.key)} ({cell(each.reason)})" for each in survey.stale]
    return "".join(f"- {line}\n" for line in lines)


def _commits(copies: Sequence[Copy], of: Literal["recipe", "copy"], title: str) -> str:
    rows = [
        [commit.name, cell(commit.subject), _named([code(name) for name in names])]
        for commit, names in groups.commits(copies, of)
    ]
    return f"{title}:\n\n" + table.markdown([["commit", "subject", "recipes"], *rows]) if rows else ""


def _named(names: Sequence[str], where: str = "") -> str:
    """A few names, or how many there are with the names folded away."""
    if len(names) <= FEW:
        return ", ".join(names) + where
    return f"<details><summary>{plural(len(names), 'recipe')}{where}</summary>{'<br>'.join(names)}</details>"
