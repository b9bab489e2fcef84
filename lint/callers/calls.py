"""The calls of a script: each way in which a step of a workflow starts it.

A step is read as bash would run it, with a stand-in for every script of the repository: what reaches the stand-in,
through whatever launchers, loops and functions, is what the script is given.
"""

from __future__ import annotations

import os
import posixpath
import shlex
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from lint.bash.evaluator import read
from lint.bash.files import Checkout, real_path
from lint.bash.parser import parse
from lint.bash.reading import Known, Origin, Piece, Reading, Text, Unknown
from lint.bash.syntax import Assignment, Script
from lint.bash.walk import Nodes
from lint.callers import expressions
from lint.callers.mentions import mentions, text_of
from lint.callers.workflows import Step, steps
from lint.callers.written import Part, Written, replaced
from lint.files import discovery
from lint.frozen import frozen
from lint.launch.written import as_written
from lint.text import Source, Span

UNKNOWN = "WORKFLOW_EXPRESSION"
"""The variable that stands for an expression which only a run can tell."""
EXPRESSION = "an expression of the workflow"
CALLED = "called"
NOT_THERE = " is run as a script, but is not a file of the checkout"
STAND_IN = f'{CALLED} "$@"\n'


@frozen
class Call:
    """One way in which a workflow starts a script."""

    script: str  # relative to the repository
    span: Span  # of the command, in the workflow
    job: str
    environment: Mapping[str, Text]  # of the script
    places: Mapping[str, Span]  # where each of these variables is given
    arguments: tuple[Text, ...]  # with their places in the workflow
    labels: tuple[str, ...]  # of the runners


def calls_of(path: str, root: str) -> tuple[Call, ...]:
    """How the workflows of a repository (its top folder) start the script at `path`."""
    name = os.path.basename(path)
    workflows = mentions(root).get(os.fsencode(name), ())
    script = real_path(os.path.abspath(path))
    calls = (call for workflow in workflows for call in calls_in(workflow, name, root))
    return tuple(call for call in calls if real_path(os.path.join(root, call.script)) == script)


@lru_cache(maxsize=256)
def steps_in(path: str) -> tuple[Step, ...]:
    """The steps of a workflow."""
    return tuple(steps(Source.decode(path, text_of(path))))


@lru_cache(maxsize=256)
def calls_in(path: str, name: str, root: str) -> tuple[Call, ...]:
    """The calls of all scripts in those steps of a workflow that name one of them, each once."""
    found: list[Call] = []
    for number, step in enumerate(steps_in(path)):
        if _names(step, name):
            found += [call for call in started_in(path, number, root).calls if call not in found]
    return tuple(found)


def _names(step: Step, name: str) -> bool:
    """Whether a step names a script: in its text, a variable, or its row of the matrix."""
    return any(
        text is not None and name in text for text in (step.text.text, *step.environment.values(), *step.names.values())
    )


@lru_cache(maxsize=256)
def missing_in(path: str, root: str) -> tuple[tuple[Span, str], ...]:
    """The scripts that the steps of a workflow start and that the repository does not have: where, and which.

    An absolute path is one of the runner.
    """
    found: dict[tuple[Span, str], None] = {}
    for number, step in enumerate(steps_in(path)):
        if ".sh" in step.text.text:
            found.update(dict.fromkeys(started_in(path, number, root).missing))
    return tuple(found)


@frozen
class Started:
    """The scripts that a step starts: those of the repository, and those that it does not have with their places."""

    calls: tuple[Call, ...]
    missing: tuple[tuple[Span, str], ...]


@lru_cache(maxsize=1024)
def started_in(path: str, number: int, root: str) -> Started:
    """What a step of a workflow starts. It is read once, however many scripts it names."""
    step = steps_in(path)[number]
    text, script, reading = _reading(path, step, root)
    return Started(tuple(_calls(step, text, script, reading)), tuple(_missing(path, text, reading)))


