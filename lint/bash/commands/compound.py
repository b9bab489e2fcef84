"""Compound commands: groups, conditions, loops, functions. Each takes a state and yields the states after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lint.bash.budget import MERGED, PATHS
from lint.bash.commands import processes
from lint.bash.commands.decisions import TestFault
from lint.bash.commands.loops import run_arithmetic_for, run_for, run_while
from lint.bash.commands.redirection import redirected
from lint.bash.commands.selecting import run_select
from lint.bash.commands.traps import traced
from lint.bash.commands.truth import FAULTS, arithmetic_status, decided_by, in_order, span_of
from lint.bash.commands.writing import complain
from lint.bash.reading import GIVES_UP, Origin, Text, Unknown
from lint.bash.state.complaints import AssignmentFault
from lint.bash.state.log import apart
from lint.bash.state.options import IN_PARENTHESES
from lint.bash.state.paths import join
from lint.bash.state.state import FunctionBody, State, Value
from lint.bash.syntax import (
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Command,
    Coprocess,
    DoubleQuoted,
    For,
    Function,
    Group,
    If,
    Part,
    SimpleCommand,
    Statement,
    Subshell,
    Test,
    While,
    Word,
)
from lint.bash.unknown import likely_text
from lint.bash.walk import constant
from lint.bash.words import partly_known, pattern
from lint.bash.words.arithmetic_tokens import ArithmeticFault

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator


def run(evaluator: Evaluator, node: Command, state: State, tested: bool) -> list[State]:
    """Run a compound command with its redirections."""
    if isinstance(node, Function):
        before = state.functions.get(node.name)
        if before is not None and before.readonly:
            state.status = 1
            return [state]
        body = FunctionBody(node, state.unit, exported="allexport" in state.options)
        state.functions[node.name] = body if before is None else replace(before, definition=node, unit=state.unit)
        state.status = 0
        return [state]
    if isinstance(node, Coprocess):
        return _coprocess(evaluator, node, state)
    if state.waiting is not None:
        state.level += 0 if isinstance(node, Subshell) else state.waiting
        state.waiting = None
    if isinstance(node, Subshell):
        state.offset = max(node.start, node.end - 1)  # LINENO of a trap after it is that of its last line
    redirections = getattr(node, "redirections", ())
    if not redirections:
        return _body(evaluator, node, state, tested)
    return redirected(evaluator, state, node, redirections, lambda s: _body(evaluator, node, s, tested))


def _body(evaluator: Evaluator, node: Command, state: State, tested: bool) -> list[State]:
    if isinstance(node, Group):
        return evaluator.statements(node.body, [state], tested)
    if isinstance(node, If):
        return _if(evaluator, node, state, tested)
    if isinstance(node, For):
        return (run_select if node.select else run_for)(evaluator, node, state, tested)
    if isinstance(node, Case):
        return traced(evaluator, state, node.subject.end, lambda each: _case(evaluator, node, each, tested))
    if isinstance(node, Test):
        return traced(evaluator, state, node.end, lambda each: _test(evaluator, node, each))
    if isinstance(node, Subshell):
        return _subshell(evaluator, node, state, tested)
    if isinstance(node, While):
        return run_while(evaluator, node, state, tested)
    if isinstance(node, ArithmeticCommand):
        state.offset = node.end
        evaluator.guards.begin()
        return traced(
            evaluator, state, node.end, lambda each: arithmetic_status(evaluator, each, node.expression, node)
        )
    if isinstance(node, ArithmeticFor):
        return run_arithmetic_for(evaluator, node, state, tested)
    raise AssertionError(type(node))


def _subshell(evaluator: Evaluator, node: Subshell, state: State, tested: bool) -> list[State]:
    child = processes.start_child(evaluator, state)
    child.options |= {IN_PARENTHESES}
    ends = evaluator.statements(node.body, [child], tested)
    state.status = processes.settle_into(evaluator, state, ends)
    return [state]


def _coprocess(evaluator: Evaluator, node: Coprocess, state: State) -> list[State]:
    """It reads from a pipe, and writes to one; who is at their other ends cannot be told."""
    child = processes.start_child(evaluator, state)
    child.background = True
    child.descriptors[0] = processes.new_stream(evaluator)
    child.inputs[child.descriptors[0]] = None
    child.descriptors[1] = processes.new_stream(evaluator)
    child.outputs[child.descriptors[1]] = None
    processes.settle_into(evaluator, state, evaluator.command(node.command, child, False))
    origin = Origin(state.unit.span(node.start, node.end), "expansion", node.name or "COPROC")
    number = Text((Unknown("number of a descriptor", origin),))
    state.variables[node.name or "COPROC"] = Value({0: number, 1: number}, kind="indexed")
    state.variables[f"{node.name or 'COPROC'}_PID"] = Value(Text((Unknown("number of a process", origin),)))
    state.background_started = True
    state.status = 0
    return [state]


# ------------------------------------------------------------------------------------------------------ conditions


def _if(evaluator: Evaluator, node: If, state: State, tested: bool) -> list[State]:
    waiting = [state]
    done: list[State] = []
    most = PATHS
    bystander = state.copy() if len(node.branches) > 1 else state
    for condition, body in node.branches:
        if not waiting:
            _look_at(evaluator, condition, bystander.copy())
            continue
        still: list[State] = []
        for before in waiting:
            for after in evaluator.statements(condition, [before], True):
                if after.flow is not None:
                    done.append(after)
                    continue
                for decided in decided_by(evaluator, after, condition):
                    if decided.status == 0:
                        done.extend(evaluator.statements(body, [decided], tested))
                    else:
                        still.append(decided)
        waiting = still
        if len(done) > most:  # hundreds of `elif`: to put all their ways together at the end takes too long
            evaluator.budget.steps -= len(done) * apart(done[0].log, done[-1].log) >> MERGED
            done = join(done)
            most = PATHS + 2 * len(done)
    for before in waiting:
        if node.otherwise is None:
            before.status = 0
            done.append(before)
        else:
            done.extend(evaluator.statements(node.otherwise, [before], tested))
    return in_order(done)


def _look_at(evaluator: Evaluator, condition: Sequence[Statement], state: State) -> None:
    """An `elif` that is not reached: what it compares a toggle with are values of the toggle all the same."""
    commands = [command for statement in condition for line in statement.pipelines for command in line.commands]
    if all(
        isinstance(command, Test)
        or (isinstance(command, SimpleCommand) and command.words and constant(command.words[0]) in ("[", "test"))
        for command in commands
    ):
        required = dict(evaluator.required)
        evaluator.statements(condition, [state], True)
        evaluator.required = required


def _test(evaluator: Evaluator, node: Test, state: State) -> list[State]:
    state.offset = node.end
    evaluator.guards.begin()
    try:
        decision = evaluator.conditions.double(state, node.expression)
    except (ArithmeticFault, AssignmentFault) as fault:
        evaluator.budget.report(fault.span or span_of(state, node), f"{GIVES_UP}{fault}", lost=False)
        complain(state, span_of(state, node))
        state.status = 1
        return [state]
    except TestFault:
        complain(state, span_of(state, node))
        state.status = 2
        return [state]
    except FAULTS as fault:
        return evaluator.fail(state, fault, span_of(state, node))
    state.status = decision if isinstance(decision, Unknown) else int(not decision)
    return [state]


def _case(evaluator: Evaluator, node: Case, state: State, tested: bool) -> list[State]:
    state.offset = node.subject.end
    try:
        subject = evaluator.expander.subject(state, node.subject)
    except FAULTS as fault:
        return evaluator.fail(state, fault, span_of(state, node))
    evaluator.guards.begin()
    if subject.value == "":
        evaluator.guards.note_empty(subject)
    _watch(evaluator, node, state, subject)
    waiting: list[tuple[State, bool]] = [(state, False)]  # whether the item is entered without a look at its patterns
    entered_some: set[int] = set()  # the states that ran the body of an item
    done: list[State] = []
    for item in node.items:
        after_item: list[tuple[State, bool]] = []
        for before, entered in waiting:
            entering, passing = ([before], []) if entered else _match(evaluator, item.patterns, before, subject, node)
            after_item.extend((other, False) for other in passing if other.flow is None)
            done.extend(other for other in passing if other.flow is not None)
            for inside in entering:
                for end in evaluator.statements(item.body, [inside], tested):
                    entered_some.add(id(end))
                    if end.flow is not None or item.terminator == ";;":
                        done.append(end)
                    else:
                        after_item.append((end, item.terminator == ";&"))
        waiting = after_item
    for before, _ in waiting:
        before.status = before.status if id(before) in entered_some else 0
        done.append(before)
    return in_order(done)


def _match(
    evaluator: Evaluator, patterns: Sequence[Word], state: State, subject: Text, node: Case
) -> tuple[list[State], list[State]]:
    """The paths that enter an item, and those that go on to the next."""
    extglob, ignore_case = "extglob" in state.shell_options, "nocasematch" in state.shell_options
    text = subject.value
    unknown: list[Text] = []
    for word in patterns:
        try:
            shape = evaluator.expander.case_pattern(state, word)
        except FAULTS as fault:
            return [], evaluator.fail(state, fault, span_of(state, word))
        value = shape.value
        if value is not None and (value.strip("*") == "" and value):
            if not unknown:
                return [state], []
            unknown.append(shape)
        elif text is not None and value is not None:
            state.work += len(text) >> 6
            if pattern.matches(text, value, extglob, ignore_case):
                return [state], []
        elif value is not None:
            sure = partly_known.matches(subject, value, extglob, ignore_case)
            if sure and not unknown:
                return [state], []
            if sure is not False:
                unknown.append(shape)
        else:
            unknown.append(shape)
    if not unknown:
        return [], [state]
    evaluator.forks += 1
    guess = likely_text(subject)
    likely = any(pattern.matches(guess, likely_text(shape), extglob, ignore_case) for shape in unknown)
    other = state.copy()
    source = state.unit.source
    label = evaluator.label(state, node.start, node.subject.end)
    value = " ".join(source.text[patterns[0].start : patterns[-1].end].split())
    if likely:
        other.conditions = {**other.conditions, label: f"not {value}"}
        return [state], [other]
    other.conditions = {**other.conditions, label: value}
    return [other], [state]


def _watch(evaluator: Evaluator, node: Case, state: State, subject: Text) -> None:
    """The literal patterns of a `case` may be the values of a toggle."""
    texts = [_literal_text(word.parts) for item in node.items for word in item.patterns]
    values = [text for text in texts if text is not None and not pattern.has_pattern(text, True)]
    if values:
        evaluator.compared(state, subject, values)


def _literal_text(parts: Sequence[Part]) -> str | None:
    """The text of parts that hold no expansion."""
    texts: list[str] = []
    for part in parts:
        text = _literal_text(part.parts) if isinstance(part, DoubleQuoted) else getattr(part, "text", None)
        if text is None:
            return None
        texts.append(text)
    return "".join(texts)
