"""Suppression: which findings the comments of a script silence, and which comments are wrong or no longer needed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from lint.bash.syntax import ArrayElement, Pipeline, Script, SimpleCommand, Statement
from lint.bash.walk import Nodes
from lint.findings import Edit, Finding, Fix
from lint.frozen import frozen
from lint.suppression.directives import Directives, Ignore
from lint.text import Source, Span

UNUSED = "unused-suppression"
INVALID = "invalid-suppression"


@frozen
class Commented:
    """A script together with what its comments say."""

    script: Script
    directives: Directives


@frozen
class Suppressed:
    """What is left of the findings, and how many were silenced."""

    findings: tuple[Finding, ...]
    count: int


@frozen
class Names:
    """What the suppression must know of rules: what is wrong with a name (None: such a rule exists), which may be
    silenced, which ran on a file, the nearest."""

    unknown: Callable[[str], str | None]
    suppressible: Callable[[str], bool]
    ran: Callable[[str, str], bool]  # path, rule
    nearest: Callable[[str], str | None]


def apply(
    findings: Sequence[Finding], files: Mapping[str, Commented], checked: Collection[str], names: Names
) -> Suppressed:
    """Silence what comments ask to; findings about the comments themselves are added at the end.

    `files` are all files that findings may stand in, also those that scripts only source. Comments are judged in the
    `checked` ones alone: whether one in a sourced file is needed shows only when all its users are checked.
    """
    used: set[tuple[Span, str]] = set()
    kept = []
    ranges = {path: _ranges(file) for path, file in files.items()}
    for finding in findings:
        if not _silenced(finding, files, ranges, names, used):
            kept.append(finding)
    about = [
        problem
        for path, file in files.items()
        if path in checked
        for ignore in file.directives.ignores
        for problem in _problems(file.script.source, ignore, names, used)
    ]
    return Suppressed((*kept, *about), len(findings) - len(kept))


def _ranges(file: Commented) -> list[tuple[Ignore, tuple[int, int] | None]]:
    reach = Reach(file.script)
    return [(ignore, reach.of(ignore)) for ignore in file.directives.ignores if ignore.reason]


def _silenced(
    finding: Finding,
    files: Mapping[str, Commented],
    ranges: Mapping[str, list[tuple[Ignore, tuple[int, int] | None]]],
    names: Names,
    used: set[tuple[Span, str]],
) -> bool:
    file = files.get(finding.span.path)
    if file is None or not names.suppressible(finding.rule):
        return False
    source = file.script.source
    first, last = source.line(finding.span.start), source.line(max(finding.span.start, finding.span.end - 1))
    silenced = False
    for ignore, lines in ranges[finding.span.path]:
        if lines is not None and (last < lines[0] or first > lines[1]):
            continue
        if any(name == finding.rule for name, _ in ignore.names):
            used.add((ignore.span, finding.rule))
            silenced = True
    return silenced


# --------------------------------------------------------------------------------------------------------- reach


class Reach:
    """The lines of one script that its suppressions speak for."""

    def __init__(self, script: Script) -> None:
        self._source = script.source
        self._starting: dict[int, list[Any]] = {}  # simple statements and array elements by where they begin
        found = Nodes(script.body)
        lists: list[Statement | Pipeline] = [*found.of(Statement), *found.of(Pipeline)]
        for node in (*filter(_is_simple, lists), *elements(found)):
            self._starting.setdefault(node.start, []).append(node)

    def of(self, ignore: Ignore) -> tuple[int, int] | None:
        """First and last line that a suppression speaks for; None: all of the file.

        At the end of a line: that line, with the lines that a backslash joins to it. On a line of its own: the next
        line of code, and if a simple command, assignment, pipeline of those, or array element begins there, all of its
        lines.
        """
        if ignore.whole_file:
            return None
        source = self._source
        line = source.line(ignore.span.start)
        if not ignore.own_line:
            first = line
            while first > 1 and continues(source.line_text(first - 1)):
                first -= 1
            return first, line
        count = len(source.line_starts)
        first = line + 1
        while first < count and _says_nothing(source.line_text(first)):
            first += 1
        if first > count:
            return line, line
        text = source.line_text(first)
        start = source.line_starts[first - 1] + len(text) - len(text.lstrip())
        last = first
        for node in self._starting.get(start, ()):
            last = max(last, source.line(max(start, Nodes(node).end() - 1)))
        while last < count and continues(source.line_text(last)):
            last += 1
        return first, last


def elements(nodes: Nodes) -> Iterator[SimpleCommand | ArrayElement]:
    """What a suppression can stand before, each with all of its lines."""
    yield from nodes.of(SimpleCommand)
    yield from nodes.of(ArrayElement)


def continues(text: str) -> bool:
    """Whether a line goes on in the next one."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _says_nothing(text: str) -> bool:
    return not text.strip() or text.lstrip().startswith("#")


def _is_simple(node: Statement | Pipeline) -> bool:
    pipelines = node.pipelines if isinstance(node, Statement) else (node,)
    return all(isinstance(command, SimpleCommand) for pipeline in pipelines for command in pipeline.commands)


# ------------------------------------------------------------------------------------------------------ complaints


def _problems(source: Source, ignore: Ignore, names: Names, used: Collection[tuple[Span, str]]) -> Iterator[Finding]:
    """What is wrong with one suppression, each with a fix."""

    def problem(rule: str, span: Span, message: str, help: str, fix: Fix) -> Finding:
        return Finding(rule, "warning", "high", span, message, help=help, fix=fix)

    if not ignore.reason:
        said = "the suppression gives no reason, so it has no effect"
        fix = Fix("remove the suppression", False, (_removal(source, ignore),))
        yield problem(INVALID, ignore.span, said, "end it by ` -- ` and the reason", fix)
    for name, span in ignore.names:
        fix = _without(source, ignore, name)
        unknown = names.unknown(name)
        if unknown is not None:
            near = names.nearest(name)
            fix = Fix(f"write {near}", True, (Edit(span, near),)) if near else fix
            yield problem(INVALID, span, unknown, "`recipe-lint rules` lists all names", fix)
        elif not names.suppressible(name):
            help = "remove it here and repair what it reports"
            yield problem(INVALID, span, f"{name} cannot be suppressed", help, fix)
        elif ignore.reason and names.ran(source.path, name) and (ignore.span, name) not in used:
            yield problem(UNUSED, span, f"nothing is left here for {name} to report", "remove the suppression", fix)


def _without(source: Source, ignore: Ignore, name: str) -> Fix:
    """Take one rule out of a suppression; the whole comment if it is the only one."""
    spans = [span for _, span in ignore.names]
    index = next(number for number, (other, _) in enumerate(ignore.names) if other == name)
    if len(spans) == 1:
        return Fix("remove the suppression", True, (_removal(source, ignore),))
    if index + 1 < len(spans):
        span = Span(source.path, spans[index].start, spans[index + 1].start)
    else:
        span = Span(source.path, spans[index - 1].end, spans[index].end)
    return Fix(f"take {name} out of the suppression", True, (Edit(span, ""),))


def _removal(source: Source, ignore: Ignore) -> Edit:
    """Remove the directive with the blanks before it; with its line if it stands alone."""
    start, end = ignore.span.start, ignore.span.end
    line = source.line(start)
    begin = source.line_starts[line - 1]
    if not source.text[begin:start].strip():
        following = source.line_starts[line] if line < len(source.line_starts) else len(source.text)
        return Edit(Span(source.path, begin, following), "")
    while start > begin and source.text[start - 1] in " \t":
        start -= 1
    return Edit(Span(source.path, start, end), "")
