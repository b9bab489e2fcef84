"""`recipe-lint compare`: what two scripts start differently."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from lint.cli.arguments import FINDINGS, NO_INPUT, Environment, fail, parse_environment
from lint.cli.choices import FORMAT, TableFormat
from lint.output.plain import dumps

if TYPE_CHECKING:
    from lint.copies.compare import Difference
    from lint.copies.sides import Side


def command(
    a: Annotated[str, typer.Argument(help="A script: a path, or `ref:path` for a file of a commit.", metavar="A")],
    b: Annotated[str, typer.Argument(help="The other one.", metavar="B")],
    format: Annotated[TableFormat, typer.Option(*FORMAT, help="How to show the differences.")] = TableFormat.text,
    env: Environment = None,
) -> None:
    """Show what two scripts start differently: overrides and environment as bash and Hydra read them, not their text.

    Exit status: 0 no difference, 1 differences, 2 the call is wrong, 3 a script was not found.
    """
    from lint.copies.compare import compare
    from lint.copies.git import NotRead
    from lint.copies.sides import side
    from lint.settings import BadSettings

    environment = parse_environment(env or ())
    try:
        first, second = (side(argument, environment) for argument in (a, b))
        differences = compare(first, second)
    except NotRead as error:
        fail(str(error), NO_INPUT)
    except BadSettings as error:
        fail(str(error))
    sys.stdout.write(render(format, differences, first, second))
    raise typer.Exit(FINDINGS if differences else 0)


def render(format: TableFormat, differences: list[Difference], first: Side, second: Side) -> str:
    """The differences between two sides in one of the formats."""
    if format is TableFormat.json:
        return as_json(differences, first, second)
    from lint.copies import table
    from lint.output.terminal import Style, visible, wants_colour
    from lint.output.text import plural

    names = (first.shown, second.shown)
    if not differences:
        return f"no difference between {visible(names[0])} and {visible(names[1])}\n"
    rows = [[table.key_of(each), *table.values_and_places(each, first, second)] for each in differences]
    heading = ["key", "A", "where", "B", "where"]
    if format is TableFormat.markdown:
        named = f"A: {table.code(names[0])}, B: {table.code(names[1])}\n\n"
        return named + table.markdown([heading, *([table.code(text) for text in row] for row in rows)])
    named = "".join(f"{letter}: {visible(name)}\n" for letter, name in zip("AB", names, strict=True))
    aligned = table.aligned([heading, *rows], Style(wants_colour(sys.stdout)))
    return f"{named}\n{aligned}\n{plural(len(differences), 'difference')}\n"


def as_json(differences: list[Difference], first: Side, second: Side) -> str:
    """Version 1; `lint/output/compare.schema.json` describes it."""
    from lint.copies import table

    rows = [
        {
            "key": difference.key,
            "a": None if difference.a is None else difference.a.shown,
            "b": None if difference.b is None else difference.b.shown,
            "a_line": table.line_of(difference.a, first),
            "b_line": table.line_of(difference.b, second),
            **({"scenario": dict(difference.scenario)} if difference.scenario else {}),
            **({"lacking": difference.lacking} if difference.lacking else {}),
        }
        for difference in differences
    ]
    return dumps({"version": 1, "differences": rows})
