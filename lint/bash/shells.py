"""Shells that a script starts: `bash file`, `bash -c text`, `bash <<EOF`. Their commands are read too."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lint.bash import processes, units
from lint.bash.budget import DEPTH
from lint.bash.reading import Known, Origin, Text
from lint.bash.state import FunctionBody, State, Unit
from lint.bash.unknown import ExitStatus, Place

if TYPE_CHECKING:
    from lint.bash.simple import Call


_SHELLS = frozenset(("bash", "sh", "/bin/bash", "/bin/sh", "/usr/bin/bash", "/usr/bin/sh"))


@dataclass(frozen=True, slots=True)
class _Inner:
    """What another shell is given to run."""

    text: Text | None  # a script as text (`-c`, standard input)
    path: Text | None
    name: Text
    arguments: tuple[Text, ...]
    options: frozenset[str]


def follow(call: Call) -> list[State] | None:
    """`bash file`, `bash -c text`, `bash <<EOF`: the commands of the inner script, after the command itself.

    They run in a process of their own: it has the exported variables, and no functions or options of this one. Each
    of them has the span of the starting command at the end of `called_from`.
    """
    if call.name not in _SHELLS:
        return None
    inner = _inner(call)
    evaluator, state = call.evaluator, call.state
    if inner is None or evaluator.depth >= DEPTH:
        return None
    child = _process(processes.start_child(evaluator, state), inner)
    if inner.text is not None:
        ends = units.evaluate_text(evaluator, child, inner.text, call.span, tested=False)
    else:
        from lint.bash.builtins.running import candidates

        script = None
        for path in candidates(state, inner.path) if inner.path is not None else ():
            script = units.script_at(evaluator, path)
            if script is not None:
                break
        if script is None:
            return None
        unit = Unit(script.source)
        evaluator.note_errors(script, unit)
        ends = units.run_unit(evaluator, child, unit, script, call.span, tested=False)
    processes.settle_into(evaluator, state, ends)
    origin = Origin(call.span, "substitution")
    state.status = ExitStatus(f"exit status of `{call.words[0].shown}`", origin, assumed=True)
    return [state]


def _inner(call: Call) -> _Inner | None:
    options: set[str] = set()
    words = list(call.words[1:])
    while words and (value := words[0].value) is not None and value[:1] in ("-", "+") and value != "-":
        words.pop(0)
        if value == "-c":
            if not words:
                return None
            name = words[1] if len(words) > 1 else call.words[0]
            return _Inner(words[0], None, name, tuple(words[2:]), frozenset(options))
        if value in ("-o", "+o") and words:
            options.add(words.pop(0).value or "")
        elif re.fullmatch(r"-[lixeuv]*c", value):
            options |= _letters(value[:-1])
            words.insert(0, Text((Known("-c", Origin(call.span, "literal")),)))
        elif re.fullmatch(r"-[lixeuv]+", value):
            options |= _letters(value)
        elif value == "-s":
            break
        elif not value.startswith("--"):
            return None
    if words:
        return _Inner(None, words[0], words[0], tuple(words[1:]), frozenset(options))
    stream = call.state.descriptors.get(0)
    given = call.state.inputs.get(stream) if stream else None
    return None if given is None else _Inner(given, None, call.words[0], (), frozenset(options))


def _letters(text: str) -> set[str]:
    names = {"e": "errexit", "u": "nounset", "x": "xtrace", "v": "verbose"}
    return {names[letter] for letter in text if letter in names}


def _process(state: State, inner: _Inner) -> State:
    """The state of a new shell."""
    state.variables = {
        name: replace(value, readonly=False, integer=False, case="")
        for name, value in state.variables.items()
        if value.exported and isinstance(value.content, Text)
    }
    state.functions = dict[str, FunctionBody]()
    state.frames = []
    state.positional = inner.arguments
    state.options = frozenset(("hashall", "braceexpand")) | inner.options
    state.shell_options = frozenset(("patsub_replacement", "sourcepath"))
    state.script_name = inner.name
    state.status = 0
    state.piped_into = None
    state.sourced = 0
    if inner.path is not None and inner.path.value is not None:
        origin = inner.path.pieces[0].origin
        state.script_name = Text((Place("path of the script", origin, path=inner.path.value),))
    return state
