"""`unset` of variables, functions and elements, and `let`."""

from __future__ import annotations

import re
from collections.abc import Collection

from lint.bash.builtins.operands import behind_dashes
from lint.bash.builtins.option_letters import parted
from lint.bash.commands.simple import Call
from lint.bash.commands.truth import truth
from lint.bash.commands.writing import complain
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.complaints import AssignmentFault, is_readonly
from lint.bash.state.scopes import unset
from lint.bash.state.state import State, Status
from lint.bash.state.unknown_values import unknown_array
from lint.bash.state.variables import Scope, array, resolve
from lint.bash.unknown import places_of_lists
from lint.bash.words.arithmetic import evaluate, evaluated
from lint.bash.words.arithmetic_tokens import ArithmeticFault
from lint.regular import regular

_NAME = regular("[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_ELEMENT = regular(r"[A-Za-z_][A-Za-z0-9_]*\[.*\]", re.ASCII | re.DOTALL)


def unset_builtin(call: Call) -> Status:
    """`unset`, `unset -v`, `unset -f`, `unset -n`, with subscripts."""
    state = call.state
    letters, operands = parted("unset", call.operands)
    if {"f", "v"} <= letters.keys():
        return 1
    status = 0
    for operand in operands:
        value = operand.value
        first = operand.pieces[0] if value is None else None
        if isinstance(first, Known) and (element := re.match(r"([A-Za-z_]\w*)\[", first.text, re.ASCII)):
            name, _ = resolve(state, element[1])
            if name in state.variables:
                reason = f"an element of {name} that is not known was unset"
                state.variables[name] = unknown_array(state.variables[name], reason, call.span)
            continue
        if value is None:
            call.evaluator.budget.report(
                call.span, f"a variable whose name is not known is unset: {operand.shown[:80]}"
            )
            continue
        if not _unset(call, letters, value):
            status = 1
    return status


def _unset(call: Call, letters: Collection[str], value: str) -> bool:
    """Unset what a word names; False if that is an error."""
    state = call.state
    if "f" in letters:
        return _unset_function(state, value)
    if "n" not in letters and value.endswith("]") and "[" in value:
        name, subscript = value[:-1].split("[", 1)
        return not subscript or _unset_element(call, name, subscript, value)
    if not _NAME.fullmatch(value):  # it may be a function's
        return "v" not in letters and _unset_function(state, value)
    if "n" in letters:
        variable = state.variables.get(value)
        if variable is None or not variable.reference:
            return unset(state, value) if variable is None else not variable.readonly
        if variable.readonly:
            return False
        state.variables.pop(value, None)
        return True
    name, element = resolve(state, value)
    if element is not None:
        _unset_element(call, name, element, "")  # that a reference names: without a word
        return True
    if "v" not in letters and value not in state.variables and value in state.functions:
        return _unset_function(state, value)
    return unset(state, value)


def _unset_function(state: State, name: str) -> bool:
    body = state.functions.get(name)
    if body is not None and body.readonly:
        return False
    state.functions.pop(name, None)
    return True


def _unset_element(call: Call, name: str, subscript: str, target: str) -> bool:
    """Unset an element of an array; False if it is none, or the subscript lies before the first. `target`: the word."""
    state = call.state
    name, _ = resolve(state, name)
    value = state.variables.get(name)
    if is_readonly(state, name):
        return False
    if value is None or isinstance(value.content, Text) or value.content is None:
        if subscript == "0":
            return unset(state, name)
        return value is None or not isinstance(value.content, Text)
    if subscript in ("@", "*") and value.kind == "indexed":
        return unset(state, name)
    if value.kind == "associative":
        keyed = {str(key): text for key, text in value.content.items()}
        state.work += len(keyed) >> 5
        key = _subscript(call, target, name, subscript).value
        if key is None:
            reason = f"an element of {name} whose key is not known was unset"
            state.variables[name] = unknown_array(value, reason, call.span)
            return True
        if not key:
            return False
        keyed.pop(key, None)
        state.variables[name] = value._replace(content=keyed)
        return True
    index = evaluated(_subscript(call, target, name, subscript), Scope(state, call.span))
    elements = {int(key): text for key, text in array(state, name, call.span).items()}
    state.work += len(elements) >> 5
    lists = places_of_lists(elements)
    if isinstance(index, int) and index < 0:
        index += max(elements, default=-1) + 1
        if lists and index <= lists[-1]:
            index = lists[-1]
    if isinstance(index, Unknown) or (lists and lists[0] <= index):
        state.variables[name] = unknown_array(value, f"an element of {name} that is not known was unset", call.span)
        return True
    if index < 0:
        return False
    elements.pop(index, None)
    state.variables[name] = value._replace(content=elements)
    return True


def _subscript(call: Call, target: str, name: str, subscript: str) -> Text:
    """A subscript in the word `target`: expanded once more, unless the word itself is written as an element
    (`unset map[$key]`), and has been expanded as one."""
    if any(
        word.value == target and _ELEMENT.match(call.state.unit.source.text, span.start, span.end)
        for word, span in zip(call.words, call.word_spans, strict=False)
    ):
        return Text((Known(subscript, Origin(call.span, "literal")),))
    return call.evaluator.expander.subscript(call.state, name, subscript, call.span)


def let(call: Call) -> Status:
    """`let`: the status of the last expression."""
    status: Status = 1
    for operand in behind_dashes(call.operands):
        try:
            status = truth(evaluate(operand, Scope(call.state, call.span, call.evaluator.expander.subscript)))
        except (ArithmeticFault, AssignmentFault):
            complain(call.state, call.span)
            return 1
    call.state.doubted = None  # an error would be a status, too
    return status


BUILTINS = {
    "unset": unset_builtin,
    "let": let,
}
