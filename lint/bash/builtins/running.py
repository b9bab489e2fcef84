"""Builtins that run other commands or change what runs next: `eval`, `source`, `exec`, `trap`, `return`, ..."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import replace

from lint.bash.budget import DEPTH
from lint.bash.commands import traps, units
from lint.bash.commands.decisions import TestFault
from lint.bash.commands.redirection import piped_text
from lint.bash.commands.simple import Call, external, run_builtin, write_unknown
from lint.bash.commands.writing import complain, write
from lint.bash.faults import TooLong
from lint.bash.numbers import whole
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.state import written
from lint.bash.state.entered import SOURCE, Entered
from lint.bash.state.places import path_of
from lint.bash.state.state import Flow, State, Status, Unit
from lint.bash.unknown import ExitStatus
from lint.regular import regular

KEYWORDS = frozenset(
    (
        *("if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do", "done", "in"),
        *("function", "time", "{", "}", "!", "[[", "]]", "coproc"),
    )
)
_NUMBER = regular(r"[ \t\n]*[-+]?[0-9]+[ \t]*")


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
    try:
        decision = call.evaluator.conditions.single(call.state, words, call.span)
    except TestFault:
        return 2
    return decision if isinstance(decision, Unknown) else int(not decision)


def _count(call: Call) -> int | None:
    """The number that `break`, `return`, `exit` was given; None if it is unknown."""
    value = call.operands[0].value
    if value is None:
        return None
    stripped = value.strip()
    return whole(stripped) if stripped.lstrip("+-").isdecimal() else 2


def leave_loop(call: Call) -> Status | list[State]:
    """`break n`, `continue n`: nothing outside a loop."""
    if call.state.loops == 0:
        complain(call.state, call.span)
        return 0
    if call.operands and (value := call.operands[0].value) is not None and not _NUMBER.fullmatch(value):
        call.state.flow = Flow("exit")
        return 128 | call.state.status if isinstance(call.state.status, int) else 128
    count = _count(call) if call.operands else 1
    if count is None or count < 1:
        ends = "errexit" in call.state.options and not call.tested
        call.state.traps = {} if ends else call.state.traps  # all loops are left: no command of a trap is run
        call.state.flow = Flow("exit") if ends else Flow("break", call.state.loops)
        return 1
    call.state.flow = Flow("break" if call.name == "break" else "continue", min(count, call.state.loops))
    return 0


def _status_operand(call: Call) -> Status:
    if not call.operands:
        return call.state.status
    count = _count(call)
    if count is None:
        pieces = call.operands[0].pieces
        unknown = next(piece for piece in pieces if isinstance(piece, Unknown))
        if isinstance(unknown, ExitStatus) and len(pieces) == 1:
            return unknown
        return ExitStatus(unknown.reason, unknown.origin)
    return count & 0xFF


def return_builtin(call: Call) -> Status:
    """`return`: from a function or a sourced file."""
    if not call.state.calls:
        return 2
    before = call.state.status if "RETURN" in call.state.traps else None
    call.state.flow = Flow("return", before=before)
    return _status_operand(call)


def exit_builtin(call: Call) -> Status:
    """`exit`."""
    status = _status_operand(call)
    if isinstance(status, int) and status != 0:
        call.evaluator.give_up(call.state, call.span)
    call.state.flow = Flow("exit")
    return status


def eval_builtin(call: Call) -> list[State]:
    """`eval`: its words, with spaces between them, run as a script."""
    origin = Origin(call.span, "literal")
    pieces: list[Piece] = []
    words = call.operands[call.operands[:1] != () and call.operands[0].value == "--" :]
    for index, word in enumerate(words):
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
    operands = [word for word in call.operands if word.value != "--"]
    if not operands:
        state.status = 2
        return [state]
    piped = piped_text(state, operands[0])
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


def _rest(call: Call, count: int) -> Call:
    """The call of the words after the first `count`."""
    return Call(
        call.evaluator,
        call.state,
        call.words[count].value or "",
        call.words[count:],
        call.word_spans[count:],
        call.words[count + 1 :],
        call.span,
        call.tested,
        call.outputs,
    )


def command(call: Call) -> list[State] | Status:
    """`command name ...` runs a builtin or program, never a function; `command -v name` asks what a name is."""
    count = 1
    while count < len(call.words) and (value := call.words[count].value) is not None and value.startswith("-"):
        count += 1
        if value == "--":
            break
        if "v" in value or "V" in value:
            return kind_of(call, list(call.words[count:]))
    if count >= len(call.words):
        return 0
    return _nested(_rest(call, count), _without_functions)


def builtin(call: Call) -> list[State] | Status:
    """`builtin name ...`."""
    from lint.bash.builtins import BUILTINS

    if len(call.words) < 2:
        return 0
    rest = _rest(call, 1)
    return _nested(rest, run_builtin) if rest.name in BUILTINS else 1


def _nested(call: Call, run: Callable[[Call], list[State]]) -> list[State]:
    """`command command command ...` to a depth. Raises TooLong."""
    if call.evaluator.depth > 4 * DEPTH:
        raise TooLong
    call.evaluator.depth += 1
    try:
        return run(call)
    finally:
        call.evaluator.depth -= 1


def _without_functions(call: Call) -> list[State]:
    from lint.bash.builtins import BUILTINS

    return run_builtin(call) if call.name in BUILTINS else external(call, {})


def kind_of(call: Call, names: list[Text]) -> Status:
    """`command -v`, `type`: known for functions, builtins and keywords; whether a program exists is unknown."""
    from lint.bash.builtins import BUILTINS

    status: Status = 0
    origin = Origin(call.span, "substitution")
    for name in names:
        value = name.value
        if value is not None and (value in call.state.functions or value in BUILTINS or value in KEYWORDS):
            text: Known | Unknown = Known(value + "\n", origin)
            if call.name == "type" or any(word.value == "-V" for word in call.words):
                text = Unknown(f"what `{value}` is, in words", origin)
        else:
            text = Unknown(f"path of {name.brief}", origin)
            status = ExitStatus(f"whether {name.brief} is installed", origin, likely=1)
        if call.state.descriptors.get(1):
            write(call.state, 1, Text((text,)))
    return status


def type_builtin(call: Call) -> Status:
    """`type name`."""
    names = [word for word in call.operands if not (word.value or "").startswith("-")]
    first = call.operands[0].value if call.operands else None
    if first == "-t" and len(names) == 1 and call.state.descriptors.get(1):
        return _kind_word(call, names[0])
    return kind_of(call, names)


def _kind_word(call: Call, name: Text) -> Status:
    from lint.bash.builtins import BUILTINS

    value = name.value
    kinds = (("keyword", KEYWORDS), ("function", call.state.functions), ("builtin", BUILTINS))
    for kind, names in kinds:
        if value in names:
            write(call.state, 1, Text((Known(kind + "\n", Origin(call.span, "substitution")),)))
            return 0
    return kind_of(call, [name])


def exec_builtin(call: Call) -> list[State] | Status:
    """`exec command` is the last command of the shell; without one, redirections stay."""
    count = 1
    while count < len(call.words) and (value := call.words[count].value) is not None and value.startswith("-"):
        count += 2 if value.endswith("a") else 1
        if value == "--":
            break
    if count >= len(call.words):
        return 0
    states = external(_rest(call, count), {})
    for state in states:
        state.traps = {}
        state.flow = Flow("exit")
    return states


SIGNAL = regular(
    r"(?i)(?:SIG)?(?:EXIT|DEBUG|ERR|RETURN|HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|USR1|SEGV|USR2|PIPE|ALRM|TERM|STKFLT"
    r"|CHLD|CONT|STOP|TSTP|TTIN|TTOU|URG|XCPU|XFSZ|VTALRM|PROF|WINCH|IO|POLL|PWR|SYS|RT(?:MIN|MAX)(?:[-+][0-9]+)?)"
    r"|[0-9]|[1-5][0-9]|6[0-4]"
)


def trap(call: Call) -> Status:
    """`trap command EXIT`; DEBUG, ERR and RETURN come too, other signals never."""
    words = [word for word in call.operands if word.value != "--"]
    if not words or words[0].value in ("-l", "-p"):
        if call.evaluator.traps or (words and words[0].value == "-l"):
            write_unknown(call)
        return 0
    if len(words) == 1:
        if words[0].value is not None and not SIGNAL.fullmatch(words[0].value):
            return 2
        action, names = None, words
    else:
        action, names = (None if words[0].value == "-" else words[0]), words[1:]
    actions = dict(call.state.traps)
    status = 0
    for name in names:
        if name.value is not None and not SIGNAL.fullmatch(name.value):
            status = 1
            continue
        signal = (name.value or "").upper().removeprefix("SIG")
        signal = "EXIT" if signal == "0" else signal
        if action is None:
            actions.pop(signal, None)
        else:
            actions[signal] = action
            call.evaluator.traps = True
    call.state.traps = actions
    return status


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
    "command": command,
    "builtin": builtin,
    "type": type_builtin,
    "exec": exec_builtin,
    "trap": trap,
}
