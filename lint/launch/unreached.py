"""Launches that stand in a script and that no reading came to: they are named, never passed over in silence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from lint.bash.reading import Known, Origin, Reading, RunCommand, Text, Unchecked, Unknown
from lint.bash.syntax import Assignment, Function, Script, SimpleCommand, Word
from lint.bash.walk import Nodes, constant
from lint.launch.find import find, known_entry_points
from lint.launch.launch import Launch
from lint.launch.started import started_program
from lint.regular import regular
from lint.text import Span

MOST_ENDS = 3  # that are named as the reason
_TALK = frozenset(("echo", "printf", "cat", "log", "info", "grep", "pgrep", "pkill", "kill", "ps", "awk", "sed", "die"))
_NAME = r"[A-Za-z_][\w.]*"
_MODULE = regular(rf"-[A-Za-z]{{0,9}}?m[\s\"']*({_NAME})")  # `-um NAME` and `-mNAME`, too
_PYTHON = regular(  # that is given to `python -c` or on standard input
    rf"\bfrom[ \t]+({_NAME})[ \t]+import\b[\w ,()]{{0,80}}?\b(?:main|run_\w+)\b"
    rf"|\bimport[ \t]+({_NAME})(?=[^\w.](?s:.){{0,200}}?\.(?:main|run_\w+)\()"
    rf"|\brun_module\([\s\"'\\]*({_NAME})"
)
_IN_PYTHON = ("import", "run_module(")
"""What text holds that `_PYTHON` is found in, as to look for it takes long."""


def unreached(
    script: Script, nodes: Nodes, readings: Sequence[Reading], launches: Iterable[Launch]
) -> Iterator[Unchecked]:
    """Every place that starts a trainer if it is run, where no reading runs it, with the reason.

    So is a trainer that is named inside a text (a document that is written to a file, a command that is typed into
    another terminal), unless a launch was read there.
    """
    commands = list(nodes.of(SimpleCommand))
    found = list(launches)
    read = {launch.command.span for launch in found}
    written = [command for command in commands if _span(script, command) in read or _is_launch(script, command)]
    missed = [command for command in written if _span(script, command) not in read]
    for command in missed:
        yield Unchecked(_span(script, command), f"this launch is not read: {_reason(script, nodes, readings, command)}")
    places = [launch.entry_span for launch in found] + [_span(script, command) for command in written]
    here = [place for place in places if place.path == script.source.path]
    named = [
        found.span() for found in _started(script.source.text) if known_entry_points().intersection(found.groups())
    ]
    left = [(start, end) for start, end in named if not any(one.start < end and start < one.end for one in here)]
    for start, end in _said(script, commands, left) if left else ():
        reason = "a trainer is named here, but nothing that was read starts it"
        yield Unchecked(Span(script.source.path, start, end), reason)


def _started(text: str) -> Iterator[re.Match[str]]:
    """Where text names modules as what is started."""
    yield from _MODULE.finditer(text)
    if any(sign in text for sign in _IN_PYTHON):
        yield from _PYTHON.finditer(text)


def _span(script: Script, command: SimpleCommand) -> Span:
    return Span(script.source.path, command.start, command.end)


def _is_launch(script: Script, command: SimpleCommand) -> bool:
    """Whether a command starts a trainer, as far as it can be told without evaluating it."""
    written = [(word, constant(word)) for word in command.words if isinstance(word, Word)]
    if started_program([text for _, text in written]) is None:
        return False
    words, spans = [], []
    for word, text in written:
        span = Span(script.source.path, word.start, word.end)
        origin = Origin(span, "literal")
        words.append(Text((Unknown("not evaluated", origin, True) if text is None else Known(text, origin),)))
        spans.append(span)
    return find(RunCommand(_span(script, command), tuple(words), tuple(spans), {}, {})) is not None


def _reason(script: Script, nodes: Nodes, readings: Sequence[Reading], command: SimpleCommand) -> str:
    span = _span(script, command)
    for reading in readings:
        for run in reading.commands:
            if run.span == span:
                return f"as it stands it starts `{run.words[0].shown}`"
    around = [found for found in nodes.of(Function) if found.start <= command.start and command.end <= found.end]
    called = {constant(other.words[0]) for other in nodes.of(SimpleCommand) if other.words}
    for function in around:
        if function.name not in called:
            return f"nothing in this script calls the function {function.name}"
    source = script.source
    ends = sorted({end for reading in readings for end in reading.ends if not _inside(end, command)})
    before = [end for end in ends if end.path != source.path or around or end.start < command.start]
    if not before:
        return "no way through the script that was read comes here"
    named = ", ".join(_place(script, end) for end in before[:MOST_ENDS])
    return f"the script ends before it, {named}{', ...' if len(before) > MOST_ENDS else ''}"


def _inside(end: Span, command: SimpleCommand) -> bool:
    return command.start <= end.start < command.end


def _place(script: Script, end: Span) -> str:
    if end.path != script.source.path:
        return f"in {end.path}"
    line = script.source.line(end.start)
    return f"in line {line}: {script.source.line_text(line).strip()[:60]}"


def _said(
    script: Script, commands: Sequence[SimpleCommand], places: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The places outside comments and outside what is only printed or searched for."""
    ignored = [(comment.start, comment.end) for comment in script.comments]
    ignored += [(command.start, _end(command)) for command in commands if _only_talks(command)]
    ignored.sort()
    starts = [start for start, _ in ignored]
    for start, end in places:
        index = bisect_right(starts, start) - 1
        if index < 0 or ignored[index][1] <= start:
            yield start, end


def _only_talks(command: SimpleCommand) -> bool:
    """Whether a command prints its words or its document, or looks for them."""
    first = command.words[0] if command.words else None
    written = any(redirection.operator.startswith((">", "&>")) for redirection in command.redirections)
    return not isinstance(first, Assignment) and constant(first) in _TALK and not written


def _end(command: SimpleCommand) -> int:
    """The end of a command with the documents that it is given; one without an end has swallowed what follows."""
    documents = [redirection.target for redirection in command.redirections]
    return max([command.end, *(one.end for one in documents if isinstance(one, Word) or one.terminated)])
