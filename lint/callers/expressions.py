"""Expressions of workflows, `${{ ... }}`, as far as they are known before a run: literals, `matrix`, `env`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from lint.regular import regular

EXPRESSION = regular(r"\$\{\{(.*?)\}\}", re.DOTALL)
_LITERAL = regular(r"'((?:[^']|'')*)'")
_NUMBER = regular(r"-?\d+(?:\.\d+)?|true|false")
_NAME = regular(r"(?:matrix|env)\.[\w-]+")
MOST_ROWS = 32
MOST_JOBS = 256
"""GitHub starts no more jobs of one matrix."""

Names = Mapping[str, "str | None"]
"""`matrix.NAME` and `env.NAME` with what they stand for, None where only a run can tell."""


def value(expression: str, names: Names) -> str | None:
    """What an expression (without `${{` and `}}`) becomes; None if only a run can tell."""
    *terms, last = (term.strip() for term in expression.split("||"))
    for term in terms:
        found = _term(term, names)
        if found in ("false", "0") and _NAME.fullmatch(term):
            return None  # the text is true, what it says is not
        if found != "" and term not in ("false", "0"):  # of what is false, the next one is taken
            return found
    return _term(last, names)


def _term(term: str, names: Names) -> str | None:
    literal = _LITERAL.fullmatch(term)
    if literal is not None:
        return literal[1].replace("''", "'")
    if _NUMBER.fullmatch(term):
        return term
    if not _NAME.fullmatch(term):
        return None
    return names.get(term, "" if term.startswith("matrix.") else None)  # any step may set a variable for later ones


def choices(text: str, names: Names) -> tuple[str, ...]:
    """The texts that a text with expressions may become, as far as they are written down: what a run decides is left
    out, its fallbacks are not (`${{ needs.setup.outputs.label || 'L20x8' }}` gives `L20x8`)."""
    whole = EXPRESSION.fullmatch(text.strip())
    if whole is None:
        known = filled(text, names)
        return () if known is None else (known,)
    found = (_term(term.strip(), names) for term in whole[1].split("||"))
    return tuple(one for one in found if one)


def filled(text: str, names: Names) -> str | None:
    """A text with every expression in it replaced; None if only a run can tell one of them."""
    parts, end = [], 0
    for match in EXPRESSION.finditer(text):
        known = value(match[1], names)
        if known is None:
            return None
        parts += [text[end : match.start()], known]
        end = match.end()
    return "".join((*parts, text[end:]))


def rows(
    axes: Mapping[str, Sequence[str | None]],
    included: Sequence[Mapping[str, str | None]],
    excluded: Sequence[Mapping[str, str | None]],
) -> Iterator[Mapping[str, str | None]]:
    """The rows of a job's matrix, as GitHub makes them: every combination, without the excluded ones, each extended by
    the included ones that contradict none of it; what extends no row is a row by itself."""
    names = list(axes)
    combinations = (dict(zip(names, row, strict=True)) for row in product(*axes.values())) if axes else iter(())
    found = [row for row in islice(combinations, MOST_ROWS) if not any(_agrees(one, row) for one in excluded)]
    alone = []
    for addition in included[:MOST_JOBS]:
        own = {name: addition[name] for name in axes if name in addition}
        extended = [row for row in found if _agrees(own, row)]
        for row in extended:
            row.update(addition)
        if not extended:
            alone.append(dict(addition))
    yield from islice((*found, *alone), MOST_JOBS) if found or alone else ({},)


def _agrees(part: Mapping[str, str | None], row: Mapping[str, str | None]) -> bool:
    return all(row.get(name) == known for name, known in part.items())
