"""A survey of copies as JSON, version 1; `lint/output/copies.schema.json` describes it."""

from __future__ import annotations

from collections.abc import Iterable

from lint.copies import table
from lint.copies.git import Commit
from lint.copies.report import refusals
from lint.copies.survey import Copy, Found, Survey
from lint.output.plain import dumps


def render(survey: Survey) -> str:
    """`missing` is true where the copy is missing; `recipe` is null where there is only the copy."""
    document = {
        "version": 1,
        "copies": [_copy(copy) for copy in survey.copies],
        "stale": [
            {"key": each.key, "reason": each.reason, "releases": each.releases, "recipes": each.recipes}
            for each in survey.stale
        ],
    }
    return dumps(document)


def _copy(copy: Copy) -> dict[str, object]:
    commits = {"recipe_commits": _commits(copy.recipe_commits), "copy_commits": _commits(copy.copy_commits)}
    return {
        "recipe": None if copy.recipe is None else copy.recipe.shown,
        "copy": copy.label,
        "release": copy.release,
        "differences": [_difference(copy, found) for found in copy.differences],
        "missing": copy.copy is None,
        "refused": list(refusals(copy)),
        **({"declared": copy.declared_missing} if None in (copy.recipe, copy.copy) else {}),
        **({"changed": copy.changed} if copy.changed is not None else {}),
        **{name: found for name, found in commits.items() if found},
    }


def _difference(copy: Copy, found: Found) -> dict[str, object]:
    assert copy.recipe is not None
    assert copy.copy is not None
    difference = found.difference
    return {
        "key": difference.key,
        "recipe_value": None if difference.a is None else difference.a.shown,
        "copy_value": None if difference.b is None else difference.b.shown,
        "recipe_line": table.line_of(difference.a, copy.recipe),
        "copy_line": table.line_of(difference.b, copy.copy),
        "declared": found.declared,
        **({"changed": found.changed} if found.changed is not None else {}),
        **({"scenario": dict(difference.scenario)} if difference.scenario else {}),
        **({"lacking": difference.lacking} if difference.lacking else {}),
    }


def _commits(commits: Iterable[Commit]) -> list[dict[str, str]]:
    return [{"id": commit.name, "subject": commit.subject} for commit in commits]
