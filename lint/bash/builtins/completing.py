"""`complete`, `compgen` and `compopt`: a script seldom asks what they know."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lint.bash.builtins.operands import USAGE
from lint.bash.builtins.option_letters import parted
from lint.bash.commands.simple import Call, write_unknown
from lint.bash.reading import Origin, Text
from lint.bash.state.state import Status
from lint.bash.unknown import ExitStatus
from lint.regular import regular

_FUNCTION = regular(r"[^\s()<>;&|'\"\\`$]+", re.ASCII)
_ACTIONS = """
alias arrayvar binding builtin command directory disabled enabled export file function group helptopic hostname job
keyword running service setopt shopt signal stopped user variable
"""
_OPTIONS = "bashdefault default dirnames filenames noquote nosort nospace plusdirs"
_NAMES = {"A": frozenset(_ACTIONS.split()), "o": frozenset(_OPTIONS.split())}


def _is_refused(options: Mapping[str, Text | None]) -> bool:
    """Whether an action, an option or a function is none that can be."""
    given = {letter: text.value for letter, text in options.items() if text is not None and text.value is not None}
    named = any(given.get(letter, next(iter(names))) not in names for letter, names in _NAMES.items())
    return named or not _FUNCTION.fullmatch(given.get("F", "f"))


def _unsure(call: Call) -> Status:
    return ExitStatus(f"exit status of {call.name}", Origin(call.span, "substitution"), likely=1)


def complete(call: Call) -> Status:
    """`complete`: nothing that matters to a script, but what it is asked to print."""
    options, operands = parted("complete", call.operands)
    if _is_refused(options):
        return USAGE
    if "p" in options or not options:
        write_unknown(call)
        return _unsure(call) if operands and options else 0
    if not operands and not options.keys() & set("rDEI"):
        return USAGE
    return 0


def compgen(call: Call) -> Status:
    """`compgen`: what it finds is the machine's; on an empty one, nothing."""
    options, _ = parted("compgen", call.operands)
    if _is_refused(options):
        return USAGE
    write_unknown(call)
    return _unsure(call)


def compopt(call: Call) -> Status:
    """`compopt`: without a name, an error outside of completion."""
    options, operands = parted("compopt", call.operands)
    if _is_refused(options):
        return USAGE
    return _unsure(call) if operands else 1


BUILTINS = {"complete": complete, "compgen": compgen, "compopt": compopt}
