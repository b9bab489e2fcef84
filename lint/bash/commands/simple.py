"""Simple commands: assignments, words, redirections; then a builtin, a function, or an external command."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from lint.bash.budget import DEPTH, WORDS
from lint.bash.builtins.option_letters import are_refused
from lint.bash.commands import traps, units
from lint.bash.commands.assigning import assign_node
from lint.bash.commands.keywords import placed_first
from lint.bash.commands.overlays import overlay_of, with_overlay
from lint.bash.commands.pipelines import run_bare
from lint.bash.commands.redirection import Ambiguous, apply, changed, restore
from lint.bash.commands.truth import FAULTS
from lint.bash.commands.writing import complain, write
from lint.bash.faults import NoMatch
from lint.bash.origins import derive, origins_of
from lint.bash.programs import effects, handing, outputs, shells
from lint.bash.reading import Known, Origin, OutputRedirection, RunCommand, Text, Unknown
from lint.bash.state import written
from lint.bash.state.entered import Entered
from lint.bash.state.log import append
from lint.bash.state.scopes import leave_function
from lint.bash.state.state import EMPTY, Flow, Frame, FunctionBody, State, Status, Value
from lint.bash.syntax import ArrayLiteral, Assignment, SimpleCommand
from lint.bash.unknown import ExitStatus, is_list
from lint.bash.walk import Nodes
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator

_ELEMENT = regular(r"[A-Za-z_]\w*\[.+\]\Z", re.ASCII | re.DOTALL)
_SILENT = frozenset(("false", "test", "[", "let", "read", "mapfile", "getopts", "shift", "shopt", "command", "builtin"))
"""Builtins that may fail without a word."""
_LENIENT = frozenset(("eval", "source", ".", "command"))
"""Builtins in which `set -e` does not count while they are part of a condition."""
_OF_NAMES = frozenset(
    ("alias", "bind", "command", "compgen", "complete", "dirs", "enable", "hash", "help", "pwd", "type")
)
"""Builtins that print names and texts of the machine, which are hardly ever numbers."""
Argument: TypeAlias = "Text | Assignment"


@frozen
class Call:
    """A command as it is run: what a builtin is given."""

    evaluator: Evaluator
    state: State
    name: str
    words: tuple[Text, ...]  # all words, the name first; assignments to a declaration builtin are in `arguments`
    word_spans: tuple[Span, ...]
    arguments: tuple[Argument, ...]  # after the name
    span: Span
    tested: bool
    outputs: tuple[OutputRedirection, ...] = ()

    @property
    def operands(self) -> tuple[Text, ...]:
        """The words after the name."""
        return self.words[1:]

    def of(self, operands: Sequence[Text]) -> Call:
        """The call of what the last of the words are: `command name ...`, `exec name ...`."""
        first = len(self.words) - len(operands)
        words = self.words[first:]
        return replace(
            self, name=words[0].value or "", words=words, word_spans=self.word_spans[first:], arguments=words[1:]
        )


def run(evaluator: Evaluator, node: SimpleCommand, state: State, tested: bool) -> list[State]:
    """Run a simple command."""
    if "DEBUG" not in state.traps or state.waiting is not None:  # it has run before the process was parted
        return _run(evaluator, node, state, tested)
    ends = traps.before_command(evaluator, state, node.line_at)
    return [after for end in ends for after in ([end] if end.flow is not None else _run(evaluator, node, end, tested))]


def _run(evaluator: Evaluator, node: SimpleCommand, state: State, tested: bool) -> list[State]:
    unit = state.unit
    state.offset = node.line_at
    if "keyword" in state.options:
        node = placed_first(node)
    try:
        if not node.words:
            return _assignments_only(evaluator, node, state)
        before = evaluator.substitutions
        words, spans, arguments = _expand(evaluator, state, node)
        if not words:
            return _assignments_only(evaluator, node, state, before)
        span = unit.span(node.start, node.end)
        return _dispatch(evaluator, node, state, words, spans, arguments, span, tested)
    except FAULTS as fault:
        return evaluator.fail(state, fault, unit.span(node.start, node.end))
    except Ambiguous:
        state.status = 1
        return [state]


def _expand(evaluator: Evaluator, state: State, node: SimpleCommand) -> tuple[list[Text], list[Span], list[Argument]]:
    words: list[Text] = []
    spans: list[Span] = []
    arguments: list[Argument] = []
    missing: NoMatch | None = None
    for item in node.words:
        if isinstance(item, Assignment):
            arguments.append(item)
            continue
        try:
            fields = evaluator.expander.fields(state, item)
        except NoMatch as fault:
            missing = missing or fault
            continue
        arguments += fields if words else fields[1:]
        words += fields
        spans += [state.unit.span(item.start, item.end)] * len(fields)
        if len(words) > WORDS:
            span = spans[-1]
            evaluator.budget.report(span, f"a command of more than {WORDS} words")
            rest = Text((Unknown("words that are too many to read", Origin(span, "expansion"), splits=True),))
            return [words[0], rest], [spans[0], span], [rest]
    if missing is not None:
        raise missing
    evaluator.budget.steps -= len(words) >> 4
    return words, spans, arguments


def _assignments_only(
    evaluator: Evaluator, node: SimpleCommand, state: State, substitutions: int | None = None
) -> list[State]:
    """Assignments without a command: the status is that of the last command substitution, or 0."""
    before = evaluator.substitutions if substitutions is None else substitutions
    for assignment in node.assignments:
        assign_node(evaluator, state, assignment)
    if evaluator.substitutions == before:
        state.status = 0
    state.last_argument = EMPTY
    if node.redirections:
        descriptors = dict(state.descriptors)
        apply(evaluator, state, node.redirections)
        if node is evaluator.file_shown:
            held = state.inputs.get(state.descriptors[0])
            unknown = Unknown("output of a file", Origin(state.unit.span(node.start, node.end), "substitution"))
            write(state, 1, Text((unknown,)) if held is None else written.without_line_ends(held))
        restore(state, descriptors, (*descriptors, *state.descriptors))
    return [state]


# --------------------------------------------------------------------------------------------------------- running


def _dispatch(
    evaluator: Evaluator,
    node: SimpleCommand,
    state: State,
    words: list[Text],
    spans: list[Span],
    arguments: list[Argument],
    span: Span,
    tested: bool,
) -> list[State]:
    name = words[0].value
    function = state.functions.get(name) if name is not None else None
    builtin = builtins().get(name) if name is not None and function is None and name not in state.disabled else None
    overlay = overlay_of(evaluator, state, node) if node.assignments else {}
    if state.waiting is not None:
        state.level += 0 if function is None and builtin is None else state.waiting
        state.waiting = None
    descriptors = dict(state.descriptors) if node.redirections else None
    try:
        outputs = apply(evaluator, state, node.redirections) if node.redirections else ()
    except FAULTS as fault:
        if function is not None or builtin is not None:
            raise
        evaluator.fail(state, fault, span)  # in the process of the command, which it ends
        state.flow = None
        return [state]
    except Ambiguous:
        state.status = 1
        state.last_argument = _last_argument(node, words, span)
        return [state]
    taken = () if descriptors is None else changed(node.redirections, descriptors, state.descriptors)
    call = Call(evaluator, state, name or "", tuple(words), tuple(spans), tuple(arguments), span, tested, outputs)
    evaluator.budget.steps -= 1
    if function is not None:
        states = with_overlay(
            state, overlay, lambda: call_function(evaluator, state, function, words[1:], span, tested)
        )
    elif builtin is not None:
        lenient, state.lenient = state.lenient, state.lenient or (tested and name in _LENIENT)
        states = with_overlay(state, overlay, lambda: run_builtin(call))
        for end in states:
            end.lenient = lenient
    else:
        states = external(call, overlay)
    if node is evaluator.replacing and function is None and units.program_of(words) not in builtins():
        evaluator.budget.report(span, "bash 5.2 ends the subshell around this sourced text here", lost=False)
        for end in states:
            end.flow = end.flow or Flow("exit")
    last = _last_argument(node, words, span)
    leaves = builtin is not None and name in ("return", "exit")
    for end in states:
        if end.flow is None or not (leaves or end.flow.kind == "discard"):  # which do not come back to set it
            end.last_argument = last
    if descriptors is not None and not (name == "exec" and len(words) == 1):
        for end in states:
            restore(end, descriptors, taken)
    return states


def _last_argument(node: SimpleCommand, words: Sequence[Text], span: Span) -> Text:
    """What `$_` gives after a command."""
    last = node.words[-1]
    if not isinstance(last, Assignment):
        text = words[-1].value
        if words[0].value == "alias" and text and "=" in text[1:]:
            return words[-1].slice(0, text.index("=", 1))  # `alias` cuts the value off
        if (
            words[0].value == "unset"
            and words[1:]
            and words[1].value not in ("-f", "-n")
            and _ELEMENT.match(text or "")
        ):
            return words[-1].slice(0, words[-1].shown.index("["))  # `unset` cuts the subscript off
        if is_list(words[-1]):
            origin = derive(span, "expansion", "_", origins_of(words[-1:]))
            return Text((Unknown(f"the last word of {words[-1].brief}", origin),))
        return words[-1]
    if isinstance(last.value, ArrayLiteral):
        return Text((Known(last.name, Origin(span, "literal")),))
    return Text((Unknown(f"the assignment to {last.name} as text", Origin(span, "literal")),))


@cache
def builtins() -> Mapping[str, Callable[[Call], Status | list[State]]]:
    """What each builtin does. They need this module, so that it asks for them late."""
    from lint.bash.builtins import BUILTINS

    return BUILTINS


def run_builtin(call: Call) -> list[State]:
    """Run a builtin; one that yields a status leaves its state as the only path."""
    state = call.state
    stream = state.descriptors.get(1)
    only_read = stream is not None and stream in state.inputs and stream not in state.outputs
    is_refused = are_refused(call.name, call.operands) and (
        call.name != "local" or state.frames != [] or call.operands[0].value == "--help"
    )
    result = 2 if is_refused else builtins()[call.name](call)
    if isinstance(result, list):
        return result
    if only_read and stream in state.outputs:  # it wrote to what was opened for reading
        del state.outputs[stream]
        result = 1
    state.status = result
    if result and isinstance(result, int) and (call.name not in _SILENT or (result > 1 and call.name in ("test", "["))):
        complain(state, call.span)
    return [state]


def call_function(
    evaluator: Evaluator, state: State, body: FunctionBody, arguments: Sequence[Text], span: Span, tested: bool
) -> list[State]:
    """Call a function of the script; afterwards its locals and its arguments are gone."""
    if len(state.frames) >= DEPTH or evaluator.depth >= 3 * DEPTH:
        evaluator.budget.report(span, f"functions nested deeper than {DEPTH}")
        for node in Nodes(body.definition).of(Assignment):
            unknown = Unknown("set in a call that was not read", Origin(span, "expansion", node.name))
            state.variables[node.name] = Value(Text((unknown,)))
        state.status = ExitStatus("exit status of a call that was not read", Origin(span, "expansion"), assumed=True)
        return [state]
    evaluator.budget.steps -= 2
    positional, unit, called_from = state.positional, state.unit, state.called_from
    loops, offset, calls, doubted = state.loops, state.offset, state.calls, state.doubted
    hidden = traps.hide(state, body.traced)
    state.calls = (*calls, Entered(body.definition.name, body.unit, unit, unit.line(offset) if unit.counted else None))
    state.frames.append(Frame())
    state.positional = tuple(arguments)
    state.unit = body.unit
    state.called_from = (*called_from, span)
    state.loops, state.doubted = 0, None
    states = traps.before_command(evaluator, state, body.definition.start)
    states = [end for each in states for end in run_bare(evaluator, body.definition.body, each, tested)]
    states = [end for each in states for end in traps.at_return(evaluator, each)]
    for end in states:
        traps.show_again(end, hidden)
        leave_function(end)
        end.positional, end.unit, end.called_from = positional, unit, called_from
        end.loops, end.offset, end.calls = end.loops if end.exits else loops, offset, calls
        end.broken_off = end.flow is not None and end.flow.kind == "discard"
        if end.flow is not None and end.flow.kind == "return":
            end.flow = None
    state.doubted = doubted
    return states


def external(call: Call, overlay: dict[str, Text]) -> list[State]:
    """Record a command that is not the shell's own; its output and status are unknown unless it is simple enough."""
    state = call.state
    record(call, call.words, call.word_spans, overlay)
    followed = with_overlay(state, overlay, lambda: shells.follow(call) or [])
    if followed:
        return followed
    result = outputs.output(call)
    effects.apply(call, result)
    reason = f"exit status of `{call.words[0].brief}`"
    status: Status = ExitStatus(reason, Origin(call.span, "substitution"), assumed=True)
    if result is not None:
        write(state, 1, result)
        status = 0
    elif state.descriptors.get(1) and not outputs.is_silent(call):
        origin = Origin(call.span, "substitution")
        unknown = Text((Unknown(f"output of `{_shown(call)}`", origin),))
        write(state, 1, unknown)
        if state.descriptors[1] in state.opened:
            write(state, 1, Text((Known("\n", origin),)))  # it is lines that are added to a file
    if state.descriptors.get(0) and call.name in outputs.READERS:
        state.inputs[state.descriptors[0]] = Text(()) if state.inputs.get(state.descriptors[0]) is not None else None
    state.status = status
    return [state]


