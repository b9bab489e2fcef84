"""Builtins about the machine and the shell, of which mostly a run can tell what they print: `ulimit`, `hash`, ..."""

from __future__ import annotations

import re

from lint.bash.builtins.operands import USAGE, behind_dashes, refuse_more
from lint.bash.builtins.option_letters import parted
from lint.bash.commands.simple import Call, builtins, write_unknown
from lint.bash.numbers import legal_number
from lint.bash.reading import Origin
from lint.bash.state.state import Status
from lint.bash.unknown import ExitStatus
from lint.regular import regular

_LIMIT = regular("[0-9]+|unlimited|hard|soft")
_LIMITS = frozenset("SHacdefilmnpqrstuvxR")
"""The options that `ulimit` has on Linux."""
_MASK = regular("0*[0-7]{1,4}|[ugoa]*(?:[-+=][rwx]*)+(?:,[ugoa]*(?:[-+=][rwx]*)+)*")


def _assumed(call: Call) -> Status:
    return ExitStatus(f"exit status of `{call.name}`", Origin(call.span, "substitution"), assumed=True)


def umask(call: Call) -> Status:
    """`umask`: what it prints is unknown."""
    options, operands = parted("umask", call.operands)
    value = operands[0].value if operands else None
    if value is not None and not _MASK.fullmatch(value):
        return 1
    if not operands or "S" in options:
        write_unknown(call)
    return _assumed(call) if operands and value is None else 0


def ulimit(call: Call) -> Status:
    """`ulimit`: assumed to work; what it prints is unknown."""
    words = list(call.operands)
    letters = [word.value[1:] for word in words if word.value and word.value[0] == "-" and word.value != "--"]
    if any(not _LIMITS.issuperset(each.rstrip("0123456789")) for each in letters):
        return USAGE
    if not words or (words[-1].value or "").startswith("-"):
        write_unknown(call)
    elif not _LIMIT.fullmatch(words[-1].value or "0"):
        return 1
    return _assumed(call)


def hash_builtin(call: Call) -> Status:
    """`hash`: whether a program is there is the machine's."""
    options, operands = parted("hash", call.operands)
    if not operands:
        if options.keys() & {"t", "d"}:
            return 1
        if "r" not in options:
            write_unknown(call)
        return 0
    if "t" in options:
        write_unknown(call)
        return _assumed(call)
    own = (word.value is not None and ("/" in word.value or word.value in call.state.functions) for word in operands)
    return 0 if "p" in options or all(own) else _assumed(call)


def help_builtin(call: Call) -> Status:
    """`help`: on what bash knows, by pattern."""
    write_unknown(call)
    _, operands = parted("help", call.operands)
    plain = [word.value for word in operands if word.value is not None and re.fullmatch(r"\w+", word.value, re.ASCII)]
    if not operands or any(name in builtins() for name in plain):
        return 0
    return _assumed(call)


def caller(call: Call) -> Status:
    """`caller n`: an error where no function or sourced file runs so deep."""
    words = behind_dashes(call.operands)
    value = words[0].value if words else "0"
    depth = None if value is None else legal_number(value)
    if value is not None and (depth is None or depth < 0):
        return USAGE
    write_unknown(call)
    if not words:
        return 0
    return _assumed(call) if depth is None else int(depth >= len(call.state.calls))


def history(call: Call) -> Status:
    """`history`: a script keeps none, unless it is told to."""
    options, operands = parted("history", call.operands)
    kept = "history" in call.state.options
    if len(options.keys() & set("anrw")) > 1:
        return 1
    if "s" in options or ("c" in options and not operands):
        return 0
    if "p" in options:
        write_unknown(call)
        plain = all(word.value is not None and "!" not in word.value and word.value[:1] != "^" for word in operands)
        return 0 if plain else _assumed(call) if kept else 1
    if "d" in options:
        return _assumed(call) if kept else 1
    if options.keys() & set("anrw"):
        return _assumed(call)
    value = operands[0].value if operands else "0"
    if value is not None and legal_number(value) is None:
        return 1
    refuse_more(call, operands)
    write_unknown(call)
    return 0


def listing(call: Call) -> Status:
    """A builtin whose output only a run could tell."""
    write_unknown(call)
    return _assumed(call)


BUILTINS = {
    "umask": umask,
    "ulimit": ulimit,
    "hash": hash_builtin,
    "help": help_builtin,
    "caller": caller,
    "history": history,
    **dict.fromkeys(("fc", "times", "bind"), listing),
}
