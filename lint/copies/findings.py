"""A survey of copies as findings of the rule `release-copy-drift`, for the formats that `check` has."""

from __future__ import annotations

from collections.abc import Iterable

from lint.copies import table
from lint.copies.compare import Difference
from lint.copies.places import Declared
from lint.copies.report import refusals
from lint.copies.survey import Copy, Survey
from lint.findings import Finding, Related
from lint.output.report import Report
from lint.text import Source, Span

DECLARE = "declare the difference with its reason in [[tool.recipe-lint.copies.declared]]"
RULE = "release-copy-drift"


def report(survey: Survey, settings: Source | None) -> Report:
    """What is not declared, as findings at the recipe (at the copy where there is only that), and what is declared in
    vain, at its line of the settings."""
    copies = survey.copies
    sides = [side for copy in copies for side in (copy.recipe, copy.copy) if side is not None]
    sources = {side.shown: Source(side.shown, side.source.text) for side in sides}
    findings = [finding for copy in copies for finding in _findings(copy)]
    if settings is not None:
        sources[settings.path] = settings
        findings += [_of_declaration(each, settings) for each in survey.stale]
    findings.sort(key=lambda finding: (finding.span, finding.message))
    return Report(tuple(findings), scripts=len(sides), sources=sources)


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
    for problem in refusals(copy):
        yield _finding(start, f"verl {copy.release} refuses the copy {copy.label}: {problem}", "backport it again")


def _of_declaration(declared: Declared, settings: Source) -> Finding:
    start = settings.line_starts[declared.line - 1]
    span = Span(settings.path, start, start + len(settings.line_text(declared.line)))
    said = f"a difference of {declared.key} is declared ({declared.reason}), but no copy has one"
    return _finding(span, said, "delete the declaration")


def _of_difference(copy: Copy, difference: Difference) -> Finding:
    assert copy.recipe is not None
    assert copy.copy is not None
    ours, theirs = ("not set" if value is None else table.shown(value) for value in (difference.a, difference.b))
    lacks = f": verl {difference.lacking} has no such key" if difference.lacking else ""
    span = difference.a.span if difference.a is not None else None
    related = []
    if difference.b is not None and difference.b.span is not None:
        related.append(Related(copy.copy.place(difference.b.span), f"{theirs} here"))
    return Finding(
        RULE,
        "warning",
        "high",
        copy.recipe.place(span or Span(copy.recipe.source.path, 0, 0)),
        f"{table.key_of(difference)} is {ours}, but {theirs} in the copy {copy.label}{lacks}",
        key=difference.key,
        value=None if difference.a is None else difference.a.shown,
        help=DECLARE if lacks else f"make them equal, or {DECLARE}",
        related=tuple(related),
    )


def _finding(span: Span, message: str, help: str) -> Finding:
    return Finding(RULE, "warning", "high", span, message, help=help)
