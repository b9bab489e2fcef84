"""`wait`, `kill`, `jobs`, `disown`, `bg`, `fg`: processes in the background, which are not run here."""

from __future__ import annotations

import re

from lint.bash.builtins.naming import run_named
from lint.bash.builtins.operands import refuse_more
from lint.bash.builtins.option_letters import parted
from lint.bash.builtins.trapping import SIGNAL
from lint.bash.commands.simple import Call, write_unknown
from lint.bash.numbers import legal_number
from lint.bash.reading import Origin, Text, Unknown
from lint.bash.state.complaints import AssignmentFault
from lint.bash.state.scopes import unset
from lint.bash.state.state import State, Status
from lint.bash.state.variables import assign
from lint.bash.unknown import DIGITS, ExitStatus
from lint.regular import regular

_TARGET = regular(r"[A-Za-z_]\w*(?:\[.+\])?", re.ASCII | re.DOTALL)
_OF_A_JOB = regular("[0-9%]")


NO_JOB = 127


def _assumed(call: Call) -> Status:
    return ExitStatus(f"exit status of `{call.name}`", Origin(call.span, "substitution"), assumed=True)


def wait(call: Call) -> Status:
    """`wait`: alone it waits for all, and ends well; with `-p` it sets a variable, or unsets it."""
    options, operands = parted("wait", call.operands)
    named = options.get("p")
    name = named.value if named is not None else None
    if name is not None and not (_TARGET.fullmatch(name) and unset(call.state, name)):
        return 1
    if not operands:
        if "n" not in options:
            return 0
        status = _assumed(call) if call.state.background_started else NO_JOB
    else:
        status = _of_operand(call, operands[0 if "n" in options else -1], NO_JOB if "n" in options else 1)
    if name is not None and isinstance(status, Unknown):
        number = Unknown("id of a process", Origin(call.span, "substitution"), characters=DIGITS)
        try:
            assign(call.state, name, None, Text((number,)), call.span)
        except AssignmentFault:
            return 1
    return status


def _of_operand(call: Call, operand: Text, refused: int) -> Status:
    value = operand.value
    if value is None or (_OF_A_JOB.match(value) and call.state.background_started):
        return _assumed(call)
    return NO_JOB if _OF_A_JOB.match(value) else refused


def _may_be_signal(word: Text) -> bool:
    value = word.value or "0"
    number = legal_number(value)
    return SIGNAL.fullmatch(value) is not None or (number is not None and 128 < number < 193)


def kill(call: Call) -> Status:
    """`kill`: of processes that are not run here; `kill -l` lists signals."""
    words = list(call.operands)
    first = words[0].value if words else None
    if first is not None and first[:2] in ("-l", "-L"):
        if not all(map(_may_be_signal, words[1:])):
            return 1
        write_unknown(call)
        return _assumed(call)
    signal: Text | None = None
    if first in ("-s", "-n"):
        if len(words) == 1:
            return 1
        signal, words = words[1], words[2:]
    elif first is not None and first.startswith("-") and first != "--":
        signal, words = words[0].slice(2 if first[1:2] in ("s", "n") and first[2:].isalnum() else 1), words[1:]
    if signal is not None and signal.value is not None and not SIGNAL.fullmatch(signal.value):
        return 1
    words = words[words[:1] != [] and words[0].value == "--" :]
    if not words:
        return 2
    known = [word.value for word in words]
    is_none = all(value is not None and legal_number(value) is None and value[:1] != "%" for value in known)
    without_jobs = not call.state.background_started and all((value or "")[:1] == "%" for value in known)
    return 1 if is_none or without_jobs else _assumed(call)


def jobs(call: Call) -> Status | list[State]:
    """`jobs`: nothing where none was started; `jobs -x` runs a command."""
    options, operands = parted("jobs", call.operands)
    if "x" in options and operands:
        return run_named(call.of(operands))
    if call.state.background_started:
        write_unknown(call)
        return _assumed(call)
    return 1 if operands else 0


def disown(call: Call) -> Status:
    """`disown`: an error without a job."""
    options, operands = parted("disown", call.operands)
    if not operands and options.keys() & {"a", "r"}:
        return 0
    return _assumed(call) if call.state.background_started else 1


def refused(call: Call) -> Status:
    """`bg`, `fg`, `suspend`, `logout`: errors in a script."""
    if call.name == "suspend":
        refuse_more(call, parted("suspend", call.operands)[1], most=0)
    return 1


BUILTINS = {
    "wait": wait,
    "kill": kill,
    "jobs": jobs,
    "disown": disown,
    **dict.fromkeys(("suspend", "bg", "fg", "logout"), refused),
}
