"""`trap command EXIT`; DEBUG, ERR and RETURN come too, other signals never (`trap.def` of bash 5.2)."""

from __future__ import annotations

from lint.bash.builtins.operands import USAGE
from lint.bash.builtins.option_letters import parted
from lint.bash.commands.simple import Call, write_unknown
from lint.bash.reading import Text
from lint.bash.state.state import Status
from lint.regular import regular

SIGNAL = regular(
    r"(?i)(?:EXIT|DEBUG|ERR|RETURN)|(?:SIG)?(?:HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|USR1|SEGV|USR2|PIPE|ALRM|TERM|STKFLT"
    r"|CHLD|CONT|STOP|TSTP|TTIN|TTOU|URG|XCPU|XFSZ|VTALRM|PROF|WINCH|IO|POLL|PWR|SYS|RT(?:MIN|MAX)(?:[-+][0-9]+)?)"
    r"|[0-9]|[1-5][0-9]|6[0-4]"
)


def trap(call: Call) -> Status:
    """`trap`, with a command or without."""
    options, words = parted("trap", call.operands)
    if "l" in options:
        write_unknown(call)
        return 0
    if "p" in options or not words:
        if call.evaluator.traps:
            write_unknown(call)
        return int(not all(map(_may_be_signal, words)))
    first = words[0].value
    names, action = words, None
    if not _takes_back(first, alone=len(words) == 1):
        names, action = words[1:], None if first == "-" else words[0]
        if not names:
            return USAGE
    actions = dict(call.state.traps)
    for name in names:
        signal = (name.value or "").upper().removeprefix("SIG")
        signal = "EXIT" if signal == "0" else signal
        if not _may_be_signal(name):
            continue
        if action is None:
            actions.pop(signal, None)
        else:
            actions[signal] = action
            call.evaluator.traps = True
    call.state.traps = actions
    return int(not all(map(_may_be_signal, names)))


def _may_be_signal(word: Text) -> bool:
    return word.value is None or SIGNAL.fullmatch(word.value) is not None


def _takes_back(first: str | None, alone: bool) -> bool:
    """Whether the first word names a signal whose trap goes, as the words behind it do."""
    if first is None:
        return alone
    return SIGNAL.fullmatch(first) is not None and (alone or first.isdecimal())


BUILTINS = {"trap": trap}
