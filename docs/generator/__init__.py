"""Writes the pages of `docs/` from the code and its data: one module for each kind of page.

    python -m docs.generator            write them (`make docs`)
    python -m docs.generator --check    say which are out of date; exit status 1 if any is

A module holds `pages()`: the text of each of its pages by path below `docs/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Pages = dict[str, str]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown; None becomes an empty cell."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def cell(value: object) -> str:
    """A value on one line, with nothing in it that ends a cell."""
    return "" if value is None else " ".join(str(value).split()).replace("|", "\\|")


def code(values: Iterable[object]) -> str:
    """Names set as code, separated by commas."""
    return ", ".join(f"`{value}`" for value in values)
