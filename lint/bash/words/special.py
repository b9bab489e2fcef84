"""Variables that the machine or bash itself sets: `HOME`, `PWD`, `LINENO`, `FUNCNAME`, `PIPESTATUS`, ..."""

from __future__ import annotations

from dataclasses import replace

from lint.bash.origins import derive, wrap
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.options import FROM_INPUT, FROM_TEXT
from lint.bash.state.state import State, Status, Unit
from lint.bash.unknown import DIGITS, Place
from lint.text import Span

# Set on every machine by bash itself or by a login; their values belong to the machine.
MACHINE = frozenset(
    [
        "BASHPID",
        "BASH_COMMAND",
        "BASH_VERSION",
        "BASH_VERSINFO",
        "COLUMNS",
        "DISPLAY",
        "EDITOR",
        "EPOCHREALTIME",
        "EPOCHSECONDS",
        "EUID",
        "GROUPS",
        "HISTFILE",
        "HISTSIZE",
        "HOME",
        "HOSTNAME",
        "HOSTTYPE",
        "LANG",
        "LANGUAGE",
        "LC_ALL",
        "LC_COLLATE",
        "LC_CTYPE",
        "LC_MESSAGES",
        "LC_NUMERIC",
        "LC_TIME",
        "LINES",
        "LOGNAME",
        "MACHTYPE",
        "MAIL",
        "OLDPWD",
        "OSTYPE",
        "PATH",
        "PPID",
        "PS1",
        "PS4",
        "PWD",
        "RANDOM",
        "SECONDS",
        "SHELL",
        "SHELLOPTS",
        "SHLVL",
        "SRANDOM",
        "TERM",
        "TMPDIR",
        "TZ",
        "UID",
        "USER",
        "XDG_CONFIG_HOME",
        "XDG_RUNTIME_DIR",
    ]
)

_NUMBERS = frozenset(("BASHPID", "EPOCHSECONDS", "EUID", "PPID", "RANDOM", "SECONDS", "SHLVL", "SRANDOM", "UID"))


def machine_value(name: str, span: Span) -> Text:
    """The value of a variable that only the machine knows."""
    characters = DIGITS if name in _NUMBERS else ""
    return Text((Unknown(f"value of ${name}", Origin(span, "environment", name), characters=characters),))


COMPUTED = frozenset(
    [
        "LINENO",
        "PWD",
        "OLDPWD",
        "FUNCNAME",
        "BASH_SOURCE",
        "BASH_LINENO",
        "PIPESTATUS",
        "DIRSTACK",
        "BASH_SUBSHELL",
        "BASHOPTS",
        "OPTIND",
        "IFS",
        "OPTERR",
        "PS4",
        "_",
        "BASH_ARGV0",
    ]
)


def computed_scalar(state: State, name: str, span: Span) -> Text | None:
    origin = Origin(span, "expansion", name)
    if name == "LINENO":
        return _line(state.unit.line(state.offset) if state.unit.counted else None, origin)
    if name == "PWD":
        return place(state.directory, span, "PWD")
    if name == "OLDPWD":
        return place(state.previous_directory, span, "OLDPWD")
    if name == "BASH_SUBSHELL":
        return Text((Known(str(state.level), origin),))
    if name == "IFS":
        return Text((Known(" \t\n", origin),))
    if name == "PS4":
        return Text((Known("+ ", origin),))
    if name in ("OPTIND", "OPTERR"):
        return Text((Known("1", origin),))
    if name == "_":
        return state.last_argument
    return machine_value(name, span)


def place(directory: str | None, span: Span, name: str) -> Text:
    """A directory as text: absolute ones are known, others are unknown but can be followed."""
    origin = Origin(span, "expansion", name)
    if directory is None:
        return Text((Unknown("working directory", origin),))
    if directory.startswith("/"):
        return Text((Known(directory, origin),))
    return Text((Place(place_reason(directory), origin, path=directory),))


def place_reason(path: str) -> str:
    """How the absolute name of a path that is relative to the start folder is called in messages."""
    return "working directory" if path == "." else f"absolute path of {path}"


def status_text(status: Status, span: Span, name: str = "?") -> Text:
    """An exit status as text."""
    if isinstance(status, Unknown):
        return Text((replace(status, origin=derive(span, "expansion", name, (status.origin,))),))
    return Text((Known(str(status), Origin(span, "expansion", name)),))


def _line(number: int | None, origin: Origin) -> Text:
    if number is None:
        return Text((Unknown("number of a line in a substitution", origin, characters=DIGITS),))
    return Text((Known(str(number), origin),))


def computed_array(state: State, name: str, span: Span) -> dict[int, Text] | None:
    """The elements of an array that bash keeps itself."""
    origin = Origin(span, "expansion", name)
    if name == "PIPESTATUS":
        return {i: status_text(status, span, name) for i, status in enumerate(state.pipe_status)}
    calls = state.calls
    of_file = not state.options & {FROM_TEXT, FROM_INPUT}  # a shell that runs no file has no entry for it
    if name == "FUNCNAME":
        if not state.frames and not state.broken_off:
            return {}
        names = [*(call.name for call in reversed(calls)), *["main"] * of_file]
        return {i: Text((Known(text, origin),)) for i, text in enumerate(names)}
    if name == "BASH_LINENO":
        lines = [*(call.line for call in reversed(calls)), *[0] * of_file]
        return {i: _line(line, origin) for i, line in enumerate(lines)}
    if name == "BASH_SOURCE":
        units = [*(call.file for call in reversed(calls)), *[calls[0].caller if calls else state.unit] * of_file]
        return {i: wrap(script_name(unit, span), span, "expansion", name) for i, unit in enumerate(units)}
    if name == "DIRSTACK":
        stack = (state.directory, *state.directory_stack)
        return {i: place(directory, span, name) for i, directory in enumerate(stack)}
    return None


def script_name(unit: Unit, span: Span) -> Text:
    """The name of the file that a text stands in, as bash has it: as it was called, from the start folder."""
    return unit.name if unit.name is not None else called_as(unit.source.path, span)


def called_as(path: str, span: Span) -> Text:
    """The name of the script itself. One that is read from standard input has none."""
    origin = Origin(span, "positional", "0")
    return Text((Place("path of the script", origin, path=path) if path == "-" else Known(path, origin),))
