"""`declare`, `typeset`, `local`, `export`, `readonly`."""

from __future__ import annotations

import re
from typing import TypeAlias

from lint.bash.builtins.declarations import (
    WITHOUT_SUBSCRIPTS,
    Wanted,
    export_functions,
    functions,
    list_all,
    print_declarations,
    split,
)
from lint.bash.builtins.quoted_lists import list_assigned
from lint.bash.builtins.targets import check_reference
from lint.bash.commands.assigning import assign_array, subscript_of
from lint.bash.commands.simple import Argument, Call
from lint.bash.faults import NoMatch
from lint.bash.reading import Known, Origin, Text
from lint.bash.state.complaints import AssignmentFault, ReadonlyFault, bad_subscript, check_writable, is_readonly
from lint.bash.state.scopes import make_local
from lint.bash.state.state import Case, Status, Value
from lint.bash.state.variables import assign, resolve, scalar
from lint.bash.syntax import ArrayLiteral, Assignment, Literal, Part, Quoted
from lint.bash.unknown import ExitStatus
from lint.bash.words.manner import DECLARED
from lint.regular import regular

_NEW = Value(None)
_Outcome: TypeAlias = "bool | ExitStatus"
_OPERAND = regular(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*?)\])?(?:(\+?)=(.*))?\Z", re.ASCII | re.DOTALL)


def declare(call: Call) -> Status:
    """`declare` and `typeset`."""
    return _declare(call, local=bool(call.state.frames))


def local(call: Call) -> Status:
    """`local`: an error outside a function."""
    if not call.state.frames:
        return _outside_functions(call)
    frame = call.state.frames[-1]
    if any(word.value == "-" for word in call.operands) and frame.options is None:
        frame.options = call.state.options
    return _declare(call, local=True)


def _outside_functions(call: Call) -> Status:
    """`local` where it is an error: what is in parentheses has been assigned before."""
    wanted, operands = split(call)
    for node in operands:
        if isinstance(node, Assignment) and isinstance(node.value, ArrayLiteral):
            span = call.state.unit.span(node.start, node.end)
            kind = "associative" if "A" in wanted.on else ""
            assign_array(call.evaluator, call.state, node.name, node.value, node.append, span, kind)
    return 1


def export(call: Call) -> Status:
    """`export`, and `export -n`."""
    wanted, operands = split(call)
    if "f" in wanted.on:
        return export_functions(call, operands, "n" not in wanted.on)
    if not operands:
        return list_all(call)
    kinds = wanted.on & {"a", "A"}
    wanted = Wanted(kinds, {"x"}) if "n" in wanted.on else Wanted(kinds | {"x"}, set())
    return _each(call, wanted, operands, local=False)


def readonly(call: Call) -> Status:
    """`readonly`."""
    wanted, operands = split(call)
    if "f" in wanted.on:
        return functions(call, Wanted({"f", "r"}, set()), operands)
    if not operands:
        return list_all(call)
    return _each(call, Wanted((wanted.on & {"a", "A"}) | {"r"}, set()), operands, local=False)


def _declare(call: Call, local: bool) -> Status:
    wanted, operands = split(call)
    if "f" in wanted.on or "F" in wanted.on:
        return functions(call, wanted, operands)
    if "p" in wanted.on or "p" in wanted.off:
        return print_declarations(call, operands)
    if not operands:
        return 0 if wanted.on else list_all(call)
    return _each(call, wanted, operands, local and "g" not in wanted.on)


def _each(call: Call, wanted: Wanted, operands: list[Argument], local: bool) -> Status:
    status: Status = 0
    expanded = [each for operand in operands for each in _expand(call, operand)]
    for operand, text in expanded:
        try:
            if (outcome := _in_scope(call, wanted, operand, text, local)) is not True:
                status = status or (outcome or 1)
        except AssignmentFault as fault:
            shadows = local and isinstance(fault, ReadonlyFault)
            if isinstance(getattr(operand, "value", None), ArrayLiteral) and not shadows:
                raise  # bash has assigned the elements before the builtin runs
            status = 1
    return status


