"""Tables of differences: aligned for a terminal, or in Markdown for a pull request; and where a value comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lint.bash.reading import Known
from lint.copies.compare import Difference, Value
from lint.copies.sides import Side
from lint.output.markdown import cell
from lint.output.terminal import Style, visible, width
from lint.subject.subject import deciding

ABSENT = "-"  # one side gives the key no value
GAP = "  "


def aligned(rows: Sequence[Sequence[str]], style: Style, indent: str = "") -> str:
    """Rows as lines, their cells under each other; the first row is the heading."""
    shown = [[visible(text) for text in row] for row in rows]
    widths = [max(width(row[column]) for row in shown) for column in range(len(shown[0]))]
    lines = []
    for number, row in enumerate(shown):
        padded = [text + " " * (widths[column] - width(text)) for column, text in enumerate(row)]
        line = indent + GAP.join(padded).rstrip()
        lines.append(style.paint("emphasis", line) if number == 0 else line)
    return "".join(f"{line}\n" for line in lines)


def without_empty_columns(rows: Sequence[Sequence[str]], first: int) -> list[list[str]]:
    """Rows without those columns from `first` on that only the heading fills."""
    filled = [column for column in range(len(rows[0])) if column < first or any(row[column] for row in rows[1:])]
    return [[row[column] for column in filled] for row in rows]


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells (as `cell` or `code` make them) as a Markdown table."""
    heading, *rest = rows
    lines = [heading, ["---"] * len(heading), *rest]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text: str) -> str:
    """A cell with text as code; escaped text where a code span could not hold it."""
    plain = visible(text)
    return f"`{plain}`" if plain.strip() and not set(plain) & set("`|") else cell(text)


def shown(value: Value | None) -> str:
    return ABSENT if value is None else value.shown or "''"


def key_of(difference: Difference) -> str:
    """The key with the name that a side uses instead, and the scenario under which the values differ."""
    scenario = scenario_of(difference)
    return name_of(difference) + (f" with {scenario}" if scenario else "")


def name_of(difference: Difference) -> str:
    names = {value.written for value in (difference.a, difference.b) if value is not None} - {difference.key}
    return difference.key + "".join(f" ({name})" for name in sorted(names))


def scenario_of(difference: Difference) -> str:
    return " ".join(f"{name}={value}" for name, value in difference.scenario.items())


def line_of(value: Value | None, side: Side) -> int | None:
    """The line that writes a value in the script of a side; None for a default, or another file."""
    if value is None or value.span is None or value.span.path != side.source.path:
        return None
    return side.source.line(value.span.start)


def place(value: Value | None, side: Side) -> str:
    """Where a value is written and, if that is elsewhere, decided: `line 104 <- 53`."""
    if value is None:
        return ""
    line = line_of(value, side)
    if line is None:
        return f"default of verl {value.release}" if value.span is None else visible(value.span.path)
    decided = sorted(set(_deciding_lines(value, side)) - {line})
    return f"line {line}" + "".join(f" <- {other}" for other in decided)


def values_and_places(difference: Difference, a: Side, b: Side) -> tuple[str, ...]:
    """Both values as cells show them, each with where it comes from."""
    found: list[str] = []
    for value, side in ((difference.a, a), (difference.b, b)):
        absent = value is None and difference.lacking
        found += [shown(value), f"not in verl {difference.lacking}" if absent else place(value, side)]
    return tuple(found)


def _deciding_lines(value: Value, side: Side) -> Iterable[int]:
    for piece in value.text.pieces if value.text is not None else ():
        if isinstance(piece, Known):
            for origin, _ in deciding(piece.origin):
                if origin.span.path == side.source.path:
                    yield side.source.line(origin.span.start)
