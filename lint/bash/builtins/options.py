"""`set`, `shopt`, `shift`, `getopts`, `enable`, `alias` and what else changes the shell itself."""

from __future__ import annotations

from collections.abc import Sequence

from lint.bash.builtins.option_letters import parted
from lint.bash.commands.simple import Call, write_unknown
from lint.bash.commands.writing import complain, write
from lint.bash.numbers import whole
from lint.bash.programs.joining import part
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.complaints import AssignmentFault
from lint.bash.state.options import LETTERS, NAMES, SHELL_OPTIONS
from lint.bash.state.state import Flow, Status
from lint.bash.state.variables import assign, scalar
from lint.bash.unknown import ExitStatus, is_list
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Span

_LIMIT = regular("[0-9]+|unlimited|hard|soft")


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
        if value in ("--", "-"):
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
    mode, for_set, status = "", False, 0
    if not any((word.value or "-")[0] != "-" for word in call.operands):
        write_unknown(call)
    for word in call.operands:
        value = word.value or ""
        if value.startswith("-"):
            mode = next((letter for letter in value if letter in "suqp"), mode)
            for_set = for_set or "o" in value
            continue
        options = state.options if for_set else state.shell_options
        if word.value is not None and value not in (NAMES if for_set else SHELL_OPTIONS):
            status = 1
            continue
        if mode in ("", "p"):
            line = _shown(value, value in options, mode, for_set)
            write(state, 1, Text((Known(line, Origin(call.span, "substitution")),)))
        if mode == "s":
            options |= {value}
        elif mode == "u":
            options -= {value}
        elif value not in options:
            status = 1
        if for_set:
            state.options = options
        else:
            state.shell_options = options
    return status


def _shown(name: str, on: bool, mode: str, for_set: bool) -> str:
    """An option as `shopt` and `shopt -p` print it."""
    if not mode:
        return f"{name:<15}\t{'on' if on else 'off'}\n"
    return f"set {'-' if on else '+'}o {name}\n" if for_set else f"shopt -{'s' if on else 'u'} {name}\n"


def shift(call: Call) -> Status:
    """`shift n`: an error if there are fewer parameters."""
    state = call.state
    count_text = call.operands[0].value if call.operands else "1"
    state.work += len(state.positional) >> 3
    if count_text is None or not count_text.isdecimal():
        return 1
    count = whole(count_text)
    if any(map(is_list, state.positional[:count])):
        state.positional = _behind(state.positional, count, call.span)
        return ExitStatus("exit status of shift", Origin(call.span, "substitution"), assumed=True)
    if count > len(state.positional):
        return 1
    state.positional = state.positional[count:]
    return 0


def _behind(words: Sequence[Text], count: int, span: Span) -> tuple[Text, ...]:
    """What `shift` leaves of words of which only a run can tell how many they are."""
    first = next(index for index, word in enumerate(words) if is_list(word))
    left = Text((Unknown("arguments that `shift` leaves", Origin(span, "expansion"), splits=True),))
    is_some = any(isinstance(piece, Known) and piece.text for piece in words[first].pieces)
    return (left, *words[count:]) if is_some and first == count - 1 else (left,)