def _in_scope(call: Call, wanted: Wanted, operand: Argument, assigned: Text, local: bool) -> _Outcome:
    """One operand; with `-g`, what is set is the variable outside all functions."""
    name = operand.name if isinstance(operand, Assignment) else _name(operand)
    frame = next((frame for frame in call.state.frames if name in frame.shadowed), None) if "g" in wanted.on else None
    if frame is None or name is None:
        return _one(call, wanted, operand, assigned, local)
    variables = call.state.variables
    inner = variables.get(name)
    _swap(call, name, frame.shadowed[name])
    try:
        return _one(call, wanted, operand, assigned, local)
    finally:
        frame.shadowed[name] = variables.get(name)
        _swap(call, name, inner)


def _name(operand: Text) -> str | None:
    found = _OPERAND.match(operand.pieces[0].text) if operand.pieces and isinstance(operand.pieces[0], Known) else None
    return found[1] if found else None


def _expand(call: Call, operand: Argument) -> list[tuple[Argument, Text]]:
    """An argument and, for `name=value`, the value: expanded before any name is set; more than one if it holds braces.

    Bash splits a word with braces: what comes behind the first field of each are other arguments.
    """
    if isinstance(operand, Text) or isinstance(operand.value, ArrayLiteral):
        return [(operand, Text(()))]
    expander, state, word = call.evaluator.expander, call.state, operand.value
    alternatives = expander.alternatives(state, word)
    if alternatives == [word.parts]:
        return [(operand, expander.text(state, word, DECLARED))]
    if operand.subscript is not None and state.shell_options & {"failglob", "nullglob"}:
        if "failglob" in state.shell_options:
            raise NoMatch(f"no match: {operand.name}[...]")  # the brackets are a pattern, too
        return []
    values: list[tuple[Argument, Text]] = []
    for alternative in alternatives:
        equals = Quoted(word.start, word.start, "=")  # blanks at the start of the value end the first field
        first, *others = expander.split(state, (equals, *_without_tilde(alternative)), element=True)
        values.append((operand, first.slice(1)))
        values.extend((other, Text(())) for other in others)
    return values


