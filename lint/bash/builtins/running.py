"""Builtins that run other commands or change what runs next: `eval`, `source`, `exec`, `return`, ..."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import replace

from lint.bash.budget import DEPTH
from lint.bash.builtins.operands import USAGE, behind_dashes, refuse_more, status_operand
from lint.bash.builtins.option_letters import parted
from lint.bash.commands import traps, units
from lint.bash.commands.decisions import TestFault
from lint.bash.commands.redirection import piped_text
from lint.bash.commands.simple import Call, external
from lint.bash.commands.writing import complain
from lint.bash.numbers import legal_number
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.state import written
from lint.bash.state.entered import SOURCE, Entered
from lint.bash.state.places import path_of
from lint.bash.state.state import Flow, State, Status, Unit
from lint.bash.state.unknown_texts import may_have_set
from lint.bash.unknown import ExitStatus
from lint.regular import regular

_VARIABLE = regular(r"\$\{?([A-Z][A-Z0-9_]*)\b(?!:)")
_WITHOUT_QUESTION = 3  # words of a test: with fewer, an expansion may have been no word


def true(call: Call) -> Status:
    """`:` and `true`."""
    return 0


def false(call: Call) -> Status:
    """`false`."""
    return 1


def test(call: Call) -> Status:
    """`test` and `[`."""
    words = list(call.operands)
    if call.name == "[":
        if not words or words[-1].value != "]":
            return 2
        words.pop()
    call.evaluator.guards.begin()
    if len(words) < _WITHOUT_QUESTION:
        _ask(call)
    try:
        decision = call.evaluator.conditions.single(call.state, words, call.span)
    except TestFault:
        _ask(call)
        return 2
    return decision if isinstance(decision, Unknown) else int(not decision)


def _ask(call: Call) -> None:
    """Note the variables of a test that are not set, and so without quotes not even words."""
    text = call.state.unit.source.text[max(0, call.state.offset) :]
    for found in _VARIABLE.finditer(text, 0, text.find("\n") if "\n" in text else len(text)):
        call.evaluator.asked(call.state, found[1], call.span)


def leave_loop(call: Call) -> Status | list[State]:
    """`break n`, `continue n`: nothing outside a loop."""
    if call.state.loops == 0:
        complain(call.state, call.span)
        return 0
    words = behind_dashes(call.operands)
    value = words[0].value if words else "1"
    count = None if value is None else legal_number(value)
    if value is not None and count is None:
        call.state.flow = Flow("exit")
        return 128 | call.state.status if isinstance(call.state.status, int) else 128
    refuse_more(call, words)
    if count is None or count < 1:
        ends = "errexit" in call.state.options and not call.tested
        call.state.traps = {} if ends else call.state.traps  # all loops are left: no command of a trap is run
        call.state.flow = Flow("exit") if ends else Flow("break", call.state.loops)
        return 1
    call.state.flow = Flow("break" if call.name == "break" else "continue", min(count, call.state.loops))
    return 0


def return_builtin(call: Call) -> Status:
    """`return`: from a function or a sourced file."""
    status = status_operand(call)
    if not call.state.calls:
        return 2
    before = call.state.status if "RETURN" in call.state.traps else None
    call.state.flow = Flow("return", before=before)
    return status


def exit_builtin(call: Call) -> Status:
    """`exit`."""
    status = status_operand(call)
    if isinstance(status, int) and status != 0:
        call.evaluator.give_up(call.state, call.span)
    call.state.flow = Flow("exit")
    return status


def eval_builtin(call: Call) -> list[State]:
    """`eval`: its words, with spaces between them, run as a script."""
    origin = Origin(call.span, "literal")
    pieces: list[Piece] = []
    for index, word in enumerate(behind_dashes(call.operands)):
        if index:
            pieces.append(Known(" ", origin))
        pieces.extend(word.pieces)
    if not pieces:
        call.state.status = 0
        return [call.state]
    line = call.state.unit.line(call.state.offset)
    return units.evaluate_text(call.evaluator, call.state, Text(tuple(pieces)), call.span, call.tested, line=line)


def source(call: Call) -> list[State]:
    """`source file args`: a file of the checkout is read in this shell; any other is not, and that is said."""
    state, evaluator = call.state, call.evaluator
    operands = behind_dashes(call.operands)
    if not operands or operands[0].value == "":
        complain(state, call.span)
        state.status = 1 if operands else USAGE
        return [state]
    piped = piped_text(state, operands[0])
    if operands[0].value == "/dev/null":
        piped = Text(())
    if piped is None and operands[0].value in ("/dev/stdin", "/dev/fd/0"):
        stream = state.descriptors.get(0)
        piped = state.inputs.get(stream) if stream else None
    if piped is not None:
        known = piped
        return _in_this_shell(
            call,
            operands,
            lambda inside: units.evaluate_text(evaluator, inside, known, call.span, call.tested, called=operands[0]),
        )
    if written.find(evaluator, state, operands[0]) is not None:
        states = written.forks(evaluator, state, operands[0])
        return [end for each in states for end in _source_written(replace(call, state=each), operands)]
    script = None
    for path in candidates(state, operands[0]):
        script = units.script_at(evaluator, path, "extglob" in state.shell_options)
        if script is not None:
            break
    shown = operands[0].shown
    if script is None:
        named = path_of(state, operands[0])
        if named is not None and evaluator.files.exists(named) is False:
            complain(state, call.span)
            state.status = 1
            return [state]
        evaluator.budget.report(call.span, f"source {shown}: not a file of the checkout")
        may_have_set(state, f"source {shown}")
        state.status = ExitStatus(f"exit status of `source {shown}`", Origin(call.span, "substitution"), assumed=True)
        return [state]
    if evaluator.depth >= DEPTH or len(state.called_from) > DEPTH:
        evaluator.budget.report(call.span, f"source {shown}: nested deeper than {DEPTH}")
        state.status = 0
        return [state]
    unit = Unit(script.source, name=operands[0], extended=script.extended)
    evaluator.note_errors(script, unit)
    return _in_this_shell(
        call, operands, lambda inside: units.run_unit(evaluator, inside, unit, script, call.span, call.tested, True)
    )


def _source_written(call: Call, operands: Sequence[Text]) -> list[State]:
    """A file that the script wrote."""
    found = written.content(call.evaluator, call.state, operands[0])
    if found is None:
        shown = operands[0].shown
        call.evaluator.budget.report(call.span, f"source {shown}: what the script left in it is not known")
        may_have_set(call.state, f"source {shown}")
        origin = Origin(call.span, "substitution")
        call.state.status = ExitStatus(f"exit status of `source {shown}`", origin, assumed=True)
        return [call.state]
    return _in_this_shell(
        call,
        operands,
        lambda state: units.evaluate_text(call.evaluator, state, found, call.span, call.tested, operands[0]),
    )


def _in_this_shell(call: Call, operands: Sequence[Text], run: Callable[[State], list[State]]) -> list[State]:
    """Run a sourced text with its arguments, which end with it."""
    state = call.state
    positional, unit, calls = state.positional, state.unit, state.calls
    state.positional = tuple(operands[1:]) or positional
    line = unit.line(state.offset) if unit.counted else None
    state.calls = (*calls, Entered(SOURCE, Unit(unit.source, name=operands[0]), unit, line))
    debug = {} if "functrace" in state.options else {n: t for n, t in state.traps.items() if n == "DEBUG"}
    state.traps = {name: text for name, text in state.traps.items() if name not in debug}
    ends = run(state)
    for end in ends:
        end.calls = calls  # the RETURN trap does not see it any more
    states = [end for each in ends for end in traps.at_return(call.evaluator, each)]
    for end in states:
        traps.show_again(end, debug)
        if len(operands) > 1:
            end.positional = positional
        if end.flow is not None and end.flow.kind == "return":
            end.flow = None
    return states


def candidates(state: State, text: Text) -> list[str]:
    """The paths at which a file named in a script may be: from the working directory, then from the script's folder."""
    paths: list[str] = []
    path = path_of(state, text)
    if path is not None:
        paths.append(path)
    value = text.value
    if value and not value.startswith("/"):
        paths.append(posixpath.normpath(posixpath.join(posixpath.dirname(state.unit.source.path), value)))
        paths.append(posixpath.normpath(value))
    return list(dict.fromkeys(paths))


def exec_builtin(call: Call) -> list[State] | Status:
    """`exec command` is the last command of the shell; without one, redirections stay."""
    _, operands = parted("exec", call.operands)
    if not operands:
        return 0
    states = external(call.of(operands), {})
    for state in states:
        state.traps = {}
        state.flow = Flow("exit")
    return states


BUILTINS = {
    ":": true,
    "true": true,
    "false": false,
    "test": test,
    "[": test,
    "break": leave_loop,
    "continue": leave_loop,
    "return": return_builtin,
    "exit": exit_builtin,
    "eval": eval_builtin,
    "source": source,
    ".": source,
    "exec": exec_builtin,
}
