"""Assignments of the script: `name=value`, `name[subscript]=value`, `name=(...)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lint.bash.budget import WORDS
from lint.bash.commands.writing import complain
from lint.bash.faults import Rejected
from lint.bash.reading import Text, Unknown
from lint.bash.state.complaints import OWN, AssignmentFault, BadSubscript, check_writable
from lint.bash.state.state import State, Value
from lint.bash.state.unknown_values import unknown_array
from lint.bash.state.variables import (
    ALWAYS_EXPORTED,
    LONGEST_PIECES,
    Scope,
    assign,
    bounded,
    converted,
    resolve,
)
from lint.bash.syntax import ArrayElement, ArrayLiteral, Assignment, Literal, Quoted, Word
from lint.bash.words.arithmetic import evaluated
from lint.bash.words.manner import ELEMENT, IS_EXPANDED, VALUE
from lint.bash.words.special import COMPUTED
from lint.bash.words.subscripts import unquoted
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator

_NEW = Value(None)
_SET_BY_BASH = COMPUTED | ALWAYS_EXPORTED | OWN


def assign_node(
    evaluator: Evaluator, state: State, node: Assignment, kept: dict[str, Value | None] | None = None
) -> None:
    """Carry out an assignment of the script. `kept`: it stands before a command, and what it hides is noted there."""
    if isinstance(node.value, ArrayLiteral):
        name, _ = resolve(state, node.name)
        value = state.variables.get(name)
        if value is not None and isinstance(value.content, Text) and not value.readonly:
            # it is an array before anything in the parentheses is expanded
            state.variables[name] = value.holding({0: value.content}, "indexed")
        span = state.unit.span(node.start, node.end)
        assign_array(evaluator, state, node.name, node.value, node.append, span)
        return
    joins = state.joins
    text = evaluator.expander.text(state, node.value, VALUE)
    if joins and not IS_EXPANDED.search(state.unit.source.text, node.value.start, node.value.end):
        state.joins = joins
    evaluator.budget.steps -= len(text.pieces) >> 5
    if kept is not None:  # once its value is expanded, which may set the variable itself
        hidden = kept.setdefault(node.name, state.variables.get(node.name))
        if hidden is not None and not node.append and node.subscript is None:
            state.variables[node.name] = hidden._replace(integer=False, case="")  # what the command gets is plain text
    if node.subscript is None and not node.append and _put(state, node.name, text):
        return
    span = state.unit.span(node.start, node.end)
    key, expand = subscript_of(evaluator, state, node), evaluator.expander.subscript
    assign(state, node.name, key, bounded(text, span), span, node.append, expand)


def _put(state: State, name: str, text: Text) -> bool:
    """`name=text` for a scalar without attributes, as `assign` does it; False where that has more to do."""
    value = state.variables.get(name, _NEW)
    special = value.kind != "scalar" or value.readonly or value.integer or value.case or value.reference
    if special or name in _SET_BY_BASH or len(text.pieces) > LONGEST_PIECES:
        return False
    state.variables[name] = Value(text, exported=value.exported or "allexport" in state.options)
    return True


def subscript_of(evaluator: Evaluator, state: State, node: Assignment) -> Text | None:
    """The subscript of an assignment: a key, or an expression."""
    if node.subscript is None:
        return None
    target = state.variables.get(resolve(state, node.name)[0])
    if target is not None and target.kind == "associative":
        return evaluator.expander.key(state, node.subscript)
    if node.subscript.start == node.subscript.end:
        raise BadSubscript(f"{node.name}[]: bad array subscript")
    return evaluator.expander.index(state, node.subscript)


def assign_array(
    evaluator: Evaluator, state: State, name: str, node: ArrayLiteral, append_to: bool, span: Span, kind: str = ""
) -> None:
    """`name=(...)`. Raises AssignmentFault."""
    name, subscript = resolve(state, name)
    if subscript is not None:
        raise AssignmentFault(f"{name}[{subscript}]: not a valid identifier")
    check_writable(state, name)
    value = state.variables.get(name) or Value(None, exported="allexport" in state.options)
    if kind == "associative" or value.kind == "associative":
        value = value._replace(kind="associative")
        declared = kind == "associative"
        state.variables[name] = _associative(evaluator, state, name, value, node, append_to, span, declared)
        return
    expanded = [_expanded(evaluator, state, element) for element in node.elements]  # all of them come first
    value = state.variables.get(name) or value  # which they may have changed
    if sum([len(texts) for _, _, texts in expanded]) > WORDS:
        evaluator.budget.report(span, f"an array of more than {WORDS} elements")
        state.variables[name] = unknown_array(value, f"elements of {name}, which is too long to read", span)
        return
    elements: dict[int, Text] = {}
    if append_to and isinstance(value.content, Text):
        elements[0] = value.content
    elif append_to and value.content is not None:
        elements = dict(value.content)  # type: ignore[arg-type]
    following = max(elements, default=-1) + 1
    changes = value.integer or value.case != ""
    for element, key, texts in expanded:
        if key is not None:
            state.variables[name] = value.holding(elements, "indexed")  # a subscript sees what was assigned before it
            if key.value is not None and unquoted(key.value) in ("@", "*"):
                _complain_of_key(state, f"{name}[{key.value}]: cannot assign to non-numeric index", span)
                continue  # bash goes on with the next element
            if key.value == "":
                _complain_of_key(state, f"{name}[]: bad array subscript", span)
                continue
            index = evaluated(key, Scope(state, span))
            if isinstance(index, Unknown):
                state.variables[name] = unknown_array(value, f"an element of {name} whose index is not known", span)
                return
            if index < 0:
                index += max(elements, default=-1) + 1
            if index < 0:
                _complain_of_key(state, f"{name}[{key.shown}]: bad array subscript", span)
                continue
            following = index
        for text in texts:
            old = elements.get(following) if key is not None and element.append else None
            elements[following] = text if old is None and not changes else converted(state, value, old, text, span)
            following += 1
    evaluator.budget.steps -= len(elements) >> 9
    state.variables[name] = value.holding(elements, "indexed")


def _expanded(
    evaluator: Evaluator, state: State, element: ArrayElement
) -> tuple[ArrayElement, Text | None, Sequence[Text]]:
    """An element of an indexed array: its subscript, if it has one, and its values."""
    expander = evaluator.expander
    if element.subscript is None:
        return element, None, expander.fields(state, element.value, element=True)
    parts = element.value.parts
    if expander.alternatives(state, element.value) != [parts]:
        # what comes out of braces is no assignment any more, though bash has quoted the brackets
        return element, None, expander.fields(state, _whole(element), element=True)
    return element, expander.index(state, element.subscript), [expander.text(state, element.value, ELEMENT)]


def _whole(element: ArrayElement) -> Word:
    """An element as a word that assigns nothing."""
    if element.subscript is None:
        return element.value
    start, end = element.start, element.value.start
    opening = Quoted(start, start + 1, "[")
    closing = Quoted(element.subscript.end, end, "]")
    equals = Literal(end, end, "+=" if element.append else "=")
    return Word(start, element.end, (opening, *element.subscript.parts, closing, equals, *element.value.parts))


def _associative(
    evaluator: Evaluator,
    state: State,
    name: str,
    value: Value,
    node: ArrayLiteral,
    append_to: bool,
    span: Span,
    declared: bool,
) -> Value:
    """The value of an associative array. `declared`: by `declare -A`, which expands all before it looks at a key."""
    elements = dict(_keyed(value)) if append_to else {}
    for key_word, value_word, appends in _pairs(state, node):
        if key_word is None:
            _complain_of_key(state, f"{name}: must use subscript when assigning associative array", span)
            continue
        key = evaluator.expander.key(state, key_word).value
        if key == "" and (not declared or "errexit" in state.options):
            _complain_of_key(state, f"{name}[]: bad array subscript", span)
            continue  # bash goes on with the next element
        text = Text(()) if value_word is None else evaluator.expander.key(state, value_word)
        if key is None:
            return unknown_array(value, "an element whose key is not known", span)
        if not key:
            continue
        current = _keyed(state.variables.get(name))  # beside what expansions have set in it
        if append_to:
            elements = dict(current)
            evaluator.budget.steps -= len(elements) >> 9
        elements[key] = converted(state, value, current.get(key) if appends else None, text, span)
        if append_to:  # what follows sees it
            state.variables[name] = value.holding(elements, value.kind)
    return value.holding(elements, value.kind)


def _pairs(state: State, node: ArrayLiteral) -> Iterator[tuple[Word | None, Word | None, bool]]:
    """Keys and values of an associative array, and whether `+=` stands between them. None: there is no such word.

    The first element decides: behind one without a subscript, all are keys and values in turn.
    """
    elements = node.elements
    if elements and (elements[0].subscript is not None or state.unit.source.text.startswith("[", elements[0].start)):
        for element in elements:
            yield element.subscript, element.value, element.append
        return
    words = [_whole(element) for element in elements]
    for index in range(0, len(words), 2):
        yield words[index], words[index + 1] if index + 1 < len(words) else None, False


def _complain_of_key(state: State, message: str, span: Span) -> None:
    """Say that a key is wrong, which ends the script under `set -e`."""
    if "errexit" in state.options:
        raise Rejected(message)
    complain(state, span)


def _keyed(value: Value | None) -> Mapping[str, Text]:
    """The elements of an associative array, if it is one that is known."""
    if value is None or value.content is None or isinstance(value.content, Text):
        return {}
    return {str(key): text for key, text in value.content.items()}