def _without_tilde(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The value of `name=~/{a,b}`: after brace expansion, bash leaves its tilde alone."""
    first = parts[0] if parts else None
    if not isinstance(first, Literal) or not first.text.startswith("~"):
        return parts
    tilde = Quoted(first.start, first.start + 1, "~")
    return (tilde, Literal(first.start + 1, first.end, first.text[1:]), *parts[1:])


def _one(call: Call, wanted: Wanted, operand: Argument, assigned: Text, local: bool) -> _Outcome:
    state = call.state
    if isinstance(operand, Assignment):
        if isinstance(operand.value, ArrayLiteral):
            return _array(call, wanted, operand, operand.value, local)
        return _assignment(call, wanted, operand, assigned, local)
    value = operand.value
    if local and value == "-" and call.name == "local":
        return True
    if value is None:
        return _unknown_operand(call, wanted, operand, local)
    found = _OPERAND.match(value)
    if found is None:
        return False
    given, subscript, plus, text = found.groups()
    name = _variable(call, wanted, given, subscript is not None, text is not None)
    if name is None:
        return True
    if subscript is not None and (call.name in WITHOUT_SUBSCRIPTS or "n" in wanted.on):
        return False
    if subscript == "":
        raise bad_subscript(state, f"{name}[]: bad array subscript")
    if "n" in wanted.on and text is None and not (local and name not in state.frames[-1].shadowed):
        content = state.variables.get(name, _NEW).content
        check_reference(call, name, (content.value or "") if isinstance(content, Text) else "", call.span)
    if text is not None:
        _check(call, name, local)
    elif call.name in WITHOUT_SUBSCRIPTS and state.variables.get(name, _NEW).kind != "scalar":
        wanted = Wanted(wanted.on - {"a", "A"}, wanted.off)
    _prepare(call, wanted, name, local, subscript is not None)
    if text is None:
        if subscript is not None and state.variables[name].kind == "scalar":
            state.variables[name] = state.variables[name]._replace(kind="indexed")
        return _finish(call, wanted, name)
    start = len(value) - len(text)
    assigned = operand.slice(start) if text else Text(())
    if list_assigned(call, wanted.on, name, assigned, plus == "+", subscript is not None):
        return _finish(call, wanted, name)
    key = None if subscript is None else call.evaluator.expander.subscript(state, name, subscript, call.span)
    assign(state, name, key, assigned, call.span, plus == "+", call.evaluator.expander.subscript)
    return _finish(call, wanted, name)


def _array(call: Call, wanted: Wanted, node: Assignment, literal: ArrayLiteral, local: bool) -> bool:
    """An argument `name=(...)`: its elements are expanded before the name is made local."""
    state, evaluator, name = call.state, call.evaluator, node.name
    span = state.unit.span(node.start, node.end)
    kind = "associative" if "A" in wanted.on else ""
    if local and name not in state.frames[-1].shadowed:
        outer = state.variables.get(name)
        new = _with_attributes(Value(None), wanted)
        seen = (outer or Value(None))._replace(readonly=False, integer=new.integer, case=new.case)
        state.variables[name] = seen
        try:
            assign_array(evaluator, state, name, literal, False, span, kind)
            elements = state.variables[name]
        finally:
            _swap(call, name, outer)
        make_local(state, name)
        state.variables[name] = new._replace(content=elements.content, kind=elements.kind)
    else:
        _prepare(call, wanted, name, local)
        assign_array(evaluator, state, name, literal, node.append, span, kind)
    return _finish(call, wanted, name)


def _assignment(call: Call, wanted: Wanted, node: Assignment, text: Text, local: bool) -> bool:
    """An argument `name=value` or `name[subscript]=value`."""
    state = call.state
    span = state.unit.span(node.start, node.end)
    if node.subscript is not None and (call.name in WITHOUT_SUBSCRIPTS or "n" in wanted.on):
        return False
    name = _variable(call, wanted, node.name, node.subscript is not None, assigned=True)
    if name is None:
        return True
    _check(call, name, local)
    _prepare(call, wanted, name, local, node.subscript is not None)
    if "n" in wanted.on:
        if text.value == "" or (text.value == name and not local):
            return False
        check_reference(call, name, text.value or "", span)
        call.state.variables[name] = call.state.variables[name]._replace(content=text, kind="scalar")
    elif not list_assigned(call, wanted.on, name, text, node.append, node.subscript is not None):
        key, expand = subscript_of(call.evaluator, state, node), call.evaluator.expander.subscript
        assign(state, name, key, text, span, node.append, expand)
    return _finish(call, wanted, name)


def _variable(call: Call, wanted: Wanted, name: str, element: bool, assigned: bool) -> str | None:
    """The variable that a declaration of a name is about; None if of none.

    In a function it is what a nameref of that function stands for, which becomes local, too. Outside, one of an
    `element` that is `assigned` to is no nameref any more.
    """
    state = call.state
    value = state.variables.get(name, _NEW)
    if not value.reference or "n" in wanted.on or "n" in wanted.off:
        return name
    if state.frames:
        target, subscript = resolve(state, name) if name in state.frames[-1].shadowed else (name, None)
        return target if subscript is None and (assigned or not element) else None
    if element and assigned:
        state.variables[name] = value._replace(content=None, kind="indexed", reference=False)
    return None if element and not assigned else name


def _check(call: Call, name: str, local: bool) -> None:
    """Raises a fault for a readonly variable, of which `declare` complains otherwise than `readonly` and `export`."""
    if local and name not in call.state.frames[-1].shadowed:
        return  # a new variable, if there may be one
    name, _ = resolve(call.state, name)
    if call.name in WITHOUT_SUBSCRIPTS:
        check_writable(call.state, name)
    elif is_readonly(call.state, name):
        raise ReadonlyFault(f"{name}: readonly variable")


def _swap(call: Call, name: str, value: Value | None) -> None:
    if value is None:
        call.state.variables.pop(name, None)
    else:
        call.state.variables[name] = value


def _unknown_operand(call: Call, wanted: Wanted, operand: Text, local: bool) -> _Outcome:
    """`export $x=y`, or `export NAME=<unknown>`."""
    first = operand.pieces[0]
    found = re.match(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=", first.text, re.ASCII) if isinstance(first, Known) else None
    if found is None:
        call.evaluator.budget.report(call.span, f"a variable whose name is not known is set: {operand.shown[:80]}")
        known = "".join(piece.text for piece in operand.pieces if isinstance(piece, Known)).partition("=")[0]
        if re.fullmatch(r"\w*\+?", known, re.ASCII):
            return True  # else it fails, unless an unknown part holds an equals sign
        return ExitStatus(f"exit status of `{call.name}`", Origin(call.span, "substitution"), likely=1)
    _prepare(call, wanted, found[1], local)
    assigned, append = operand.slice(found.end()), found[2] == "+"
    if not list_assigned(call, wanted.on, found[1], assigned, append):
        assign(call.state, found[1], None, assigned, call.span, append)
    return _finish(call, wanted, found[1])


def _prepare(call: Call, wanted: Wanted, name: str, local: bool, element: bool = False) -> None:
    """The variable with the attributes that count for the assignment, to an `element` of it or to all of it."""
    state = call.state
    if local:
        make_local(state, name)
    if "n" not in wanted.on and "n" not in wanted.off:
        name, _ = resolve(state, name)
    value = state.variables.get(name)
    if value is None:
        known = scalar(state, name, call.span) if not local else None
        value = Value(known)
    _check_change(wanted, name, value)
    if element and local and value.kind == "scalar":
        value = value._replace(content=None, kind="indexed")  # it does not keep its value
    state.variables[name] = _with_attributes(value, wanted)


_OTHER_KINDS = {"a": "associative", "A": "indexed"}
_OWN_KINDS = {"a": "indexed", "A": "associative"}


def _check_change(wanted: Wanted, name: str, value: Value) -> None:
    """Raise AssignmentFault where a variable cannot become what the options make of it."""
    if value.readonly and ("r" in wanted.off or ("n" in wanted.on and not value.reference)):
        raise ReadonlyFault(f"{name}: readonly variable")
    if "n" in wanted.on and value.kind != "scalar":
        raise AssignmentFault(f"{name}: reference variable cannot be an array")
    if {"a", "A"} <= wanted.on or (
        value.content is not None and any(k in wanted.on and value.kind == kind for k, kind in _OTHER_KINDS.items())
    ):
        raise AssignmentFault(f"{name}: cannot convert between indexed and associative array")
    if any(letter in wanted.off and value.kind == kind for letter, kind in _OWN_KINDS.items()):
        raise AssignmentFault(f"{name}: cannot destroy array variables in this way")


_CASES: dict[str, Case] = {"u": "upper", "l": "lower", "c": "capital"}


def _with_attributes(value: Value, wanted: Wanted) -> Value:
    on, off = wanted.on, wanted.off
    kind, content = value.kind, value.content
    if "A" in on and kind != "associative":
        kind = "associative"
        content = {"0": content} if isinstance(content, Text) else {}
    elif "a" in on and kind == "scalar":
        kind = "indexed"
        content = {0: content} if isinstance(content, Text) else None
    case = value.case
    if len(on & set(_CASES)) > 1:  # two of them cancel each other, and what was there
        on, case = on - set(_CASES), ""
    for letter, name in _CASES.items():
        if letter in on:
            case = name
        elif letter in off and case == name:
            case = ""
    return value._replace(
        content=content if content != {} else None,
        kind=kind,
        exported=("x" in on or value.exported) and "x" not in off,
        integer=("i" in on or value.integer) and "i" not in off,
        reference=("n" in on or value.reference) and "n" not in off,
        case=case,
        inherited=False if "x" in on else value.inherited,
    )


def _finish(call: Call, wanted: Wanted, name: str) -> bool:
    if "r" in wanted.on:
        name, _ = (name, None) if "n" in wanted.on else resolve(call.state, name)
        call.state.variables[name] = call.state.variables[name]._replace(readonly=True)
    return True


BUILTINS = {
    "declare": declare,
    "typeset": declare,
    "local": local,
    "export": export,
    "readonly": readonly,
}
