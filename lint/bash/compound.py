"""Compound commands: groups, conditions, loops, functions. Each takes a state and yields the states after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lint.bash import pattern
from lint.bash.arithmetic import ArithmeticFault, Number
from lint.bash.budget import TURNS
from lint.bash.conditions import TestFault
from lint.bash.expansion import Fatal
from lint.bash.paths import join, widen
from lint.bash.reading import Known, Origin, Text, Unknown
from lint.bash.redirection import redirected
from lint.bash.state import Flow, FunctionBody, State
from lint.bash.syntax import (
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Command,
    Coprocess,
    For,
    Function,
    Group,
    If,
    Statement,
    Subshell,
    Test,
    While,
    Word,
)
from lint.bash.unknown import ExitStatus, likely_text
from lint.bash.variables import AssignmentFault, Unbound, assign
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator

UNKNOWN_TURNS = 3  # of a loop whose end is not known, before what it changes is taken as unknown
PATHS_OF_A_LOOP = 4

Faults = (Fatal, Unbound, ArithmeticFault, AssignmentFault)


def run(evaluator: Evaluator, node: Command, state: State, tested: bool) -> list[State]:
    """Run a compound command with its redirections."""
    if isinstance(node, Function):
        state.functions[node.name] = FunctionBody(node, state.unit)
        state.status = 0
        return [state]
    if isinstance(node, Coprocess):
        return _coprocess(evaluator, node, state)
    redirections = getattr(node, "redirections", ())
    if not redirections:
        return _body(evaluator, node, state, tested)
    return redirected(evaluator, state, redirections, lambda s: _body(evaluator, node, s, tested))


def _body(evaluator: Evaluator, node: Command, state: State, tested: bool) -> list[State]:
    if isinstance(node, Group):
        return evaluator.statements(node.body, [state], tested)
    if isinstance(node, If):
        return _if(evaluator, node, state, tested)
    if isinstance(node, For):
        return _for(evaluator, node, state, tested)
    if isinstance(node, Case):
        return _case(evaluator, node, state, tested)
    if isinstance(node, Test):
        return _test(evaluator, node, state)
    if isinstance(node, Subshell):
        return _subshell(evaluator, node, state, tested)
    if isinstance(node, While):
        return _while(evaluator, node, state, tested)
    if isinstance(node, ArithmeticCommand):
        state.offset = node.start
        return _arithmetic(evaluator, state, node.expression, node)
    if isinstance(node, ArithmeticFor):
        return _arithmetic_for(evaluator, node, state, tested)
    raise AssertionError(type(node))


def _span(state: State, node: Command | Statement | Word) -> Span:
    return state.unit.span(node.start, node.end)


def _subshell(evaluator: Evaluator, node: Subshell, state: State, tested: bool) -> list[State]:
    ends = evaluator.statements(node.body, [evaluator.child(state)], tested)
    state.status = evaluator.settle_into(state, ends)
    return [state]


def _coprocess(evaluator: Evaluator, node: Coprocess, state: State) -> list[State]:
    child = evaluator.child(state)
    child.background = True
    evaluator.settle_into(state, evaluator.command(node.command, child, False))
    state.background_started = True
    state.status = 0
    return [state]


# ------------------------------------------------------------------------------------------------------ conditions


def _if(evaluator: Evaluator, node: If, state: State, tested: bool) -> list[State]:
    waiting = [state]
    done: list[State] = []
    for condition, body in node.branches:
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
    for before in waiting:
        if node.otherwise is None:
            before.status = 0
            done.append(before)
        else:
            done.extend(evaluator.statements(node.otherwise, [before], tested))
    return _ordered(done)


def decided_by(evaluator: Evaluator, state: State, condition: Sequence[Statement]) -> list[State]:
    """Fork on the status of the last statement of a condition."""
    return evaluator.decide(state, condition[-1]) if condition else [state]


def _ordered(states: list[State]) -> list[State]:
    """The states, the one under the fewest conditions (the first path) first."""
    if len(states) > 1:
        states.sort(key=lambda state: len(state.conditions))
    return states


def _test(evaluator: Evaluator, node: Test, state: State) -> list[State]:
    state.offset = node.start
    try:
        decision = evaluator.conditions.double(state, node.expression)
    except ArithmeticFault as fault:
        evaluator.budget.report(_span(state, node), f"bash gives up here: {fault}")
        state.status = 1
        return [state]
    except TestFault:
        state.status = 2
        return [state]
    except Faults as fault:
        return evaluator.fail(state, fault, _span(state, node))
    state.status = decision if isinstance(decision, Unknown) else int(not decision)
    return [state]


def _arithmetic(evaluator: Evaluator, state: State, expression: Word, node: Command | Word) -> list[State]:
    """`((...))`: true if the value is not 0."""
    try:
        value = evaluator.expander.arithmetic(state, expression)
    except (ArithmeticFault, AssignmentFault) as fault:
        evaluator.budget.report(_span(state, node), f"bash gives up here: {fault}")
        state.status = 1
        return [state]
    except Faults as fault:
        return evaluator.fail(state, fault, _span(state, node))
    state.status = truth(value)
    return [state]


def truth(value: Number) -> int | Unknown:
    """The exit status that a number stands for."""
    if isinstance(value, Unknown):
        likely = likely_text(Text((value,)))
        return ExitStatus(f"truth of {value.reason}", value.origin, likely=0 if likely.strip("0") else 1)
    return int(value == 0)


def _case(evaluator: Evaluator, node: Case, state: State, tested: bool) -> list[State]:
    state.offset = node.start
    try:
        subject = evaluator.text_of(state, node.subject)
    except Faults as fault:
        return evaluator.fail(state, fault, _span(state, node))
    _watch(evaluator, node, state, subject)
    waiting: list[tuple[State, bool]] = [(state, False)]  # whether the item is entered without a look at its patterns
    done: list[State] = []
    for item in node.items:
        after_item: list[tuple[State, bool]] = []
        for before, entered in waiting:
            entering, passing = ([before], []) if entered else _match(evaluator, item.patterns, before, subject, node)
            after_item.extend((other, False) for other in passing if other.flow is None)
            done.extend(other for other in passing if other.flow is not None)
            for inside in entering:
                for end in evaluator.statements(item.body, [inside], tested):
                    if end.flow is not None or item.terminator == ";;":
                        done.append(end)
                    else:
                        after_item.append((end, item.terminator == ";&"))
        waiting = after_item
    for before, entered in waiting:
        before.status = before.status if entered else 0
        done.append(before)
    return _ordered(done)


def _match(
    evaluator: Evaluator, patterns: Sequence[Word], state: State, subject: Text, node: Case
) -> tuple[list[State], list[State]]:
    """The paths that enter an item, and those that go on to the next."""
    ignore_case = "nocasematch" in state.shell_options
    text = subject.value
    unknown: list[Text] = []
    for word in patterns:
        try:
            shape = evaluator.expander.pattern(state, word)
        except Faults as fault:
            return [], evaluator.fail(state, fault, _span(state, word))
        value = shape.value
        if value is not None and (value.strip("*") == "" and value):
            if not unknown:
                return [state], []
            unknown.append(shape)
        elif text is not None and value is not None:
            if pattern.matches(text, value, True, ignore_case):
                return [state], []
        else:
            unknown.append(shape)
    if not unknown:
        return [], [state]
    guess = likely_text(subject)
    likely = any(pattern.matches(guess, likely_text(shape), True, ignore_case) for shape in unknown)
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
    values: list[str] = []
    for item in node.items:
        for word in item.patterns:
            if all(type(part).__name__ in ("Literal", "Quoted", "DoubleQuoted") for part in word.parts):
                try:
                    shape = evaluator.expander.text(state, word).value
                except Faults:
                    continue
                if shape is not None and not pattern.has_pattern(shape, True):
                    values.append(shape)
    if values:
        evaluator.compared(state, subject, values)


# ------------------------------------------------------------------------------------------------------------ loops


@dataclass(slots=True)
class _Loop:
    """The paths of a loop: those that take the next turn, and those that have left it."""

    evaluator: Evaluator
    body: Sequence[Statement]
    tested: bool
    span: Span
    left: list[State]

    def turn(self, states: Sequence[State]) -> list[State]:
        """Run the body on every path; the paths that go on with the next turn."""
        going: list[State] = []
        for state in states:
            state.loops += 1
            for end in self.evaluator.statements(self.body, [state], self.tested):
                end.loops -= 1
                flow = end.flow
                if flow is None:
                    going.append(end)
                elif flow.kind == "continue" or flow.kind == "break":
                    inner = flow.count <= 1 or end.loops == 0
                    end.flow = None if inner else replace(flow, count=flow.count - 1)
                    (going if inner and flow.kind == "continue" else self.left).append(end)
                else:
                    self.left.append(end)
        return join(going) if len(going) > 1 else going

    def ends(self, going: list[State], narrow: bool = False) -> list[State]:
        """All paths after the loop: few, whatever the number of turns."""
        states = self.left + going if not going else going + self.left
        states = join(_ordered(states)) if len(states) > 1 else states
        if len(states) > (1 if narrow else PATHS_OF_A_LOOP):
            states = widen(states, "depends on how often a loop runs", self.span)
        return states


def _for(evaluator: Evaluator, node: For, state: State, tested: bool) -> list[State]:
    state.offset = node.start
    try:
        items = list(state.positional) if node.words is None else evaluator.expander.words(state, node.words)[0]
    except Faults as fault:
        return evaluator.fail(state, fault, _span(state, node))
    evaluator.budget.steps -= len(items) >> 4
    if not items:
        state.status = 0
    loop = _Loop(evaluator, node.body, tested, _span(state, node), [])
    going = [state]
    narrow = False
    end = node.words[-1].end if node.words else node.start
    label = evaluator.label(state, node.start, end)
    for turn, item in enumerate(items):
        if not going or evaluator.budget.exhausted:
            break
        if turn >= TURNS:
            evaluator.budget.report(loop.span, f"only the first {TURNS} turns of this loop were read")
            break
        skipping: list[State] = []
        splits = any(isinstance(piece, Unknown) and piece.splits for piece in item.pieces)
        if splits or node.select:
            narrow = True
            skipping = [before.copy() for before in going]
            for before in going:
                before.conditions = {**before.conditions, label: "true"}
            item = Text(tuple(replace(p, splits=False) if isinstance(p, Unknown) else p for p in item.pieces))
        if node.select:
            choice = Unknown("choice of the user", Origin(loop.span, "expansion", node.name))
            item = Text((choice,))
        ready: list[State] = []
        for before in going:
            try:
                assign(before, node.name, None, item, loop.span)
                ready.append(before)
            except Faults as fault:
                loop.left.extend(evaluator.fail(before, fault, loop.span))
        before_turn = len(ready)
        going = join([*skipping, *loop.turn(ready)]) if skipping else loop.turn(ready)
        narrow = narrow or (len(going) + len(loop.left) > before_turn and len(items) > PATHS_OF_A_LOOP)
        if node.select:
            break
    return loop.ends(going, narrow)


def _while(evaluator: Evaluator, node: While, state: State, tested: bool) -> list[State]:
    def condition(before: State) -> list[State]:
        states = evaluator.statements(node.condition, [before], True)
        decided: list[State] = []
        for after in states:
            if after.flow is not None and after.flow.kind in ("break", "continue"):
                decided.append(after)
                continue
            for each in decided_by(evaluator, after, node.condition) if after.flow is None else [after]:
                if node.until and each.flow is None:
                    each.status = int(each.status == 0)
                decided.append(each)
        return decided

    return _turns(evaluator, node, state, tested, condition, None)


def _arithmetic_for(evaluator: Evaluator, node: ArithmeticFor, state: State, tested: bool) -> list[State]:
    state.offset = node.start
    states = [state] if node.initial is None else _arithmetic(evaluator, state, node.initial, node.initial)
    if states[0].flow is not None or (node.initial is not None and not _evaluates(states[0])):
        return states

    def condition(before: State) -> list[State]:
        if node.condition is None:
            before.status = 0
            return [before]
        ends = _arithmetic(evaluator, before, node.condition, node.condition)
        return [d for end in ends for d in (evaluator.decide(end, node) if end.flow is None else [end])]

    def step(before: State) -> list[State]:
        return [before] if node.step is None else _arithmetic(evaluator, before, node.step, node.step)

    return _turns(evaluator, node, states[0], tested, condition, step)


def _evaluates(state: State) -> bool:
    return state.status in (0, 1) or isinstance(state.status, Unknown)


def _turns(
    evaluator: Evaluator,
    node: While | ArithmeticFor,
    state: State,
    tested: bool,
    condition: Callable[[State], list[State]],
    step: Callable[[State], list[State]] | None,
) -> list[State]:
    """Turns of a loop while its condition holds, on every path."""
    loop = _Loop(evaluator, node.body, tested, _span(state, node), [])
    going = [state]
    unknown_turns = turn = 0
    remembered: list[State] = []
    while going and not evaluator.budget.exhausted:
        turn += 1
        inside: list[State] = []
        for before in going:
            before_status = before.status if turn > 1 else 0
            before.loops += 1
            ends = condition(before)
            unknown_turns += len(ends) > 1
            for after in ends:
                after.loops -= 1
                if after.flow is not None and after.flow.kind in ("break", "continue"):
                    loop.left.append(after)
                    after.flow = None if after.flow.count <= 1 else replace(after.flow, count=after.flow.count - 1)
                elif after.flow is not None:
                    loop.left.append(after)
                elif after.status == 0:
                    inside.append(after)
                else:
                    after.status = before_status
                    loop.left.append(after)
        if turn & (turn - 1) == 0:
            remembered = [each.copy() for each in inside]
        else:
            inside = [each for each in inside if not any(each.same(old) for old in remembered)]
        if turn > TURNS or unknown_turns > UNKNOWN_TURNS:
            if turn > TURNS:
                evaluator.budget.report(loop.span, f"only the first {TURNS} turns of this loop were read")
            loop.left.extend(inside)
            return loop.ends([], narrow=True)
        going = loop.turn(inside)
        if step is not None:
            going = [after for before in going for after in step(before)]
            loop.left.extend(each for each in going if each.flow is not None)
            going = [each for each in going if each.flow is None]
        unknown_turns += len(going) + len(loop.left) > 1 and turn > 1
    if not loop.left and not going and remembered:
        return _endless(evaluator, loop, remembered)
    return loop.ends(going, narrow=unknown_turns > 1)


def _endless(evaluator: Evaluator, loop: _Loop, states: list[State]) -> list[State]:
    """A loop that nothing ends: what follows it is not run."""
    for state in states[:1]:
        state.flow = Flow("exit")
        state.status = ExitStatus("exit status of a loop that does not end", Origin(loop.span, "expansion"))
    return states[:1]


__all__ = ["Known", "run", "truth"]
