"""A survey of copies as text, recipe by recipe, and the words for how a copy is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lint.copies import table
from lint.copies.survey import Copy, Found, Survey
from lint.output.terminal import Style, visible
from lint.output.text import plural

MISSING_COPY, MISSING_RECIPE = "missing", "only there"


def text(survey: Survey, style: Style, show_all: bool) -> str:
    """What differs, recipe by recipe; with `show_all` also what is the same or declared."""
    lines = []
    name = None
    for copy in survey.copies:
        if copy.settled and not show_all:
            continue
        if copy.name != name:
            name = copy.name
            lines.append(style.paint("emphasis", visible(name)) + "\n")
        lines.append(f"  {visible(copy.label)}{_release(copy)}: {state(copy)}\n")
        shown = [found for found in copy.differences if show_all or found.declared is None]
        if shown:
            heading = ["key", "recipe", "where", "copy", "where", "changed in", "declared because"]
            rows = [heading, *(_row(copy, found) for found in shown)]
            lines.append(table.aligned(table.without_empty_columns(rows, 5), style, "    "))
        lines.extend(f"    refused: {visible(problem)}\n" for problem in refusals(copy))
        for side, commits in (("recipe", copy.recipe_commits), ("copy", copy.copy_commits)):
            lines.extend(f"    only in the {side}: {commit.name} {visible(commit.subject)}\n" for commit in commits)
    lines += [f"declared, but nothing differs: {visible(each.key)} ({visible(each.reason)})\n" for each in survey.stale]
    return "".join(lines) + ("\n" if lines else "") + summary(survey.copies) + "\n"


def summary(copies: Sequence[Copy]) -> str:
    """How many copies there are and how they are, in one line."""
    recipes = len({copy.name for copy in copies if copy.recipe is not None})
    states = {
        "same": [copy for copy in copies if state(copy) == "same"],
        "as declared": [copy for copy in copies if copy.settled and state(copy) != "same"],
        "different": [copy for copy in copies if copy.recipe and copy.copy and not copy.settled],
        MISSING_COPY: [copy for copy in copies if copy.copy is None and not copy.settled],
        MISSING_RECIPE: [copy for copy in copies if copy.recipe is None and not copy.settled],
    }
    counts = ", ".join(f"{len(group)} {name}" for name, group in states.items() if group)
    return f"{plural(len(copies), 'copy', 'copies')} of {plural(recipes, 'recipe')}" + (f": {counts}" if counts else "")


def state(copy: Copy) -> str:
    """How one copy is, in a few words."""
    if copy.recipe is None or copy.copy is None:
        said = [word for word in (absence(copy), copy.declared_missing) if word]
        return (MISSING_RECIPE if copy.recipe is None else MISSING_COPY) + "".join(f" ({word})" for word in said)
    if not copy.differences and not copy.refused:
        return "same"
    declared = len(copy.differences) - len(copy.undeclared)
    said = [plural(len(copy.differences), "difference")] if copy.differences else []
    if declared:
        said.append(f"{declared} declared")
    if copy.refused:
        said.append(plural(len(copy.refused), "refused override"))
    return ", ".join(said)


def absence(copy: Copy) -> str:
    """How a side that is missing came to be, if that is known."""
    if copy.changed is None:
        return ""
    if copy.copy is None:
        return "the recipe is new since" if copy.changed == "recipe" else "the copy was removed"
    return "the recipe was removed since" if copy.changed == "recipe" else "only the branch has got it"


def _release(copy: Copy) -> str:
    return f" (verl {copy.release})" if copy.release else ""


def _row(copy: Copy, found: Found) -> list[str]:
    assert copy.recipe is not None
    assert copy.copy is not None
    return [
        table.key_of(found.difference),
        *table.values_and_places(found.difference, copy.recipe, copy.copy),
        found.changed or "",
        found.declared or "",
    ]


def refusals(copy: Copy) -> Iterable[str]:
    """What the release of a copy refuses; a copy with the text of the recipe was read as the recipe."""
    for problem in copy.refused:
        place = ""
        span = None if problem.override is None else problem.override.span
        if span is not None and copy.copy is not None and span.path == copy.copy.source.path:
            place = f"line {copy.copy.source.line(span.start)}: "
        yield place + problem.message
