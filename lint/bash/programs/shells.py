"""Shells that a script starts, itself or through other programs: `bash file`, `ssh host text`, `srun bash -c text`,
`sbatch file`. Their commands are read too."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lint.bash.budget import DEPTH, LABEL
from lint.bash.commands import processes, units
from lint.bash.programs import batches
from lint.bash.programs.handing import Handed, handed_on
from lint.bash.programs.joining import joined_as_arguments, joined_as_keys, joined_by_blanks, joined_for_windows
from lint.bash.programs.launchers import Step, is_launcher, steps, texts
from lint.bash.reading import Known, Origin, RunCommand, Text, Unknown
from lint.bash.state import written
from lint.bash.state.options import FROM_INPUT, FROM_TEXT, INITIAL, INITIAL_SHELL_OPTIONS, LETTERS
from lint.bash.state.outside import Outside
from lint.bash.state.places import path_of
from lint.bash.state.state import FunctionBody, State, Unit, Value
from lint.bash.unknown import ExitStatus
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Source

if TYPE_CHECKING:
    from lint.bash.commands.simple import Call


_SHELLS = frozenset(("bash", "sh", "dash", "ash", "ksh"))
_JOIN = {
    "blanks": joined_by_blanks,
    "windows": joined_for_windows,
    "keys": joined_as_keys,
    "arguments": joined_as_arguments,
}
_SHELL_SCRIPT = regular(r"#!\s*\S*/(env\s+(-S\s+)?)?(ba|da|a|k)?sh\b|(?!#!)")
_OTHER_LANGUAGES = (".py", ".pl", ".rb", ".js", ".lua")
"""Endings of files that bash would read as its own if nobody says by what they are run; what they hold is no bash."""


@frozen
class _Inner:
    """What another shell is given to run."""

    text: Text | None  # a script as text (`-c`, standard input)
    path: Text | None
    name: Text
    arguments: tuple[Text, ...] = ()
    options: frozenset[str] = frozenset()
    shell_options: frozenset[str] = frozenset()
    refused: int | None = None  # the status with which it ends at an option that it does not know
    certain: bool = True  # it is a script of the shell; else only if its first line says so


def follow(call: Call) -> list[State] | None:
    """The commands of the shell that a command starts, after the command itself; None if it starts none.

    They run in a process of their own: it has the variables and functions that it is handed, and no options of this
    shell. Each of them has the span of the starting command at the end of `called_from`.
    """
    first = call.words[0].value
    if first is None or not (_is_shell(first) or "/" in first or is_launcher(first)):
        return None
    way = steps(texts(call.words))
    position = way[-1].after if way and way[-1].what == "command" else 0
    if call.words[position].value in batches.PROGRAMS:
        return batches.run(replace(call, name=call.words[position].value or "", words=call.words[position:]))
    inner = _inner(call, way)
    evaluator, state = call.evaluator, call.state
    if inner is not None and inner.refused is not None and not way:
        state.status = inner.refused
        return [state]
    if inner is None or inner.refused is not None:
        return None
    if inner.path is not None:
        states = written.forks(evaluator, state, inner.path)
        if len(states) > 1:
            return [end for each in states for end in follow(replace(call, state=each)) or [each]]
    if evaluator.depth >= DEPTH:
        evaluator.budget.report(call.span, f"shells nested deeper than {DEPTH}")
        return None
    files = state.files
    child = processes.start_child(evaluator, state)
    starter = state.log.command if state.log else None
    _become(child, inner, handed_on(way, call.words, starter.contents if starter else {}), call, starter)
    if FROM_INPUT in inner.options:
        child.inputs[child.descriptors[0]] = None  # what is left of it, which its commands may read, is not known
    ends = _run(call, child, inner)
    if ends is None:
        return None
    for end in ends:
        given_up = end.flow is not None and end.flow.kind == "exit" and end.flow.forced
        if given_up and FROM_TEXT in inner.options and "errexit" not in end.options:
            end.status = 127  # as bash has it
    status = processes.settle_into(evaluator, state, ends)
    if any(step.launcher.elsewhere for step in way):
        state.files = files  # those that it wrote are on another machine
    if not isinstance(status, int) or not all(step.launcher.status for step in way):
        reason = f"exit status of `{call.words[0].brief}`"
        status = ExitStatus(reason, Origin(call.span, "substitution"), assumed=True)
    state.status = status
    return [state]


def _run(call: Call, child: State, inner: _Inner) -> list[State] | None:
    evaluator = call.evaluator
    if inner.text is not None:
        return units.evaluate_text(evaluator, child, inner.text, call.span, tested=False)
    from lint.bash.builtins.running import candidates
    from lint.bash.commands.redirection import piped_text

    piped = None if inner.path is None else piped_text(child, inner.path)
    if piped is not None:
        return units.evaluate_text(evaluator, child, piped, call.span, False, inner.path)
    if inner.path is not None and written.find(evaluator, child, inner.path) is not None:
        return _run_written(call, child, inner.path)
    script = None
    for path in candidates(call.state, inner.path) if inner.path is not None else ():
        script = units.script_at(evaluator, path)
        if script is not None:
            break
    if script is None:
        if inner.certain and inner.path is not None:
            evaluator.budget.report(call.span, _not_read(inner.path))
        return None
    if not inner.certain and not _is_script(script.source):
        return None
    unit = Unit(script.source, name=inner.path, extended=script.extended)
    evaluator.note_errors(script, unit)
    return units.run_unit(evaluator, child, unit, script, call.span, tested=False)


def _is_script(source: Source) -> bool:
    """Whether a file that is started by its path is a script of a shell: by its first line, or else by its name."""
    by_name = source.text.startswith("#!") or not source.path.endswith(_OTHER_LANGUAGES)
    return by_name and _SHELL_SCRIPT.match(source.text) is not None


def _not_read(path: Text) -> str:
    """Why the file that is run as a script was not read."""
    if path.value is not None:
        return f"{path.shown[:LABEL]} is run as a script, but is not a file of the checkout"
    only = path.pieces[0] if len(path.pieces) == 1 else None
    which = only.reason if isinstance(only, Unknown) else path.shown
    return f"a script is run here, and which one is not known: {which[:LABEL]}"


def _run_written(call: Call, child: State, path: Text) -> list[State] | None:
    """A file that the script wrote."""
    found = written.content(call.evaluator, child, path)
    if found is None:
        reason = f"{path.shown[:LABEL]} is run as a script, but what the script left in it is not known"
        call.evaluator.budget.report(call.span, reason)
        return None
    first = found.pieces[0] if found.pieces else None
    if isinstance(first, Known) and not _SHELL_SCRIPT.match(first.text):
        return None
    return units.evaluate_text(call.evaluator, child, found, call.span, False, path)


def _inner(call: Call, way: Sequence[Step]) -> _Inner | None:
    last = way[-1] if way else None
    position = last.after if last is not None else 0
    words = call.words[position:]
    if last is not None and last.what == "text":
        shell = _unknown_name(call, f"name of the shell that {last.name} starts")
        first = words[0].slice(last.offset)
        if last.alone:
            return _Inner(first, None, shell)
        return _Inner(_JOIN[last.launcher.join]([first, *words[1:]]), None, shell)
    if last is not None and last.what == "script":
        inner = _Inner(None, words[0], words[0], words[1:]) if words else _given(call)
        copy = _unknown_name(call, f"path to which {last.name} copies the script")
        return None if inner is None else replace(inner, name=copy)
    if last is not None and last.what != "command":
        return None
    name = words[0].value
    if name is not None and _is_shell(name):
        return _shell(call, words)
    if name is not None and "/" in name:
        return _Inner(None, words[0], words[0], words[1:], certain=False)
    return None


def _unknown_name(call: Call, reason: str) -> Text:
    return Text((Unknown(reason, Origin(call.span, "positional", "0")),))


_LONG_OPTIONS = frozenset(
    ("debugger", "init-file", "login", "noediting", "noprofile", "norc", "posix", "rcfile", "restricted", "verbose")
)
_LETTERS = frozenset("abcefhiklmnoprstuvxBCDEHOPT")  # that bash knows as options


def _is_shell(name: str) -> bool:
    return name in _SHELLS or posixpath.basename(name) in _SHELLS


def _given(call: Call, arguments: tuple[Text, ...] = ()) -> _Inner | None:
    """A script on standard input."""
    stream = call.state.descriptors.get(0)
    given = call.state.inputs.get(stream) if stream else None
    return None if given is None else _Inner(given, None, call.words[0], arguments, frozenset((FROM_INPUT,)))


def _shell(call: Call, shell: Sequence[Text]) -> _Inner | None:
    """What the words of a shell give it to run: all options come first, wherever `-c` and `-s` stand among them."""
    letters = ""
    named: set[str] = set()
    switched: set[str] = set()
    is_bash = posixpath.basename(shell[0].value or "") == "bash"
    words = list(shell[1:])
    while words and (value := words[0].value) is not None and value[:1] in ("-", "+"):
        words.pop(0)
        if value in ("-", "--"):
            break
        if value.startswith("--"):
            if value[2:] not in _LONG_OPTIONS:
                return None  # it says so, and ends
            del words[: value in ("--rcfile", "--init-file")]
            continue
        unknown = next((place for place, letter in enumerate(value) if place and letter not in _LETTERS), None)
        if unknown is not None and is_bash:
            known = letters + value[:unknown] if value[0] == "-" else letters
            return _Inner(None, None, shell[0], refused=1 if "e" in known else 2)
        if value == "+" and is_bash:
            continue  # no letters at all
        if not value[1:].isalpha():
            return None  # so does it here
        letters += value[1:] if value[0] == "-" else ""
        for letter in re.findall("[oO]", value):  # each takes a word of its own: `-euo pipefail`
            name = words.pop(0).value if words else None
            if name and value[0] == "-":
                (named if letter == "o" else switched).add(name)
    if "n" in letters:
        return None  # the script is only parsed
    inner = _to_run(call, shell, words, letters)
    if inner is None:
        return None
    options = inner.options | named | {LETTERS[letter] for letter in letters if letter in LETTERS}
    return replace(inner, options=options, shell_options=frozenset(switched))


def _to_run(call: Call, shell: Sequence[Text], words: Sequence[Text], letters: str) -> _Inner | None:
    """What a shell runs, by the letters of its options and the words behind them."""
    if "c" in letters:
        name = words[1] if len(words) > 1 else shell[0]
        return _Inner(words[0], None, name, tuple(words[2:]), frozenset((FROM_TEXT,))) if words else None
    if words and "s" not in letters:
        return _Inner(None, words[0], words[0], tuple(words[1:]))
    return _given(call, tuple(words))


def _handed(function: FunctionBody) -> FunctionBody:
    """An exported function in the shell that gets it."""
    return replace(function, unit=_called(function.unit, "environment"))


def _called(unit: Unit, name: str) -> Unit:
    """A text that stands in no file, with what BASH_SOURCE says of its functions."""
    return replace(unit, name=Text((Known(name, Origin(unit.span(0, 0), "expansion", "BASH_SOURCE")),)))


def _become(state: State, inner: _Inner, handed: Handed, call: Call, starter: RunCommand | None) -> None:
    """Make a child the state of a new shell."""
    exported = {
        name: value for name, value in state.variables.items() if value.exported and isinstance(value.content, Text)
    }
    own = {name: value.content for name, value in exported.items() if isinstance(value.content, Text)}
    state.variables = {}
    said = [name for name, value in exported.items() if value.inherited]
    for name, text in handed.variables(own, said).items():
        value = exported.get(name)
        if value is not None and value.content is text:
            state.variables[name] = value._replace(readonly=False, integer=False, case="")
        else:
            inherited = value is not None and value.inherited and name not in handed.given
            state.variables[name] = Value(text, exported=True, inherited=inherited)
    state.functions = {} if handed.elsewhere else {n: _handed(f) for n, f in state.functions.items() if f.exported}
    for option, name in ((FROM_TEXT, "environment"), (FROM_INPUT, "main")):
        if option in inner.options:
            state.unit = _called(state.unit, name)
    given = handed.gives if handed.elsewhere or handed.hands_on == "nothing" else (*state.outside.given, *handed.gives)
    if given or handed.elsewhere:
        state.outside = Outside(given, handed.elsewhere or state.outside.place, state.outside.ran)
    for name in filter(state.outside.gives, handed.removed):
        state.variables[name] = Value(None)
    state.frames = []
    state.aliases = {}
    state.positional = inner.arguments
    state.options = INITIAL | inner.options
    state.shell_options = INITIAL_SHELL_OPTIONS | inner.shell_options
    state.script_name = inner.name
    state.status = 0
    state.piped_into = None
    state.calls = ()
    state.level = 0
    state.waiting = None
    state.joins = False
    state.starter = starter
    named = path_of(state, handed.directory) if handed.directory is not None else None
    if handed.elsewhere:
        state.directory = None
        state.files = {}
    if named is not None:
        state.directory = None if handed.copied and (named.startswith("/") or "://" in named) else named
