"""`set`, `shopt`, `shift`, `getopts`, `enable`, `alias` and what else changes the shell itself."""

from __future__ import annotations

from lint.bash.builtins.option_letters import parted
from lint.bash.commands.simple import Call, write_unknown
from lint.bash.commands.writing import write
from lint.bash.reading import Known, Origin, Text
from lint.bash.state.options import LETTERS, NAMES, SHELL_OPTIONS
from lint.bash.state.state import Flow, Status
from lint.bash.unknown import ExitStatus
from lint.frozen import frozen


def set_builtin(call: Call) -> Status:
    """`set`: options, then positional parameters."""
    state = call.state
    asked = _asked(call)
    if asked is None:
        return 2
    for name, on in asked.options:
        if name is None:
            continue
        if name not in NAMES:
            return 2  # what stands before it holds
        state.options = state.options | {name} if on else state.options - {name}
    if asked.positional is not None:
        state.positional = asked.positional
    if asked.lists:
        write_unknown(call)
    if "onecmd" in state.options:
        call.evaluator.budget.report(call.span, "`set -t`: bash ends behind this line, which is read on")
    if "noexec" in state.options:
        if state.frames and state.frames[-1].options is not None:  # which the end of the function brings back
            state.flow = Flow("return")
            return 0
        if state.subshell == 0:
            call.evaluator.budget.report(call.span, "`set -n`: nothing after it is run, nor read", lost=False)
        state.traps = {}
        state.flow = Flow("exit")
        return ExitStatus("exit status behind `set -n`", Origin(call.span, "substitution"))
    return 0


@frozen
class _Asked:
    """What the words of `set` ask for: options by name (None: a name that is not known) to switch on or off."""

    options: tuple[tuple[str | None, bool], ...]
    positional: tuple[Text, ...] | None
    lists: bool


def _asked(call: Call) -> _Asked | None:
    """None where a letter is no option: then nothing is done."""
    words = list(call.operands)
    options: list[tuple[str | None, bool]] = []
    positional: tuple[Text, ...] | None = None
    lists = not words
    while words:
        value = words[0].value
        if value in ("--", "-", "+"):
            positional = tuple(words[1:]) if value == "--" or words[1:] else positional
            if value == "-":
                options += [("xtrace", False), ("verbose", False)]
            break
        if value is None or len(value) < 2 or value[0] not in "-+":
            positional = tuple(words)
            break
        words.pop(0)
        for letter in value[1:]:
            if letter == "o" and (not words or words[0].value == "" or (words[0].value or "")[:1] in ("-", "+")):
                lists = True
            elif letter == "o":
                options.append((words.pop(0).value, value[0] == "-"))
            elif letter in LETTERS:
                options.append((LETTERS[letter], value[0] == "-"))
            else:
                return None
    return _Asked(tuple(options), positional, lists)


def shopt(call: Call) -> Status:
    """`shopt -s`, `-u`, `-q`, and with `-o` the options of `set`; with none of these it prints."""
    state = call.state
    letters, operands = parted("shopt", call.operands)
    on, off, for_set = "s" in letters, "u" in letters, "o" in letters
    if on and off:
        return 1
    if not operands:
        write_unknown(call)
    status = 0
    for word in operands:
        value = word.value or ""
        options = state.options if for_set else state.shell_options
        if word.value is not None and value not in (NAMES if for_set else SHELL_OPTIONS):
            status = int(status or not (for_set and (on or off)))  # bash 5.2 forgets the error of `shopt -so`
            continue
        if not (on or off or "q" in letters):
            line = _shown(value, value in options, "p" in letters, for_set)
            write(state, 1, Text((Known(line, Origin(call.span, "substitution")),)))
        if on:
            options |= {value}
        elif off:
            options -= {value}
        elif value not in options:
            status = 1
        if for_set:
            state.options = options
        else:
            state.shell_options = options
    return status


def _shown(name: str, on: bool, as_command: bool, for_set: bool) -> str:
    """An option as `shopt` and `shopt -p` print it."""
    if not as_command:
        return f"{name:<15}\t{'on' if on else 'off'}\n"
    return f"set {'-' if on else '+'}o {name}\n" if for_set else f"shopt -{'s' if on else 'u'} {name}\n"


BUILTINS = {"set": set_builtin, "shopt": shopt}
