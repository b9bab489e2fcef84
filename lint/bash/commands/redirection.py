"""Redirections: which descriptor reads which text, and where output goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lint.bash.commands import processes
from lint.bash.commands.truth import FAULTS
from lint.bash.commands.writing import complain
from lint.bash.numbers import whole
from lint.bash.reading import Known, Origin, OutputRedirection, Text, Unknown
from lint.bash.state import written
from lint.bash.state.complaints import AssignmentFault
from lint.bash.state.places import key_of
from lint.bash.state.state import State
from lint.bash.state.variables import assign
from lint.bash.syntax import Command, HereDocument, Redirection
from lint.bash.unknown import Pipe
from lint.bash.words.manner import VALUE

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator

STANDARD = 2  # the descriptors up to here are open in every process
NOWHERE = 0  # the stream of what is not read again: devices, and files that nobody can name


class Ambiguous(Exception):
    """A redirection to no word, or to more than one: its command is not run, its exit status is 1."""


def redirected(
    evaluator: Evaluator,
    state: State,
    node: Command,
    redirections: Sequence[Redirection],
    run: Callable[[State], list[State]],
) -> list[State]:
    """Run a compound command with redirections, which end with it."""
    before, unit = dict(state.descriptors), state.unit
    if unit.asks_for_lines:
        state.unit = replace(unit, counted=False)  # LINENO is what it was last, or where bash has come to read
    try:
        apply(evaluator, state, redirections)
    except FAULTS as fault:
        return evaluator.fail(state, fault, state.unit.span(redirections[0].start, redirections[-1].end))
    except Ambiguous:
        state.status = 1
        evaluator.unopened = node
        return [state]
    finally:
        state.unit = unit
    taken = changed(redirections, before, state.descriptors)
    states = run(state)
    for end in states:
        restore(end, before, taken)
    return states


def changed(
    redirections: Sequence[Redirection], before: Mapping[int, int], after: Mapping[int, int]
) -> Collection[int]:
    """The descriptors that redirections change: what `exec` makes of others meanwhile stays."""
    named = {node.descriptor for node in redirections if isinstance(node.descriptor, int)}
    found = {number for number in (*before, *after) if before.get(number) != after.get(number)}
    usual = {0 if node.operator.startswith("<") else 1 for node in redirections if node.descriptor is None}
    return named | found | usual


def restore(state: State, before: Mapping[int, int], taken: Collection[int]) -> None:
    """The end of redirections: the descriptors that they took are as before, and streams that none leads to go."""
    descriptors = {number: stream for number, stream in state.descriptors.items() if number not in taken}
    descriptors.update((number, before[number]) for number in taken if number in before)
    kept = set(descriptors.values())
    for stream in state.descriptors.values():
        if stream and stream not in kept:
            state.inputs.pop(stream, None)
            if stream in state.opened:
                state.opened = {other: key for other, key in state.opened.items() if other != stream}
            if stream in state.sources:
                state.sources = {other: key for other, key in state.sources.items() if other != stream}
    state.descriptors = descriptors


def apply(evaluator: Evaluator, state: State, redirections: Sequence[Redirection]) -> tuple[OutputRedirection, ...]:
    """Change the descriptors of a state; the redirections that write are returned. An error leaves all as it was."""
    before = dict(state.descriptors)
    try:
        return _applied(evaluator, state, redirections)
    except Ambiguous:
        complain(state, state.unit.span(redirections[0].start, redirections[-1].end))
        restore(state, before, (*before, *state.descriptors))
        raise
    except FAULTS:
        restore(state, before, (*before, *state.descriptors))
        raise


def _applied(evaluator: Evaluator, state: State, redirections: Sequence[Redirection]) -> tuple[OutputRedirection, ...]:
    outputs: list[OutputRedirection] = []
    for node in redirections:
        target = _target(evaluator, state, node)
        descriptor = node.descriptor
        if isinstance(descriptor, str):
            number = Text(
                (Unknown("number of a descriptor", Origin(state.unit.span(node.start, node.end), "literal")),)
            )
            try:
                assign(state, descriptor, None, number, state.unit.span(node.start, node.end))
            except AssignmentFault:
                raise Ambiguous from None
            descriptor = None
        elif node.operator.startswith("<") or node.operator == "<>":
            _input(evaluator, state, node.operator, 0 if descriptor is None else descriptor, target)
            continue
        else:
            _output(evaluator, state, node.operator, descriptor, target)
        if node.operator not in ("<", "<<", "<<-", "<<<", "<&"):
            span = state.unit.span(node.start, node.end)
            outputs.append(OutputRedirection(node.operator, descriptor, target, span))
    return tuple(outputs)


def _target(evaluator: Evaluator, state: State, node: Redirection) -> Text:
    if isinstance(node.target, HereDocument):
        return evaluator.expander.document(state, node.target.parts)
    if node.operator == "<<<":
        text = evaluator.expander.text(state, node.target, VALUE)
        return Text((*text.pieces, Known("\n", Origin(state.unit.span(node.start, node.end), "literal"))))
    fields = evaluator.expander.fields(state, node.target)
    if len(fields) != 1:
        shown = state.unit.source.text[node.target.start : node.target.end]
        span = state.unit.span(node.start, node.end)
        reason = f"ambiguous redirect: {shown} is {len(fields)} words, so the command does not run"
        evaluator.budget.report(span, reason, lost=False)
        raise Ambiguous
    if fields[0].value == "":
        raise Ambiguous  # no file has an empty name
    return fields[0]


def _input(evaluator: Evaluator, state: State, operator: str, descriptor: int, target: Text) -> None:
    if operator == "<&":
        _duplicate(evaluator, state, descriptor, target)
        return
    stream = processes.new_stream(evaluator)
    state.descriptors[descriptor] = stream
    if operator == "<>":
        state.outputs[stream] = None
    if operator in ("<<", "<<-", "<<<"):
        state.inputs[stream] = target
        return
    if target.value == "/dev/null":
        state.inputs[stream] = Text(())
    elif operator == "<" and written.is_missing(evaluator, state, target):
        raise Ambiguous
    else:
        state.inputs[stream] = read_from(evaluator, state, target)
        key = key_of(state, target)
        if key is not None and operator == "<>":
            written.spoil(state, key)  # what is written through it is not followed
        elif key is not None:
            state.sources = {**state.sources, stream: key}


def read_from(evaluator: Evaluator, state: State, name: Text) -> Text | None:
    """What a file holds, or the pipe that `<(...)` stands for; None if it is not known."""
    piped = piped_text(state, name)
    return written.content(evaluator, state, name) if piped is None else piped


def piped_text(state: State, name: Text) -> Text | None:
    """What can be read from the file that `<(...)` stands for."""
    only = name.pieces[0] if len(name.pieces) == 1 else None
    return state.inputs.get(only.stream) if isinstance(only, Pipe) else None


def _output(evaluator: Evaluator, state: State, operator: str, descriptor: int | None, target: Text) -> None:
    value = target.value
    if operator == ">&" and value is not None and (value.isdecimal() or value.rstrip("-").isdecimal() or value == "-"):
        _duplicate(evaluator, state, 1 if descriptor is None else descriptor, target)
    elif operator in ("&>", "&>>") or (operator == ">&" and descriptor is None):
        state.descriptors[1] = state.descriptors[2] = _file(evaluator, state, operator, target)
        written.spoil_stream(state, state.descriptors[1])
    elif value in ("/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"):
        number = "2" if value in ("/dev/stderr", "/dev/fd/2") else "1"
        _duplicate(
            evaluator, state, 1 if descriptor is None else descriptor, Text((Known(number, target.pieces[0].origin),))
        )
    else:
        state.descriptors[1 if descriptor is None else descriptor] = _file(evaluator, state, operator, target)
        if descriptor == 2:
            written.spoil_stream(state, state.descriptors[2])  # what the shell complains about is not known


def _file(evaluator: Evaluator, state: State, operator: str, target: Text) -> int:
    """A stream to a file."""
    stream = processes.new_stream(evaluator)
    if operator == ">" and "noclobber" in state.options and written.find(evaluator, state, target) is not None:
        raise Ambiguous
    opened = written.open_for_output(evaluator, state, target, operator in (">>", "&>>", "<>"), stream)
    return stream if opened else NOWHERE


def _duplicate(evaluator: Evaluator, state: State, descriptor: int, target: Text) -> None:
    value = target.value
    if value is None or (value == "-" and descriptor <= STANDARD):
        state.descriptors[descriptor] = NOWHERE
        return
    if value == "-":
        state.descriptors.pop(descriptor, None)
        return
    if not re.fullmatch("[0-9]+-*", value):
        raise Ambiguous
    source = whole(value.rstrip("-"))
    if source in state.descriptors:
        state.descriptors[descriptor] = state.descriptors[source]
        if descriptor == 2:
            written.spoil_stream(state, state.descriptors[2])
    elif source > STANDARD:
        span = target.pieces[0].origin.span
        reason = f"nothing has opened the descriptor {source}: the command does not run"
        evaluator.budget.report(span, reason, lost=False)
        raise Ambiguous
    elif descriptor > STANDARD:
        state.descriptors[descriptor] = NOWHERE
    else:
        state.descriptors.pop(descriptor, None)
    if value.endswith("-") and source > STANDARD:
        state.descriptors.pop(source)
