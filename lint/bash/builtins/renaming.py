"""`alias`, `unalias` and `enable`: what the names of commands stand for."""

from __future__ import annotations

import re

from lint.bash.builtins.operands import USAGE
from lint.bash.builtins.option_letters import parted
from lint.bash.commands.simple import Call, builtins, write_unknown
from lint.bash.programs.joining import part
from lint.bash.reading import Known, Origin
from lint.bash.state.state import Status
from lint.bash.unknown import ExitStatus
from lint.regular import regular

_DEFINITION = regular(r"([^\s()<>;&|'\"\\`$/=]+)=", re.ASCII)


def alias(call: Call) -> Status:
    """`alias name=text`: in a script it counts only after `shopt -s expand_aliases`."""
    state = call.state
    options, operands = parted("alias", call.operands)
    listed = "p" in options or not operands
    if "p" in options and not state.aliases:
        return 0  # bash does not look at the names
    status = 0
    for word in operands:
        first = word.pieces[0] if word.pieces else None
        found = _DEFINITION.match(first.text) if isinstance(first, Known) else None
        if found is not None:
            state.aliases = {**state.aliases, found[1]: part(word, found.end(), len(word.shown))}
        elif word.value is not None and word.value in state.aliases:
            listed = True
        else:
            status = 1
    if listed:
        write_unknown(call)
    return status


def unalias(call: Call) -> Status:
    """`unalias name`, `unalias -a`."""
    state = call.state
    options, operands = parted("unalias", call.operands)
    if "a" in options:
        state.aliases = {}
        return 0
    if not operands:
        return USAGE
    gone = {word.value for word in operands}
    missing = gone - state.aliases.keys()
    state.aliases = {name: text for name, text in state.aliases.items() if name not in gone}
    return int(bool(missing))


def enable(call: Call) -> Status:
    """`enable`: whether a builtin can be loaded from a library is the machine's."""
    state = call.state
    options, operands = parted("enable", call.operands)
    if not operands or "p" in options:
        write_unknown(call)
        return 0
    if "f" in options:
        return ExitStatus("exit status of enable", Origin(call.span, "substitution"), likely=1)
    names = {word.value for word in operands if word.value is not None}
    if "d" in options or not names <= builtins().keys():
        return 1  # none was loaded
    known = frozenset(names & builtins().keys())
    state.disabled = state.disabled | known if "n" in options else state.disabled - known
    if len(names) < len(operands):
        call.evaluator.budget.report(call.span, "`enable` of a builtin whose name is not known")
    return 0


BUILTINS = {"alias": alias, "unalias": unalias, "enable": enable}
