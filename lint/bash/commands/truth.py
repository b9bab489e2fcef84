"""Exit statuses of conditions: numbers as truth, and the order of the ways that a condition opens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lint.bash.commands.writing import complain
from lint.bash.faults import Fatal
from lint.bash.reading import GIVES_UP, Text, Unknown
from lint.bash.state.complaints import AssignmentFault
from lint.bash.state.state import State
from lint.bash.state.variables import Unbound
from lint.bash.syntax import Command, Statement, Word
from lint.bash.unknown import ExitStatus, likely_text
from lint.bash.words.arithmetic import Number
from lint.bash.words.arithmetic_tokens import ArithmeticFault, LastingFault
from lint.regular import regular
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator

_COMPARED = regular(r"\b([A-Z][A-Z0-9_]*)\b\}?\s*(?:==|!=|[<>](?![<>]))", re.ASCII)
FAULTS = (Fatal, Unbound, ArithmeticFault, LastingFault, AssignmentFault)


def span_of(state: State, node: Command | Statement | Word) -> Span:
    return state.unit.span(node.start, node.end)


def decided_by(evaluator: Evaluator, state: State, condition: Sequence[Statement]) -> list[State]:
    """Fork on the status of the last statement of a condition."""
    return evaluator.decide(state, condition[-1]) if condition else [state]


def in_order(states: list[State]) -> list[State]:
    """The states, the one under the fewest conditions (the first path) first."""
    if len(states) > 1:
        states.sort(key=lambda state: len(state.conditions))
    return states


def arithmetic_status(evaluator: Evaluator, state: State, expression: Word, node: Command | Word) -> list[State]:
    """`((...))`: true if the value is not 0."""
    for found in _COMPARED.finditer(state.unit.source.text, expression.start, expression.end):
        evaluator.asked(state, found[1], span_of(state, expression))
    value = arithmetic_value(evaluator, state, expression, node)
    if value is not None:
        state.status = truth(value)
    state.doubted = None  # an error would be a status, too
    return [state]


def arithmetic_value(evaluator: Evaluator, state: State, expression: Word, node: Command | Word) -> Number | None:
    """The value of an expression; None after an error, which gives the status 1 and may end more than the command."""
    try:
        return evaluator.expander.arithmetic(state, expression)
    except (ArithmeticFault, AssignmentFault) as fault:
        evaluator.budget.report(fault.span or span_of(state, node), f"{GIVES_UP}{fault}", lost=False)
        complain(state, span_of(state, node))
        state.status = 1
    except FAULTS as fault:
        evaluator.fail(state, fault, span_of(state, node))
    return None


def truth(value: Number) -> int | Unknown:
    """The exit status that a number stands for."""
    if isinstance(value, Unknown):
        likely = likely_text(Text((value,)))
        return ExitStatus(f"truth of {value.reason}", value.origin, likely=0 if likely.strip("0") else 1)
    return int(value == 0)
