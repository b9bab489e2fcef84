"""Other texts that a script runs: strings given to `eval`, sourced files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from lint.bash.budget import DEPTH, LABEL
from lint.bash.commands import aliases
from lint.bash.commands.writing import complain
from lint.bash.parser import parse
from lint.bash.parsing.cursor import behind
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state import unknown_texts
from lint.bash.state.options import FROM_TEXT, IN_PARENTHESES
from lint.bash.state.state import UNKNOWN_TEXT, Flow, State, Unit
from lint.bash.syntax import HereDocument, Pipeline, Redirection, Script, SimpleCommand, Statement, Subshell
from lint.bash.unknown import ExitStatus, is_one_word
from lint.bash.walk import Nodes
from lint.regular import regular
from lint.text import Source, Span

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator


def evaluate_text(
    evaluator: Evaluator,
    state: State,
    text: Text,
    span: Span,
    tested: bool,
    name: Text | None = None,
    line: int = 1,
    called: Text | None = None,
) -> list[State]:
    """`eval`: run a text as a script, in this state; `name` is that of a file that the script wrote, `line` the number
    of its first line, `called` what BASH_SOURCE says of functions in it, if it is no file.

    A part that is not known is read as if it held no blank, quote or operator; where that is not sure, it is said.
    """
    if not any(isinstance(piece, Known) and piece.text.strip() for piece in text.pieces) and text.value is None:
        evaluator.budget.report(span, f"text that is not known is run as a script: {text.shown[:LABEL]}")
        unknown_texts.may_all_have_changed(state, text, span)
        state.status = ExitStatus("exit status of a text that is not known", Origin(span, "substitution"), assumed=True)
        return [state]
    if evaluator.depth >= DEPTH:
        evaluator.budget.report(span, f"eval, source and functions nested deeper than {DEPTH}")
        return [state]
    value = "".join(piece.text if isinstance(piece, Known) else UNKNOWN_TEXT for piece in text.pieces)
    evaluator.budget.steps -= 20 + (len(value) >> 2)
    if evaluator.budget.exhausted:
        return [state]
    for piece in text.pieces:
        if isinstance(piece, Unknown) and not is_one_word(piece):
            shown = f"<unknown: {piece.reason[:LABEL]}>"
            reason = f"this is run as a script, and read as if {shown} in it were part of a word"
            evaluator.budget.report(span, reason, lost=False)
    if (len(value) - len(value.rstrip("\\"))) % 2:
        value += "\\"  # at the end of a string, unlike at the end of a file, a backslash stands for itself
    source = Source(state.unit.source.path if name is None else name.shown, value)
    script = parse(source, extglob="extglob" in state.shell_options)
    unit = Unit(
        source,
        text.pieces or (Known("", Origin(span, "literal")),),
        line,
        called or name or state.unit.name,
        extended=script.extended,
        counted=state.unit.counted,
    )
    evaluator.note_errors(script, unit)
    broken = script.sound is not None
    if script.sound is not None and text.value is not None:
        script = replace(script, body=script.sound)
    sourced = called is not None or name is not None
    ends = run_unit(evaluator, state, unit, script, span, tested, sourced) if script.body or not broken else [state]
    for end in ends if broken else ():
        end.status = 2
        complain(end, span)
        if "errexit" in end.options and not tested and end.flow is None:
            end.flow = Flow("exit")  # without an ERR trap
    return ends


def run_unit(
    evaluator: Evaluator, state: State, unit: Unit, script: Script, span: Span, tested: bool, sourced: bool = False
) -> list[State]:
    """Run another text in this state; afterwards the state is back in its own."""
    evaluator.budget.steps -= 5
    if state.aliases and not unit.aliases and aliases.active(state):
        unit, script = aliases.read_with(evaluator, state, unit)
    outer, called_from, offset, loops = state.unit, state.called_from, state.offset, state.loops
    doubted, state.doubted = state.doubted, None
    if sourced and outer.counted and (outer.asks_for_lines or unit.asks_for_lines):
        unit = replace(unit, entered=outer.line(offset))
    state.unit, state.offset = unit, -1 if unit.entered else 0
    state.called_from = (*called_from, span)
    if not script.body:
        state.status = 0
    evaluator.depth += 1
    replacing, evaluator.replacing = evaluator.replacing, _replacing(state, script) if sourced else None
    states = evaluator.statements(script.body, [state], tested, top=True)
    evaluator.replacing = replacing
    evaluator.depth -= 1
    for end in states:
        end.unit, end.called_from, end.offset, end.loops = outer, called_from, offset, loops
    state.doubted = doubted
    return states


def is_given_up(state: State) -> bool:
    """Whether an error that ends all texts and functions ends the one that runs: any but the script of the shell."""
    outside = 0 if state.starter is None else len(state.starter.called_from) + 1
    return FROM_TEXT in state.options or len(state.called_from) > outside


def _replacing(state: State, script: Script) -> SimpleCommand | None:
    """The program that bash 5.2 starts in the place of a subshell in parentheses: the last of a text that it sources.

    It must end a line of several commands, have no redirection, and no trap may be set.
    """
    if IN_PARENTHESES not in state.options or not script.body:
        return None
    if any(text.value != "" and name not in ("DEBUG", "RETURN") for name, text in state.traps.items()):
        return None
    last, text = script.body[-1], script.source.text
    line = last.pipelines[-1]
    only = line.commands[-1] if line.commands else None
    joined = last.operators or (
        len(script.body) > 1
        and not script.body[-2].background
        and "\n" not in text[script.body[-2].end : last.start].replace("\\\n", "")
    )
    if not joined or len(line.commands) != 1 or line.negated or line.timed or last.background:
        return None
    ends = isinstance(only, SimpleCommand) and not only.redirections and text[only.end :].strip(" \t;") in ("", "\n")
    return only if ends and isinstance(only, SimpleCommand) else None


def program_of(words: Sequence[Text]) -> str | None:
    """The name of what runs: behind `command`, but for questions like `command -v`."""
    rest = [word.value for word in words]
    while len(rest) > 1 and rest[0] == "command" and not (rest[1] or "").startswith(("-v", "-V")):
        rest = rest[2:] if rest[1] in ("-p", "--") else rest[1:]
    return rest[0] if rest else None


_LINE_REST = regular(r"(?:[ \t;&]|\\\n)*(?:#[^\n]*)?")


def is_last_of_line(text: str, body: Sequence[Statement], index: int) -> bool:
    """Whether bash runs a statement before it reads the one behind it."""
    return index + 1 == len(body) or text.startswith("\n", _rest_of_line(text, body[index]))


def line_end(text: str, body: Sequence[Statement], index: int) -> int:
    """Where the lines end that bash has read when it runs a statement: all that continues it, and its documents."""
    last = index
    while not is_last_of_line(text, body, last):
        last += 1
    documents = [document.end for node in body[index : last + 1] for document in Nodes(node).of(HereDocument)]
    return max(_rest_of_line(text, body[last]), *documents, 0)


def _rest_of_line(text: str, node: Statement) -> int:
    """Where the line or the next statement begins behind a statement and its redirections."""
    redirections = [redirection.end for redirection in Nodes(node).of(Redirection)]
    return behind(_LINE_REST, text, max(node.end, *redirections, 0))


def lose_count(states: Sequence[State], body: Sequence[Statement], index: int) -> None:
    """Behind a subshell that is piped on, bash 5.2 goes on counting lines as if all it has read ended there."""
    text = states[0].unit.source.text
    for line in Nodes(body[index]).of(Pipeline):
        for command in line.commands[:-1]:
            if isinstance(command, Subshell) and "\n" in text[command.end : line_end(text, body, index)]:
                for state in states:
                    state.unit = replace(state.unit, counted=False)
                return


def run_in_place(evaluator: Evaluator, states: list[State], unit: Unit, script: Script, tested: bool) -> list[State]:
    """Run the rest of a text that was parsed anew, in the place of what it was; it ends where bash rejects it now."""
    outer = states[0].unit
    written = evaluator.scripts.get(unit.source.path)
    sound = script.sound if written is not None and written.sound is None else None
    for state in states:
        state.unit = unit if state.flow is None else state.unit
    states = evaluator.statements(script.body if sound is None else sound, states, tested, top=True)
    for end in states:
        end.unit = outer
        if sound is not None and end.flow is None:
            end.status, end.flow = 2, None if end.called_from else Flow("exit")
    return states


@lru_cache(maxsize=16)
def _tree(source: Source) -> Script:
    """Scripts of one folder source and start the same files, in every reading of each."""
    return parse(source)


def script_at(evaluator: Evaluator, path: str, extglob: bool = False) -> Script | None:
    """The syntax tree of a file of the checkout, read by a shell with or without `extglob`."""
    if path not in evaluator.scripts:
        source = evaluator.files.read(path)
        evaluator.scripts[path] = None if source is None else _tree(source)
    script = evaluator.scripts[path]
    if script is not None:
        evaluator.reached.append(script.source.path)
        if extglob and aliases.EXTENDED.search(script.source.text):
            return parse(script.source, extglob=True)
    return script
