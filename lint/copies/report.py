"""A survey of copies as text, as a table for a pull request, as JSON, and as findings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from lint.copies import table
from lint.copies.compare import Difference
from lint.copies.survey import Copy, Found
from lint.findings import Finding, Related
from lint.output.report import Report
from lint.output.terminal import Style, visible
from lint.output.text import plural
from lint.text import Source, Span

RULE = "release-copy-drift"
MISSING_COPY, MISSING_RECIPE = "missing", "only there"


def text(copies: Sequence[Copy], style: Style, show_all: bool) -> str:
    """What differs, recipe by recipe; with `show_all` also what is the same or declared."""
    lines = []
    name = None
    for copy in copies:
        if copy.same and not show_all:
            continue
        if copy.name != name:
            name = copy.name
            lines.append(style.paint("emphasis", visible(name)) + "\n")
        lines.append(f"  {visible(copy.label)}{_release(copy)}: {state(copy)}\n")
        shown = [found for found in copy.differences if show_all or found.declared is None]
        if shown:
            rows = [["key", "recipe", "where", "copy", "where", "declared"], *(_row(copy, found) for found in shown)]
            if not any(row[-1] for row in rows[1:]):
                rows = [row[:-1] for row in rows]
            lines.append(table.aligned(rows, style, "    "))
        lines.extend(f"    refused: {visible(problem)}\n" for problem in _refusals(copy))
    return "".join(lines) + ("\n" if lines else "") + summary(copies) + "\n"


def markdown(copies: Sequence[Copy]) -> str:
    """One table of every difference, for a pull request."""
    rows = [["recipe", "copy", "key", "recipe has", "copy has", "reason"]]
    for copy in copies:
        if copy.recipe is None or copy.copy is None:
            rows.append([copy.name, copy.label, state(copy), "", "", copy.declared_missing or ""])
        for found in copy.differences:
            key, ours, _, theirs, _, reason = _row(copy, found)
            rows.append([copy.name, copy.label, key, ours, theirs, reason])
        rows.extend([copy.name, copy.label, problem, "", "refused", ""] for problem in _refusals(copy))
    return (table.markdown(rows) + "\n" if len(rows) > 1 else "") + summary(copies) + ".\n"


def as_json(copies: Sequence[Copy]) -> str:
    """Version 1: `missing` is true where the copy is missing; `recipe` is null where there is only the copy."""
    rows = [
        {
            "recipe": None if copy.recipe is None else copy.recipe.shown,
            "copy": copy.label,
            "release": copy.release,
            "differences": [_plain(copy, found) for found in copy.differences],
            "missing": copy.copy is None,
            "refused": list(_refusals(copy)),
        }
        for copy in copies
    ]
    return json.dumps({"version": 1, "copies": rows}, indent=1) + "\n"


def summary(copies: Sequence[Copy]) -> str:
    """How many copies there are and how they are, in one line."""
    recipes = len({copy.name for copy in copies if copy.recipe is not None})
    states = {
        "same": [copy for copy in copies if copy.same],
        "different": [copy for copy in copies if copy.recipe and copy.copy and not copy.same],
        MISSING_COPY: [copy for copy in copies if copy.copy is None and not copy.same],
        MISSING_RECIPE: [copy for copy in copies if copy.recipe is None and not copy.same],
    }
    counts = ", ".join(f"{len(group)} {name}" for name, group in states.items() if group)
    return f"{plural(len(copies), 'copy', 'copies')} of {plural(recipes, 'recipe')}" + (f": {counts}" if counts else "")


def state(copy: Copy) -> str:
    """How one copy is, in a few words."""
    if copy.recipe is None:
        return f"{MISSING_RECIPE}: no such recipe" + (f" ({copy.declared_missing})" if copy.declared_missing else "")
    if copy.copy is None:
        return MISSING_COPY + (f" ({copy.declared_missing})" if copy.declared_missing else "")
    if not copy.differences and not copy.refused:
        return "same"
    declared = len(copy.differences) - len(copy.undeclared)
    said = [plural(len(copy.differences), "difference")] if copy.differences else []
    if declared:
        said.append(f"{declared} declared")
    if copy.refused:
        said.append(plural(len(copy.refused), "refused override"))
    return ", ".join(said)


def _release(copy: Copy) -> str:
    return f" (verl {copy.release})" if copy.release else ""


def _row(copy: Copy, found: Found) -> list[str]:
    assert copy.recipe is not None
    assert copy.copy is not None
    difference = found.difference
    return [
        table.key_of(difference),
        table.shown(difference.a),
        table.place(difference.a, copy.recipe),
        table.shown(difference.b),
        table.place(difference.b, copy.copy),
        found.declared or "",
    ]


def _plain(copy: Copy, found: Found) -> dict[str, object]:
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
        **({"scenario": dict(difference.scenario)} if difference.scenario else {}),
    }


def _refusals(copy: Copy) -> Iterable[str]:
    """What the release of a copy refuses; a copy with the text of the recipe was read as the recipe."""
    for problem in copy.refused:
        place = ""
        span = None if problem.override is None else problem.override.span
        if span is not None and copy.copy is not None and span.path == copy.copy.source.path:
            place = f"line {copy.copy.source.line(span.start)}: "
        yield place + problem.message


# -------------------------------------------------------------------------------------------------------- findings


def as_report(copies: Sequence[Copy]) -> Report:
    """What is not declared, as findings at the recipe (at the copy where there is only that)."""
    sides = [side for copy in copies for side in (copy.recipe, copy.copy) if side is not None]
    sources = {side.shown: Source(side.shown, side.source.text) for side in sides}
    findings = [finding for copy in copies for finding in _findings(copy)]
    findings.sort(key=lambda finding: (finding.span, finding.message))
    return Report(tuple(findings), scripts=len(sources), sources=sources)


def _findings(copy: Copy) -> Iterable[Finding]:
    if copy.declared_missing:
        return
    if copy.recipe is None:
        yield _finding(Span(copy.label, 0, 0), "this copy has no recipe", "delete it, or add the recipe")
        return
    start = Span(copy.recipe.shown, 0, 0)
    if copy.copy is None:
        yield _finding(start, f"the copy {copy.label} is missing", f"recipe-lint copies backport {start.path}")
        return
    for difference in copy.undeclared:
        yield _of_difference(copy, difference)
    for problem in _refusals(copy):
        yield _finding(start, f"verl {copy.release} refuses the copy {copy.label}: {problem}", "backport it again")


def _of_difference(copy: Copy, difference: Difference) -> Finding:
    assert copy.recipe is not None
    assert copy.copy is not None
    ours, theirs = (table.shown(value) for value in (difference.a, difference.b))
    span = difference.a.span if difference.a is not None else None
    related = []
    if difference.b is not None and difference.b.span is not None:
        related.append(Related(copy.copy.place(difference.b.span), f"{theirs} here"))
    return Finding(
        RULE,
        "warning",
        "high",
        copy.recipe.place(span or Span(copy.recipe.source.path, 0, 0)),
        f"{table.key_of(difference)} is {ours}, but {theirs} in the copy {copy.label}",
        key=difference.key,
        value=None if difference.a is None else difference.a.shown,
        help="make them equal, or declare the difference with its reason in [[tool.recipe-lint.copies.declared]]",
        related=tuple(related),
    )


def _finding(span: Span, message: str, help: str) -> Finding:
    return Finding(RULE, "warning", "high", span, message, help=help)
