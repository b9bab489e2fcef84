"""`cd`, `pwd`, `pushd`, `popd`, `dirs`: the working directory, relative to the start folder or absolute."""

from __future__ import annotations

from lint.bash.builtins.option_letters import parted
from lint.bash.commands.simple import Call, write_unknown
from lint.bash.commands.writing import write
from lint.bash.numbers import whole
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.state.places import key_of, path_of
from lint.bash.state.state import Status
from lint.bash.state.variables import scalar
from lint.bash.unknown import ExitStatus
from lint.bash.words.special import place
from lint.regular import regular

_ROOTED = regular(r"/|\.\.?(?:/|\Z)|<")  # what CDPATH is not asked for, and what is not known
_PLACE = regular("[-+][0-9]+")


_OPTIONS = {"pushd": ("-n", "--", "-"), "popd": ("-n", "--", ""), "dirs": ("-c", "-l", "-p", "-v", "--")}


def _refusal(call: Call) -> int:
    """The status at an option that the stack of directories does not know, or a place that it does not have; else 0."""
    for word in call.operands:
        value = word.value
        if value is None or value == "--" or (call.name == "pushd" and value[:1] not in ("+", "-")):
            break
        if value in _OPTIONS[call.name]:
            continue
        if not _PLACE.fullmatch(value):
            return 2
        if whole(value[1:]) > len(call.state.directory_stack):
            return 1
    return 0


def _assumed(call: Call) -> Status:
    return ExitStatus(f"exit status of `{call.name}`", Origin(call.span, "substitution"), assumed=True)


def _go(call: Call, directory: str | None, text: Text | None = None) -> Status:
    state = call.state
    if directory is None:
        call.evaluator.streams += 1
        key = key_of(state, text) if text is not None else None
        state.unnamed = key if key is not None else f"\0{call.evaluator.streams}\0"
    state.previous_directory = state.directory
    state.directory = directory
    for name in ("PWD", "OLDPWD"):
        state.variables.pop(name, None)
    return _assumed(call)


def cd(call: Call) -> Status:
    """`cd`, `cd -`, `cd dir`."""
    state = call.state
    _, operands = parted("cd", call.operands)
    if not operands:
        home = scalar(state, "HOME", call.span)
        if home is None and "HOME" in state.variables:
            return 1  # it was unset
        if home is not None and home.value == "":
            return 0
        return _go(call, path_of(state, home) if home is not None else None, home)
    if len(operands) > 1 and not any(p for w in operands for p in w.pieces if not isinstance(p, Known)):
        return 1
    if operands[0].value == "-":
        return _go(call, state.previous_directory)
    if operands[0].value == "":
        return 0
    searched = scalar(state, "CDPATH", call.span)
    if searched is not None and searched.value != "" and not _ROOTED.match(operands[0].shown):
        write_unknown(call)
        return _go(call, None, operands[0])
    return _go(call, path_of(state, operands[0]), operands[0])


def pwd(call: Call) -> Status:
    """`pwd`: absolute, so its text is known only if the directory is absolute; it can be followed anyway."""
    text = place(call.state.directory, call.span, "PWD")
    write(call.state, 1, Text((*text.pieces, Known("\n", Origin(call.span, "substitution")))))
    return 0


def _list(call: Call, between: str = " ") -> None:
    """Print the stack of directories."""
    state, origin = call.state, Origin(call.span, "substitution")
    home = scalar(state, "HOME", call.span)
    known = home.value if home is not None else None
    pieces: list[Piece] = []
    state.work += len(state.directory_stack)
    for directory in (state.directory, *state.directory_stack):
        if known and directory is not None and f"{directory}/".startswith(f"{known}/"):
            pieces.append(Known("~" + directory[len(known) :], origin))
        elif known is None:
            pieces.append(Unknown("directory as the shell shows it", origin))
        else:
            pieces.extend(place(directory, call.span, "PWD").pieces)
        pieces.append(Known(between, origin))
    write(state, 1, Text((*pieces[:-1], Known("\n", origin))))


def pushd(call: Call) -> Status:
    """`pushd dir`; without an operand the two topmost directories change places."""
    state = call.state
    if refusal := _refusal(call):
        return refusal
    operands = [word for word in call.operands if word.value not in ("-n", "--")]
    if len(operands) > 1:
        return 1
    if not operands and call.operands and call.operands[0].value == "-n":
        return 0
    if not operands:
        if not state.directory_stack:
            return 1
        other = state.directory_stack[0]
        state.directory_stack = (state.directory, *state.directory_stack[1:])
        status = _go(call, other)
    else:
        state.directory_stack = (state.directory, *state.directory_stack)
        status = _go(call, path_of(state, operands[0]), operands[0])
    _list(call)
    return status


def popd(call: Call) -> Status:
    """`popd`."""
    state = call.state
    if refusal := _refusal(call):
        return refusal
    if not state.directory_stack:
        return 1
    back, state.directory_stack = state.directory_stack[0], state.directory_stack[1:]
    status = _go(call, back)
    _list(call)
    return status


def dirs(call: Call) -> Status:
    """`dirs`, with `-c` and `-p`; what else it can be asked for is not known."""
    if refusal := _refusal(call):
        return refusal
    option = call.operands[0].value if call.operands else ""
    if option == "-c":
        call.state.directory_stack = ()
    elif option in ("", "-p"):
        _list(call, "\n" if option else " ")
    else:
        write_unknown(call)
    return 0


BUILTINS = {"cd": cd, "pwd": pwd, "pushd": pushd, "popd": popd, "dirs": dirs}
