"""Suppressions to write into scripts: where a comment can stand that speaks for a finding, and what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from lint.bash.parser import parse
from lint.bash.syntax import Script
from lint.findings import Edit, Finding, Fix
from lint.output.report import Report
from lint.rules.catalogue import is_suppressible
from lint.suppression import directives
from lint.suppression.suppress import ELEMENTS, continues, nodes, reach
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
        script = parse(source)
        for number in numbers:
            place = place_for(script, findings[number])
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


def place_for(script: Script, finding: Finding) -> Place | None:
    """Where a comment silences a finding; None if there is no such place.

    A finding about the first line of a script with a shebang is one about the whole file: the comment follows it.
    """
    source = script.source
    line = source.line(finding.span.start)
    if line == 1 and source.text.startswith("#!"):
        return Place(source.line_starts[1], whole_file=True) if len(source.line_starts) > 1 else None
    starts = _starts(script, finding.span.start, line)
    return next((Place(start) for start in starts if _silences(source, start, line)), None)


def _starts(script: Script, offset: int, line: int) -> Iterator[int]:
    """Starts of lines that could do: of the innermost command or element around, of the one before (a here-document
    follows its command), of the finding's own line."""
    source = script.source
    before = [node for node in nodes(script.body) if isinstance(node, ELEMENTS) and node.start <= offset]
    around = [node for node in before if offset < node.end]
    for node in (*reversed(around), *before[-1:]):
        yield source.line_starts[source.line(node.start) - 1]
    while line > 1 and continues(source.line_text(line - 1)):
        line -= 1
    yield source.line_starts[line - 1]


def _silences(source: Source, place: int, line: int) -> bool:
    """Whether a comment before a line speaks for another one: it may be no comment there, but part of a string."""
    before = source.line(place)
    if before > 1 and continues(source.line_text(before - 1)):
        return False
    inserted = "# recipe-lint: ignore[x] -- x\n"
    script = parse(Source(source.path, source.text[:place] + inserted + source.text[place:]))
    for ignore in directives.parse(script).ignores:
        if ignore.span.start == place:
            first, last = reach(script, ignore) or (0, 0)
            return first <= line + 1 <= last
    return False
