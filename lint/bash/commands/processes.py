"""Subshells and substitutions: what a child process inherits, and what its end leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lint.bash.budget import ALTERNATIVES, DEPTH, LABEL
from lint.bash.origins import derive
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.state import written
from lint.bash.state.log import merge
from lint.bash.state.options import IN_PARENTHESES
from lint.bash.state.paths import either_output, either_status
from lint.bash.state.ropes import rope_pieces
from lint.bash.state.state import State, Status, Unit
from lint.bash.state.toggles import environment_name
from lint.bash.syntax import (
    ArithmeticFor,
    Case,
    Command,
    CommandSubstitution,
    For,
    Function,
    If,
    ProcessSubstitution,
    SimpleCommand,
    While,
)
from lint.bash.unknown import Choice, Once, Pipe
from lint.bash.walk import Nodes
from lint.regular import regular
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator


_PRINTED_IN_LINES = (If, For, While, ArithmeticFor, Case, Function)
_LINE_END = regular(r"\$'[^']*\\[ncxuU0-7]")  # which bash prints as a newline, perhaps


def new_stream(evaluator: Evaluator) -> int:
    """A number for a new pipe or document."""
    evaluator.streams += 1
    return evaluator.streams


def start_child(evaluator: Evaluator, state: State) -> State:
    """The state of a subshell as it starts."""
    evaluator.budget.steps -= 6 + (len(state.variables) >> 5)
    child = state.copy()
    child.subshell += 1
    child.level += 1
    child.waiting = None
    if state.traps:
        child.traps = inherited_traps(state)
    child.loops = 0
    return child


def start_for(evaluator: Evaluator, state: State, command: Command, background: bool) -> State:
    """The state of a process for one command: of a pipeline, or in the background."""
    child = start_child(evaluator, state)
    child.options -= {IN_PARENTHESES}
    if background:
        child.background = True
    later = not background or not isinstance(command, SimpleCommand)
    child.level -= later
    child.waiting = int(later)
    return child


def keep_trap_at_error(ends: Sequence[State], state: State) -> None:
    """An expansion ended a process before its command began: the EXIT trap of its parent has not been reset yet."""
    for end in ends if "EXIT" in state.traps else ():
        if end.flow is not None and end.waiting is not None:
            end.traps = {**end.traps, "EXIT": state.traps["EXIT"]}


def inherited_traps(state: State) -> Mapping[str, Text]:
    """The traps that a subshell has, too."""
    names = {"functrace": ("DEBUG", "RETURN"), "errtrace": ("ERR",)}
    kept = {name for option, those in names.items() if option in state.options for name in those}
    return {name: text for name, text in state.traps.items() if name in kept}


def settle_into(evaluator: Evaluator, state: State, ends: Sequence[State]) -> Status:
    """The ends of a subshell: its commands were run, its output written, its variables are gone."""
    if not ends:
        return 0
    for end in ends:
        evaluator.finish(end)
        end.flow = None
    first = ends[0]
    log, status = first.log, first.status
    for end in ends[1:]:
        log = merge(log, end.log)
        status = either_status(status, end.status)
    state.log = log
    written.settle(state, ends)
    for stream in state.outputs:
        rope = first.outputs.get(stream)
        for end in ends[1:]:
            rope = either_output(rope, end.outputs.get(stream))
        state.outputs[stream] = rope
    for stream in state.inputs:
        left = first.inputs.get(stream)
        state.inputs[stream] = left if all(end.inputs.get(stream) == left for end in ends[1:]) else None
    return status


def output_of(evaluator: Evaluator, ends: Sequence[State], stream: int, state: State) -> Text:
    """What was written to a stream, whichever way was taken."""
    texts = [Text(rope_pieces(end.outputs.get(stream))) for end in ends]
    if not texts:
        return Text(())
    first = texts[0]
    if all(text.shown == first.shown for text in texts[1:]):
        return first
    origin = Origin(state.unit.span(state.offset, state.offset), "substitution")
    reason = "output that depends on the way taken"
    alternatives: dict[str, Mapping[str, str]] = {}
    for end, text in zip(ends, texts, strict=True):
        value = text.value
        if value is None or len(alternatives) > ALTERNATIVES:
            return Text((Unknown(reason, origin),))
        alternatives.setdefault(value.rstrip("\n"), end.conditions)
    evaluator.choices = True
    return Text((Choice(reason, origin, alternatives=tuple((c, v) for v, c in alternatives.items())),))


def choose(evaluator: Evaluator, state: State) -> list[State]:
    """Fork where a variable was set to one of a few texts."""
    evaluator.choices = False
    found = _first_choice(state)
    if found is None:
        return [state]
    name, index, piece = found
    states = [state, *(state.copy() for _ in piece.alternatives[1:])]
    for fork, (conditions, text) in zip(states, piece.alternatives, strict=True):
        value = fork.variables[name]
        if not isinstance(value.content, Text):
            continue
        pieces = list(value.content.pieces)
        pieces[index] = Known(text, piece.origin)
        fork.variables[name] = value._replace(content=Text(tuple(pieces)))
        variable = environment_name(piece.origin)
        if variable:
            fork.decided = {**fork.decided, variable: text}
        if fork is not state:
            fork.conditions = {**fork.conditions, **({variable: text} if variable else conditions)}
    return [each for fork in states for each in choose(evaluator, fork)]


def capture(
    evaluator: Evaluator, state: State, run: Callable[[State], list[State]], inside: Unit | None = None
) -> Text:
    """What a subshell writes to its standard output. Its commands and exit status stay in `state`.

    `inside`: the text that they are in, if its lines have other numbers there.
    """
    child = start_child(evaluator, state)
    child.unit = inside or child.unit
    stream = new_stream(evaluator)
    child.descriptors[1] = stream
    child.outputs[stream] = None
    child.piped_into = None
    child.loops = state.loops  # `break` ends a substitution in a loop, though no other subshell
    if "inherit_errexit" not in child.shell_options:
        child.options -= {"errexit"}
    ends = run(child)
    for end in ends:
        end.status = 1 if end.flow is not None and end.flow.kind == "discard" else end.status
        end.loops = state.loops
        evaluator.finish(end)
        end.flow = None
    text = output_of(evaluator, ends, stream, state)
    state.status = settle_into(evaluator, state, ends)
    return text


def substitute(evaluator: Evaluator, state: State, node: CommandSubstitution) -> Text:
    """The output of `$(...)`, without the newlines at its end."""
    span = state.unit.span(node.start, node.end)
    if evaluator.depth >= DEPTH:
        evaluator.budget.report(span, f"command substitutions nested deeper than {DEPTH}")
        return Text((Unknown("nested too deep", Origin(span, "substitution")),))
    evaluator.depth += 1
    evaluator.substitutions += 1
    run = evaluator.substitutions
    lost = evaluator.budget.lost
    line = state.offset
    evaluator.file_shown = _redirection_alone(node)
    inside = _unit_inside(state, node)
    text = capture(evaluator, state, lambda child: evaluator.statements(node.body, [child], state.tested), inside)
    state.offset = line
    evaluator.depth -= 1
    if evaluator.budget.lost > lost:
        text = Text((Unknown("output of", Origin(span, "substitution")),))  # something in it was not read
    return _named(_without_last_lines(text), body_text(evaluator, state, node), span, run)


def _unit_inside(state: State, node: CommandSubstitution | ProcessSubstitution) -> Unit:
    """The text that a substitution is in, with the numbers that lines have inside.

    Bash prints what it has read between parentheses, and reads that again, from the line of the command around it.
    """
    unit = state.unit
    if not unit.asks_for_lines or not unit.counted:
        return unit
    text = unit.source.text[node.start : node.end]
    if "\n" in text or (text[0] != "`" and _is_printed_in_lines(node, text)):
        return replace(unit, counted=False)
    return replace(unit, first_line=unit.first_line + unit.line(state.offset) - unit.line(node.start))


def _is_printed_in_lines(node: CommandSubstitution | ProcessSubstitution, text: str) -> bool:
    nodes = Nodes(node.body)
    return _LINE_END.search(text) is not None or any(found for kind in _PRINTED_IN_LINES for found in nodes.of(kind))


def _redirection_alone(node: CommandSubstitution) -> SimpleCommand | None:
    """The command in `$(< file)`: what the file holds is its output."""
    if len(node.body) != 1 or len(node.body[0].pipelines) != 1:
        return None
    commands = node.body[0].pipelines[0].commands
    only = commands[0] if len(commands) == 1 else None
    if not isinstance(only, SimpleCommand) or only.words or only.assignments or len(only.redirections) != 1:
        return None
    return only if only.redirections[0].operator == "<" else None


def body_text(evaluator: Evaluator, state: State, node: CommandSubstitution) -> str:
    """The text between the parentheses, for messages."""
    text = state.unit.source.text[node.start : node.end]
    inside = text[2:-1] if text.startswith("$(") else text[1:-1]
    inside = " ".join(inside.split())
    return inside if len(inside) <= LABEL else inside[: LABEL - 3] + "..."


def connect(evaluator: Evaluator, state: State, node: ProcessSubstitution) -> Text:
    """The file that `<(...)` stands for; its commands are recorded."""
    span = state.unit.span(node.start, node.end)
    if evaluator.depth < DEPTH:
        evaluator.depth += 1
        status = state.status
        inside = _unit_inside(state, node)
        text = capture(evaluator, state, lambda child: evaluator.statements(node.body, [child], tested=True), inside)
        state.status = status
        evaluator.depth -= 1
        stream = new_stream(evaluator)
        state.inputs[stream] = text
        return Text((Pipe("name of a pipe", Origin(span, "substitution"), stream=stream),))
    return Text((Unknown("nested too deep", Origin(span, "substitution")),))


def close_pipes(states: Sequence[State], before: int) -> None:
    """After a statement, the pipes `<(...)` of it are closed: streams above `before` that no descriptor leads to."""
    for state in states:
        for stream in [number for number in state.inputs if number > before]:
            if stream not in state.descriptors.values():
                del state.inputs[stream]


def _first_choice(state: State) -> tuple[str, int, Choice] | None:
    """A variable whose value holds a choice that is open."""
    for name, value in state.variables.items():
        if isinstance(value.content, Text):
            for index, piece in enumerate(value.content.pieces):
                if isinstance(piece, Choice):
                    return name, index, piece
    return None


def _without_last_lines(text: Text) -> Text:
    """The text without newlines at its end, and without NUL, which no variable can hold."""
    pieces = list(text.pieces)
    for index, piece in enumerate(pieces):
        if isinstance(piece, Known) and "\0" in piece.text:
            pieces[index] = Known(piece.text.replace("\0", ""), piece.origin)
    index = len(pieces)
    while index:
        index -= 1
        last = pieces[index]
        if isinstance(last, Unknown):
            if last.characters:
                break
            continue  # it may be empty: whether the newlines before it stay is a part of what is not known
        kept = last.text.rstrip("\n")
        if kept:
            pieces[index] = Known(kept, last.origin)
            break
        del pieces[index]
    return Text(tuple(pieces))


def _named(text: Text, body: str, span: Span, run: int) -> Text:
    """An unknown output is named by the whole substitution."""
    if len(text.pieces) == 1 and isinstance(text.pieces[0], Unknown):
        only = text.pieces[0]
        if only.reason.startswith("output "):
            named = replace(
                only, reason=f"output of `{body}`", origin=derive(span, "substitution", None, (only.origin,))
            )
            plain = type(named) is Unknown
            return Text((Once(named.reason, named.origin, named.splits, named.characters, run) if plain else named,))
    return text
