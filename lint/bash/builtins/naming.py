"""`command`, `builtin` and `type`: what a name is, and how to run it as that."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lint.bash.budget import DEPTH
from lint.bash.builtins.operands import behind_dashes
from lint.bash.builtins.option_letters import parted
from lint.bash.commands.simple import Call, builtins, external, run_builtin
from lint.bash.commands.writing import write
from lint.bash.faults import TooLong
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state.state import State, Status
from lint.bash.unknown import ExitStatus

KEYWORDS = frozenset(
    (
        *("if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do", "done", "in"),
        *("function", "time", "{", "}", "!", "[[", "]]", "coproc"),
    )
)


def command(call: Call) -> list[State] | Status:
    """`command name ...` runs a builtin or program, never a function; `command -v name` asks what a name is."""
    options, operands = parted("command", call.operands)
    if options.keys() & {"v", "V"}:
        return kind_of(call, operands, "V" in options)
    return _nested(call.of(operands), run_named) if operands else 0


def builtin(call: Call) -> list[State] | Status:
    """`builtin name ...`."""
    words = behind_dashes(call.operands)
    if not words:
        return 0
    named = call.of(words)
    return _nested(named, run_builtin) if _is_builtin(call.state, named.name) else 1


def _is_builtin(state: State, name: str | None) -> bool:
    return name in builtins() and name not in state.disabled


def _nested(call: Call, run: Callable[[Call], list[State]]) -> list[State]:
    """`command command command ...` to a depth. Raises TooLong."""
    if call.evaluator.depth > 4 * DEPTH:
        raise TooLong
    call.evaluator.depth += 1
    try:
        return run(call)
    finally:
        call.evaluator.depth -= 1


def run_named(call: Call) -> list[State]:
    """Run what a name is but for functions: a builtin or a program."""
    return run_builtin(call) if _is_builtin(call.state, call.name) else external(call, {})


def kind_of(call: Call, names: Sequence[Text], in_words: bool = False, functions: bool = True) -> Status:
    """`command -v`, `type`: known for functions, builtins and keywords; whether a program exists is unknown."""
    missing: list[Status] = []
    origin = Origin(call.span, "substitution")
    for name in names:
        value = name.value
        if value is not None and _word_for(call.state, value, functions) is not None:
            text: Known | Unknown = Known(value + "\n", origin)
            if in_words:
                text = Unknown(f"what `{value}` is, in words", origin)
        else:
            text = Unknown(f"path of {name.brief}", origin)
            missing.append(ExitStatus(f"whether {name.brief} is installed", origin, likely=1))
        if call.state.descriptors.get(1):
            write(call.state, 1, Text((text,)))
    if call.name == "command" and len(missing) < len(names):
        return 0  # one of them is enough
    return missing[0] if missing else 0


def type_builtin(call: Call) -> Status:
    """`type name`, with `-t`, `-f` (no functions) and `-P` (programs only)."""
    options, names = parted("type", call.operands)
    if "P" in options:
        return _programs(call, names)
    if "t" in options and len(names) == 1 and call.state.descriptors.get(1):
        value = names[0].value
        kind = None if value is None else _word_for(call.state, value, "f" not in options)
        if kind is not None:
            write(call.state, 1, Text((Known(kind + "\n", Origin(call.span, "substitution")),)))
            return 0
    return kind_of(call, names, in_words=True, functions="f" not in options)


def _programs(call: Call, names: Sequence[Text]) -> Status:
    """`type -P`: what is on PATH, whatever else has the name."""
    origin = Origin(call.span, "substitution")
    for name in names if call.state.descriptors.get(1) else ():
        write(call.state, 1, Text((Unknown(f"path of {name.brief}", origin),)))
    return ExitStatus(f"whether {names[0].brief} is installed", origin, likely=1) if names else 0


def _word_for(state: State, name: str, functions: bool) -> str | None:
    """What `type -t` calls a name that is the shell's own."""
    if name in KEYWORDS:
        return "keyword"
    if functions and name in state.functions:
        return "function"
    return "builtin" if _is_builtin(state, name) else None


BUILTINS = {"command": command, "builtin": builtin, "type": type_builtin}
