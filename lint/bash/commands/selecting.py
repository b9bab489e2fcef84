"""`select`: a menu whose answers come from the standard input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lint.bash.builtins.input import read
from lint.bash.commands.loops import NAME, Loop, items_of, skip, turns
from lint.bash.commands.simple import Call
from lint.bash.commands.traps import traced
from lint.bash.commands.truth import FAULTS, span_of
from lint.bash.commands.writing import write
from lint.bash.numbers import whole
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.complaints import AssignmentFault
from lint.bash.state.paths import join
from lint.bash.state.state import EMPTY, Flow, State
from lint.bash.state.variables import assign, scalar
from lint.bash.syntax import For
from lint.bash.unknown import is_list
from lint.regular import regular
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator

_NUMBER = regular(r"\s*([-+]?[0-9]+)\s*")


def run_select(evaluator: Evaluator, node: For, state: State, tested: bool) -> list[State]:
    """The turns of a menu, by the answers on its input; where these are not known, any number of turns."""
    state.offset = node.start
    return traced(evaluator, state, node.start, lambda each: _menu(evaluator, node, each, tested))  # once


def _menu(evaluator: Evaluator, node: For, state: State, tested: bool) -> list[State]:
    span = span_of(state, node)
    try:
        items = items_of(evaluator, node, state)
    except FAULTS as fault:
        return evaluator.fail(state, fault, span)
    if not items:
        state.status = 0
        state.loops += 1  # bash forgets that it has left the loop
        return [state]
    if state.inputs.get(state.descriptors.get(0, 0)) is None or any(map(is_list, items)):
        return _unknown_choice(evaluator, node, state, tested)
    if not NAME.fullmatch(node.name):
        state.status = 1
        return [state]
    return turns(evaluator, node, state, tested, lambda before: _chosen(evaluator, node, items, before, span), None)


def _unknown_choice(evaluator: Evaluator, node: For, state: State, tested: bool) -> list[State]:
    span = span_of(state, node)
    loop = Loop(evaluator, node.body, tested, span, [], state.copy())
    skipping = skip(evaluator, node, state)
    assign(state, "REPLY", None, Text((Unknown("answer of the user", Origin(span, "expansion", "REPLY")),)), span)
    choice = Text((Unknown("choice of the user", Origin(span, "expansion", node.name)),))
    start = state.copy()
    first = loop.turn(loop.assigned([state], node.name, choice))
    others = loop.turn(loop.assigned(loop.later(first, start, node.name), node.name, choice))
    return loop.ends(join([skipping, *first, *others]), narrow=True)


def _chosen(evaluator: Evaluator, node: For, items: Sequence[Text], state: State, span: Span) -> list[State]:
    """The paths on which an item is chosen, and those that an error has ended."""
    try:
        return _choose(evaluator, node, items, state, span)
    except AssignmentFault:
        return _left(state)
    except FAULTS as fault:
        return evaluator.fail(state, fault, span)


def _choose(evaluator: Evaluator, node: For, items: Sequence[Text], state: State, span: Span) -> list[State]:
    """Read lines until one is not empty; its number chooses an item. At the end of the input, the loop is left."""
    origin = Origin(span, "expansion", node.name)
    call = Call(evaluator, state, "read", (Text((Known("read", origin),)),), (span,), (), span, False)
    reply: Text | None = EMPTY
    while reply is not None and reply.value == "":
        status = read(call)
        reply = scalar(state, "REPLY", span)
        if isinstance(status, Unknown) or evaluator.budget.exhausted:
            assign(state, node.name, None, Text((Unknown("choice of the user", origin),)), span)
            state.status = status
            return evaluator.decide(state, node)
        if status:
            write(state, 1, Text((Known("\n", origin),)))
            return _left(state)
    number = _NUMBER.fullmatch(reply.value or "") if reply is not None else None
    index = whole(number[1]) if number is not None else 0
    assign(state, node.name, None, items[index - 1] if 0 < index <= len(items) else EMPTY, span)
    state.status = 0
    return [state]


def _left(state: State) -> list[State]:
    state.status, state.flow = 1, Flow("break")
    return [state]