def _missing(path: str, text: Written, reading: Reading) -> Iterator[tuple[Span, str]]:
    shown = discovery.shown_path(path)
    for unchecked in reading.unchecked:
        script = unchecked.reason.removesuffix(NOT_THERE)
        if script != unchecked.reason and not script.startswith("/"):
            start, end = (text.place(offset) for offset in (unchecked.span.start, unchecked.span.end))
            yield Span(shown, start, end), script


def _reading(path: str, step: Step, root: str) -> tuple[Written, Script, Reading]:
    """The text of a step as it was read, its tree, and what it does."""
    text = replaced(step.text, lambda expression: _as_bash(expressions.value(expression, step.names)))
    if step.folder:
        text = Written((Part(f"cd {shlex.quote(step.folder)}\n", 0, False), *text.parts))
    script = parse(Source(path, text.text))
    reading = read(
        script,
        environment={name: value for name, value in step.environment.items() if value is not None},
        files=StandIns(Checkout(Path(root), Path(root))),
        required_as_unknown={UNKNOWN, *(name for name, value in step.environment.items() if value is None)},
    )
    return text, script, reading


def _calls(step: Step, text: Written, script: Script, reading: Reading) -> Iterator[Call]:
    source = script.source
    assignments = tuple(Nodes(script.body).of(Assignment))
    shown = discovery.shown_path(source.path)
    for command in reading.commands:
        if command.span.path != source.path and command.called_from and command.words[0].value == CALLED:
            written = command.called_from[0]
            place = Span(shown, text.place(written.start), text.place(written.end))
            yield Call(
                script=command.span.path,
                span=place,
                job=step.job,
                environment={
                    **{name: _text(value, place) for name, value in step.environment.items()},
                    **{
                        name: _placed(word, source, text, place)
                        for name, word in command.environment.items()
                        if name != UNKNOWN
                    },
                },
                places={
                    **dict.fromkeys((*step.environment, *command.environment), place),
                    **{name: Span(shown, *entry) for name, entry in step.entries.items()},
                    **{
                        one.name: Span(shown, text.place(one.start), text.place(one.end))
                        for one in assignments
                        if _gives(one, command.environment.get(one.name), source)
                    },
                },
                arguments=tuple(_placed(word, source, text, place) for word in command.words[1:]),
                labels=step.labels,
            )


def _as_bash(value: str | None) -> str:
    return f"${{{UNKNOWN}}}" if value is None else value


def _gives(assignment: Assignment, word: Text | None, source: Source) -> bool:
    """Whether a variable has its value from an assignment of the step."""
    spans = () if word is None else (piece.origin.span for piece in word.pieces)
    return any(span.path == source.path and assignment.start <= span.start < assignment.end for span in spans)


def _text(value: str | None, call: Span) -> Text:
    """What `env:` of the workflow gives."""
    origin = Origin(call, "literal")
    return Text((Unknown(EXPRESSION, origin) if value is None else Known(value, origin),))


def _placed(word: Text, source: Source, text: Written, call: Span) -> Text:
    """A word as it stands in the workflow, what is made elsewhere at the call."""
    pieces: list[Piece] = []
    for piece in as_written(word).pieces:
        span = piece.origin.span
        inside = span.path == source.path
        place = Span(call.path, text.place(span.start), text.place(span.end)) if inside else call
        origin = Origin(place, "literal" if isinstance(piece, Known) else piece.origin.kind, piece.origin.name)
        if isinstance(piece, Known) and UNKNOWN not in piece.text:
            pieces.append(Known(piece.text, origin))
        else:
            by_run = isinstance(piece, Unknown) and UNKNOWN in piece.reason
            reason = EXPRESSION if isinstance(piece, Known) or by_run else piece.reason
            pieces.append(Unknown(reason, origin))
    return Text(tuple(pieces))


@frozen
class StandIns:
    """A checkout in which every script is one that shows what it was given."""

    checkout: Checkout

    def read(self, path: str) -> Source | None:
        return Source(posixpath.normpath(path), STAND_IN) if self.checkout.exists(path) else None

    def exists(self, path: str) -> bool | None:
        return self.checkout.exists(path)

    def names(self, directory: str) -> Collection[str] | None:
        return self.checkout.names(directory)