def getopts(call: Call) -> Status:
    """`getopts optstring name [args]`."""
    state = call.state
    if len(call.operands) < 2:
        return 2
    form, name = call.operands[0].value, call.operands[1].value
    arguments = call.operands[2:] or state.positional
    index_text = scalar(state, "OPTIND", call.span)
    index_value = index_text.value if index_text is not None else "1"
    if form is None or name is None or index_value is None or not index_value.isdecimal():
        return ExitStatus("exit status of getopts", Origin(call.span, "substitution"), likely=1)
    index = max(1, whole(index_value))
    offset = state.option_index[1] if state.option_index[0] == index else 0
    silent = form.startswith(":")

    def store(target: str, text: Text) -> None:
        assign(state, target, None, text, call.span)

    def finish(option: str, argument: Text | None, index: int, offset: int, status: Status) -> Status:
        try:
            store(name, Text((Known(option, Origin(call.span, "positional", name)),)))
        except AssignmentFault:
            status = 2
        if argument is not None:
            store("OPTARG", argument)
        else:
            state.variables.pop("OPTARG", None)
        store("OPTIND", Text((Known(str(index), Origin(call.span, "positional", "OPTIND")),)))
        state.option_index = (index, offset)
        return status

    word = arguments[index - 1] if index <= len(arguments) else None
    value = word.value if word is not None else ""
    if value is None:
        return ExitStatus("exit status of getopts", Origin(call.span, "substitution"), likely=1)
    if offset == 0:
        if word is None or len(value) < 2 or not value.startswith("-"):
            return finish("?", None, index, 0, 1)
        if value == "--":
            return finish("?", None, index + 1, 0, 1)
        offset = 1
    letter, rest = value[offset], value[offset + 1 :]
    following = (index, offset + 1) if rest else (index + 1, 0)
    place = form.find(letter)
    origin = Origin(call.span, "positional", "OPTARG")
    allowed, wants = place >= 0 and letter != ":", form[place + 1 : place + 2] == ":"
    if not silent and (not allowed or (wants and not rest and index >= len(arguments))):
        complain(state, call.span)
    if not allowed:
        return finish("?", Text((Known(letter, origin),)) if silent else None, *following, 0)
    if not wants:
        return finish(letter, None, *following, 0)
    if rest and word is not None:
        return finish(letter, word.slice(offset + 1), index + 1, 0, 0)
    if index < len(arguments):
        return finish(letter, arguments[index], index + 2, 0, 0)
    return finish(":" if silent else "?", Text((Known(letter, origin),)) if silent else None, index + 1, 0, 0)


def umask(call: Call) -> Status:
    """`umask`, `ulimit`: assumed to work; what they print is unknown."""
    if not call.operands or (call.operands[-1].value or "").startswith("-"):
        write_unknown(call)
    elif call.name == "ulimit" and not _LIMIT.fullmatch(call.operands[-1].value or "0"):
        return 1
    return ExitStatus(f"exit status of `{call.name}`", Origin(call.span, "substitution"), assumed=True)


def quiet(call: Call) -> Status:
    """A builtin that does nothing which matters here."""
    return 0


def alias(call: Call) -> Status:
    """`alias name=text`: in a script it counts only after `shopt -s expand_aliases`."""
    state = call.state
    status: Status = 0
    for word in call.operands:
        name, equals, _ = word.shown.partition("=")
        if equals:
            state.aliases = {**state.aliases, name: part(word, len(name) + 1, len(word.shown))}
        elif name not in state.aliases and not name.startswith("-"):
            status = 1
    if not any("=" in word.shown for word in call.operands) and not status:
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
        return 2
    gone = {word.value for word in operands}
    missing = gone - state.aliases.keys()
    state.aliases = {name: text for name, text in state.aliases.items() if name not in gone}
    return int(bool(missing))


def compgen(call: Call) -> Status:
    """`compgen`: what it finds is the machine's; on an empty one, nothing."""
    listing(call)
    return ExitStatus("exit status of compgen", Origin(call.span, "substitution"), likely=1)


def compopt(call: Call) -> Status:
    """`compopt`: without a name, an error outside of completion."""
    _, operands = parted("compopt", call.operands)
    return ExitStatus("exit status of compopt", Origin(call.span, "substitution"), likely=1) if operands else 1


def enable(call: Call) -> Status:
    """`enable`: whether a builtin can be loaded from a library is the machine's."""
    if any(word.value == "-f" for word in call.operands):
        return ExitStatus("exit status of enable", Origin(call.span, "substitution"), likely=1)
    from lint.bash.builtins import BUILTINS

    names = [word.value for word in call.operands if word.value is not None and not word.value.startswith("-")]
    if not names:
        write_unknown(call)
    return int(any(name not in BUILTINS for name in names))


def listing(call: Call) -> Status:
    """A builtin whose output only a run could tell."""
    write_unknown(call)
    return ExitStatus(f"exit status of `{call.name}`", Origin(call.span, "substitution"), assumed=True)


BUILTINS = {
    "set": set_builtin,
    "alias": alias,
    "unalias": unalias,
    "shopt": shopt,
    "shift": shift,
    "getopts": getopts,
    "umask": umask,
    "ulimit": umask,
    "enable": enable,
    **dict.fromkeys(("complete", "history"), quiet),
    "compopt": compopt,
    "compgen": compgen,
    **dict.fromkeys(("caller", "fc", "times", "help", "bind", "hash"), listing),
}
