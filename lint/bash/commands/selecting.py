"""`select`: a menu whose answers come from the standard input."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lint.bash.builtins.input import read
from lint.bash.commands.simple import Call, write
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.state import EMPTY, Flow, State
from lint.bash.state.variables import AssignmentFault, assign, scalar
from lint.bash.syntax import For
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator

_NUMBER = re.compile(r"\s*([-+]?[0-9]+)\s*")


def choose(evaluator: Evaluator, node: For, items: Sequence[Text], state: State, span: Span) -> list[State]:
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
    index = int(number[1]) if number is not None else 0
    try:
        assign(state, node.name, None, items[index - 1] if 0 < index <= len(items) else EMPTY, span)
    except AssignmentFault:
        return _left(state)
    state.status = 0
    return [state]


def _left(state: State) -> list[State]:
    state.status, state.flow = 1, Flow("break")
    return [state]