def _shown(call: Call) -> str:
    shown = " ".join(word.shown for word in call.words)
    return shown if len(shown) <= 80 else shown[:77] + "..."


def record(call: Call, words: Sequence[Text], spans: Sequence[Span], overlay: dict[str, Text]) -> None:
    """Add a command to the log."""
    state = call.state
    exported: dict[str, Text] = {}
    for name, value in state.variables.items():
        if value.exported and not value.inherited:
            text = value.scalar()
            if text is not None:
                exported[name] = text
    exported.update(overlay)
    call.evaluator.budget.steps -= len(state.variables) >> 8
    environment = state.log.command.environment if state.log is not None else exported
    if environment != exported:  # else one is enough for all commands until it changes
        environment = exported
    state.log = append(
        state.log,
        RunCommand(
            span=call.span,
            words=tuple(words),
            word_spans=tuple(spans),
            environment=environment,
            scenario=state.conditions,
            redirections=call.outputs,
            piped_into=state.piped_into,
            pipefail="pipefail" in state.options,
            errexit="errexit" in state.options,
            nounset="nounset" in state.options,
            background=state.background,
            directory=state.directory,
            called_from=state.called_from,
            guards=state.guards,
            decided=state.decided,
            contents=handing.contents_of(call),
            starter=state.starter,
        ),
    )


def write_unknown(call: Call, reason: str = "") -> None:
    """Write what only a run could tell."""
    reason = reason or f"output of `{call.name}`"
    sources = (Origin(call.span, "environment"),) if call.name in _OF_NAMES else ()
    write(call.state, 1, Text((Unknown(reason, derive(call.span, "substitution", None, sources)),)))
