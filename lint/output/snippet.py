"""Source lines with marks under the exact spans, as the text output shows them."""

from __future__ import annotations

from lint.frozen import frozen
from lint.output.terminal import Style, visible, width
from lint.text import Source, Span

LONGEST = 160  # characters of a line that are shown; around the mark, if the line is longer
GAP = "…"


@frozen
class Mark:
    """A span of the source with what is said beside it. Primary marks are drawn `^`, the others `-`."""

    span: Span
    label: str
    primary: bool
    role: str


def lines_of(source: Source, marks: list[Mark], gutter: int, style: Style) -> list[str]:
    """The lines that the marks stand on, in order, each followed by its marks; gaps are shown as `...`."""
    drawn: list[str] = []
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        by_line.setdefault(source.line(mark.span.start), []).append(mark)
    previous: int | None = None
    for line in sorted(by_line):
        if previous is not None and line > previous + 1:
            drawn.append(style.paint("frame", "..."))
        previous = line
        marked = sorted(by_line[line], key=lambda mark: (not mark.primary, mark.span.start))
        drawn.extend(_line(source, line, marked, gutter, style))
    return drawn


def _line(source: Source, line: int, marks: list[Mark], gutter: int, style: Style) -> list[str]:
    text = source.line_text(line)
    begin = source.line_starts[line - 1]
    columns = [(mark.span.start - begin, min(mark.span.end - begin, len(text))) for mark in marks]
    low, high = _window(len(text), columns[0])
    before, after = (GAP if low else ""), (GAP if high < len(text) else "")
    number = style.paint("frame", f"{line:>{gutter}} |")
    drawn = [f"{number} {before}{visible(text[low:high])}{after}"]
    blank = style.paint("frame", " " * gutter + " |")
    for mark, (start, end) in zip(marks, columns, strict=True):
        start, end = max(start, low), min(end, high)
        if start > high:
            continue
        indent = width(before) + width(visible(text[low:start]))
        length = max(1, width(visible(text[start:end])))
        sign = ("^" if mark.primary else "-") * length
        label = f" {mark.label}" if mark.label else ""
        drawn.append(f"{blank} {' ' * indent}{style.paint(mark.role, sign + label)}")
    return drawn


def _window(length: int, columns: tuple[int, int]) -> tuple[int, int]:
    """The part of a long line to show: the whole mark if it fits, with as much text before as after."""
    if length <= LONGEST:
        return 0, length
    start, end = columns
    room = max(LONGEST - (end - start), 20)
    low = max(0, min(start - room // 2, length - LONGEST))
    return low, min(length, low + LONGEST)
