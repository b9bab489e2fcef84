"""Suppressions to write into scripts: where a comment can stand that speaks for a finding, and what it says."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from lint.bash.parser import parse
from lint.bash.walk import Nodes
from lint.findings import Edit, Finding, Fix
from lint.output.report import Report
from lint.rules.catalogue import is_suppressible
from lint.suppression import directives
from lint.suppression.suppress import Reach, continues, elements
from lint.text import Source, Span

TITLE = "suppress it with a comment"


class Place(NamedTuple):
    """The start of the line before which a comment can stand, and whether it has to speak for the whole file."""

    offset: int
    whole_file: bool = False


def with_suppressions(report: Report, reason: str) -> Report:
    """The report with a fix on each finding that writes a suppression; one comment for all rules of one place."""
    findings: dict[int, Finding] = {number: replace(one, fix=None) for number, one in enumerate(report.findings)}
    groups: dict[tuple[str, Place], list[int]] = {}
    for path, numbers in _by_path(report.findings).items():
        source = report.sources.get(path)
        if source is None:
            continue
        places = Places(source, (findings[number] for number in numbers))
        for number in numbers:
            place = places.place_for(findings[number])
            if place is not None:
                groups.setdefault((path, place), []).append(number)
    for (path, place), numbers in groups.items():
        names = sorted({findings[number].rule for number in numbers})
        fix = Fix(TITLE, True, (insertion(report.sources[path], place, names, reason),))
        for number in numbers:
            findings[number] = replace(findings[number], fix=fix)
    return replace(report, findings=tuple(findings.values()))


def _by_path(findings: Iterable[Finding]) -> Mapping[str, list[int]]:
    """The numbers of the findings of each file that a comment can silence."""
    found: dict[str, list[int]] = {}
    for number, finding in enumerate(findings):
        if is_suppressible(finding.rule):
            found.setdefault(finding.span.path, []).append(number)
    return found


def insertion(source: Source, place: Place, names: Iterable[str], reason: str) -> Edit:
    """The edit that writes a suppression at a place, indented as the line that it stands before."""
    line = source.line_text(source.line(place.offset))
    form, indent = ("ignore-file", "") if place.whole_file else ("ignore", line[: len(line) - len(line.lstrip())])
    text = f"{indent}# recipe-lint: {form}[{', '.join(names)}] -- {reason}\n"
    return Edit(Span(source.path, place.offset, place.offset), text)


class Places:
    """Where in one script comments can stand that silence some findings: all are tried in one reading."""

    def __init__(self, source: Source, findings: Iterable[Finding]) -> None:
        self._source = source
        found = sorted(elements(Nodes(parse(source).body)), key=lambda node: (node.start, -node.end))
        self._starts = {
            span: tuple(_starts(source, found, span.start))
            for span in {finding.span for finding in findings if finding.span.path == source.path}
        }
        self._reach = _reached(source, sorted({start for starts in self._starts.values() for start in starts}))

    def place_for(self, finding: Finding) -> Place | None:
        """Where a comment silences a finding; None if there is no such place.

        A finding about the first line of a script with a shebang is one about the whole file: the comment follows it.
        """
        source = self._source
        line = source.line(finding.span.start)
        if line == 1 and source.text.startswith("#!"):
            return Place(source.line_starts[1], whole_file=True) if len(source.line_starts) > 1 else None
        for start in self._starts.get(finding.span, ()):
            first, last = self._reach.get(start, (1, 0))
            if first <= line <= last:
                return Place(start)
        return None


def _starts(source: Source, elements: Sequence[Any], offset: int) -> Iterator[int]:
    """Starts of lines that could do: of the innermost command or element around, of the one before (a here-document
    follows its command), of the finding's own line. A line that goes on from the one before is none."""
    before = [node for node in elements if node.start <= offset]
    around = [node for node in before if offset < node.end]
    lines = [source.line(node.start) for node in (*reversed(around), *before[-1:])]
    own = source.line(offset)
    while own > 1 and continues(source.line_text(own - 1)):
        own -= 1
    for line in (*lines, own):
        if line == 1 or not continues(source.line_text(line - 1)):
            yield source.line_starts[line - 1]


def _reached(source: Source, starts: Sequence[int]) -> Mapping[int, tuple[int, int]]:
    """The first and last line that a comment at each of these starts speaks for, where it is a comment and not part of
    a string or a here-document."""
    mark = "# recipe-lint: ignore[x] -- x\n"
    pieces = [source.text[begin:end] for begin, end in pairwise((0, *starts, len(source.text)))]
    script = parse(Source(source.path, mark.join(pieces)))
    marked = [source.line(start) + number for number, start in enumerate(starts)]  # the lines of the marks
    reach = Reach(script)
    found = {}
    for ignore in directives.parse(script).ignores:
        number = bisect_left(marked, script.source.line(ignore.span.start))
        lines = reach.of(ignore)
        if number < len(starts) and ignore.span.start == starts[number] + number * len(mark) and lines is not None:
            first, last = (line - bisect_right(marked, line) for line in lines)
            found[starts[number]] = (first, last)
    return found
