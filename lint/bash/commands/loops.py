"""Loops: turns on every path, until the condition fails on all of them or too many turns are taken."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lint.bash.budget import TURNS
from lint.bash.commands import traps
from lint.bash.commands.truth import FAULTS, arithmetic_value, decided_by, in_order, span_of, truth
from lint.bash.commands.writing import complain
from lint.bash.reading import Origin, Text, Unknown
from lint.bash.state.complaints import AssignmentFault
from lint.bash.state.paths import blur, join, widen
from lint.bash.state.references import refer
from lint.bash.state.state import Flow, State
from lint.bash.state.unknown_values import unknown_like
from lint.bash.state.variables import assign
from lint.bash.syntax import ArithmeticFor, For, Statement, While
from lint.bash.unknown import ExitStatus, is_list
from lint.regular import regular
from lint.text import Span

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator


NAME = regular(r"[A-Za-z_]\w*", re.ASCII)
UNKNOWN_TURNS = 3  # of a loop whose end is not known, before what it changes is taken as unknown
UNDECIDED_TURNS = 64  # of a loop that goes on as known, each with a condition inside that only a run could decide
UNDECIDED_STEPS = 12_000  # that such a loop takes before it is cut off: most of them go on no longer
PATHS_OF_A_LOOP = 4


@dataclass(slots=True)
class Loop:
    """The paths of a loop: those that take the next turn, and those that have left it."""

    evaluator: Evaluator
    body: Sequence[Statement]
    tested: bool
    span: Span
    left: list[State]
    before: State
    undecided: int = 0  # turns in which a condition was met that only a run could decide
    steps: int = field(init=False)  # of the budget before the first turn

    def __post_init__(self) -> None:
        self.steps = self.evaluator.budget.steps

    @property
    def is_undecided(self) -> bool:
        """Whether it is time to stop: its turns do not decide anything, and take long."""
        taken = self.steps - self.evaluator.budget.steps
        return self.undecided >= UNDECIDED_TURNS and taken > UNDECIDED_STEPS

    def turn(self, states: Sequence[State]) -> list[State]:
        """Run the body on every path; the paths that go on with the next turn."""
        going: list[State] = []
        for state in states:
            state.loops += 1
            going.extend(self.going_on(self.evaluator.statements(self.body, [state], self.tested)))
        return join(going) if len(going) > 1 else going

    def going_on(self, states: Sequence[State]) -> list[State]:
        """Those paths at the end of a turn, or of what comes before it, that go on with the next one."""
        going: list[State] = []
        for end in states:
            flow = end.flow
            end.loops -= flow is None or flow.kind not in ("discard", "exit")  # bash forgets that these left the loop
            if flow is None:
                going.append(end)
            elif flow.kind == "continue" or flow.kind == "break":
                inner = flow.count <= 1
                end.flow = None if inner else replace(flow, count=flow.count - 1)
                (going if inner and flow.kind == "continue" else self.left).append(end)
            else:
                self.left.append(end)
        return going

    def traced(self, states: Sequence[State], offset: int) -> tuple[list[State], list[State]]:
        """The paths that take a turn after the DEBUG trap, and those that `continue` in it leads past that."""
        ready: list[State] = []
        passing: list[State] = []
        for state in states:
            state.loops += 1
            for end in traps.before_command(self.evaluator, state, offset):
                (ready if end.flow is None else passing).append(end)
        for end in ready:
            end.loops -= 1
        return ready, self.going_on(passing)

    def assigned(self, states: Sequence[State], name: str, item: Text) -> list[State]:
        """The paths that take a turn with an item; those that cannot have left the loop."""
        ready: list[State] = []
        for state in states:
            if state.flow is not None:
                self.left.append(state)
                continue
            try:
                value = state.variables.get(name)
                if value is not None and value.reference:
                    refer(state, name, value, item)
                else:
                    assign(state, name, None, item, self.span)
                ready.append(state)
            except AssignmentFault:
                complain(state, self.span)
                state.status = 1
                self.left.append(state)
            except FAULTS as fault:
                self.left.extend(self.evaluator.fail(state, fault, self.span))
        return ready

    def later(self, states: Sequence[State], start: State, name: str) -> list[State]:
        """The beginning of any turn behind the first, of nobody knows how many: what a turn changes is not known.

        It is a way beside the first turn, so that commands that do not depend on it are listed once.
        """
        kept = start.variables
        changed = {
            other: value
            for state in states
            for other, value in state.variables.items()
            if other != name and value is not kept.get(other) and not (other in kept and value.same(kept[other]))
        }
        if not changed and all(state.positional is start.positional for state in states):
            return []
        reason = "depends on how often a loop runs"
        later = start.copy()
        for other, value in changed.items():
            later.variables[other] = unknown_like([value], reason, self.span)
        if any(state.positional is not start.positional for state in states):
            later.positional = (Text((Unknown(reason, Origin(self.span, "expansion"), splits=True),)),)
        return [later]

    def cut(self, states: Sequence[State]) -> list[State]:
        """Paths on which turns were left out."""
        return [blur(state, self.before, "depends on how often a loop runs", self.span) for state in states]

    def ends(self, going: list[State], narrow: bool = False) -> list[State]:
        """All paths after the loop: few, whatever the number of turns."""
        states = self.left + going if not going else going + self.left
        states = join(in_order(states)) if len(states) > 1 else states
        if len(states) > (1 if narrow else PATHS_OF_A_LOOP):
            states = widen(states, "depends on how often a loop runs", self.span)
        return states


def run_for(evaluator: Evaluator, node: For, state: State, tested: bool) -> list[State]:
    state.offset = node.start
    if not NAME.fullmatch(node.name):
        state.status = 1
        return [state]
    try:
        items = items_of(evaluator, node, state)
    except FAULTS as fault:
        return evaluator.fail(state, fault, span_of(state, node))
    if not items:
        state.status = 0
    loop = Loop(evaluator, node.body, tested, span_of(state, node), [], state.copy())
    going = [state]
    narrow = False
    for turn, item in enumerate(items):
        if not going:
            break
        if evaluator.budget.exhausted:
            evaluator.budget.run_out(loop.span)
            break
        if turn >= TURNS or loop.is_undecided:
            evaluator.budget.report(loop.span, f"only the first {turn} turns of this loop were read")
            going = loop.cut(going)
            break
        forks = evaluator.forks
        skipping: list[State] = []
        if is_list(item):
            narrow = True
            skipping = [skip(evaluator, node, each) for each in going]
            item = _one_of(item)
        start = going[0].copy() if skipping else state
        ready, passing = loop.traced(going, node.start)
        ready = loop.assigned(ready, node.name, item)
        before_turn = len(ready) + len(passing)
        going = [*loop.turn(ready), *passing]
        if skipping:
            later = loop.later(going, start, node.name)
            going = join([*skipping, *going, *loop.turn(loop.assigned(later, node.name, item))])
        narrow = narrow or (len(going) + len(loop.left) > before_turn and len(items) > PATHS_OF_A_LOOP)
        loop.undecided += evaluator.forks != forks
    return loop.ends(going, narrow)


def items_of(evaluator: Evaluator, node: For, state: State) -> list[Text]:
    """The words that a loop goes over. Raises FAULTS."""
    state.loops += 1  # `break` in a substitution of these words finds this loop, and after an error in them, too
    items = list(state.positional) if node.words is None else evaluator.expander.words(state, node.words)[0]
    state.loops -= 1
    evaluator.budget.steps -= len(items) >> 4
    return items


def skip(evaluator: Evaluator, node: For, state: State) -> State:
    """The way that takes no turn, where only a run can tell; the state goes on with the one that does."""
    end = node.words[-1].end if node.words else node.start
    skipping = state.copy()
    state.conditions = {**state.conditions, evaluator.label(state, node.start, end): "true"}
    return skipping


def _one_of(words: Text) -> Text:
    """One of the words that an unknown text, perhaps with known text around it, falls into."""
    unknown = next(piece for piece in words.pieces if isinstance(piece, Unknown))
    reason = unknown.reason if len(words.pieces) == 1 else f"one of the words of {words.brief}"
    return Text((Unknown(reason, unknown.origin),))


def run_while(evaluator: Evaluator, node: While, state: State, tested: bool) -> list[State]:
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

    return turns(evaluator, node, state, tested, condition, None)


def run_arithmetic_for(evaluator: Evaluator, node: ArithmeticFor, state: State, tested: bool) -> list[State]:
    return traps.traced(evaluator, state, node.start, lambda each: _counted(evaluator, node, each, tested))


def _counted(evaluator: Evaluator, node: ArithmeticFor, state: State, tested: bool) -> list[State]:
    """`for ((...))` from its first expression on: the DEBUG trap runs before each of them."""
    state.offset = node.start
    state.loops += 1
    if node.initial is not None and arithmetic_value(evaluator, state, node.initial, node.initial) is None:
        return [state]  # bash forgets that it has left the loop
    state.loops -= 1

    def holds(before: State) -> list[State]:
        if node.condition is None:
            before.status = 0
            return [before]
        value = arithmetic_value(evaluator, before, node.condition, node.condition)
        if value is None:
            before.flow = before.flow or Flow("break")
            return [before]
        before.status = truth(value)
        return evaluator.decide(before, node)

    def step(before: State) -> list[State]:
        before.loops += 1
        if node.step is not None and arithmetic_value(evaluator, before, node.step, node.step) is None:
            before.flow = before.flow or Flow("break")
        before.loops -= 1
        return [before]

    def after_trap(expression: Callable[[State], list[State]]) -> Callable[[State], list[State]]:
        return lambda before: traps.traced(evaluator, before, node.start, expression)

    return turns(evaluator, node, state, tested, after_trap(holds), after_trap(step))


def _leave(state: State) -> None:
    """A path that leaves a loop from outside its body, by `break` or an error: what is left of a `break 2` goes on."""
    if state.flow is not None and state.flow.kind in ("break", "continue"):
        state.flow = None if state.flow.count <= 1 else replace(state.flow, count=state.flow.count - 1)


def turns(
    evaluator: Evaluator,
    node: While | ArithmeticFor | For,
    state: State,
    tested: bool,
    condition: Callable[[State], list[State]],
    step: Callable[[State], list[State]] | None,
) -> list[State]:
    """Turns of a loop while its condition holds, on every path."""
    loop = Loop(evaluator, node.body, tested, span_of(state, node), [], state.copy())
    going = [state]
    unknown_turns = turn = 0
    remembered: list[State] = []
    looks = evaluator.file_looks
    while going:
        if evaluator.budget.exhausted:
            evaluator.budget.run_out(loop.span)
            break
        turn += 1
        inside: list[State] = []
        for before in going:
            entered = before.status
            before_status = entered if turn > 1 else 0
            before.loops += 1
            ends = condition(before)
            unknown_turns += len(ends) > 1
            for after in ends:
                after.loops -= after.flow is None or after.flow.kind not in ("discard", "exit")
                if after.flow is not None:
                    _leave(after)
                    loop.left.append(after)
                elif after.status == 0:
                    if not isinstance(node, While):
                        after.status = entered  # its expressions have no status of their own
                    inside.append(after)
                else:
                    after.status = before_status
                    loop.left.append(after)
        if turn & (turn - 1) == 0:
            remembered = [each.copy() for each in inside]
        else:
            looked = evaluator.file_looks != looks
            repeated = [each for each in inside if any(_as_before(each, old, looked) for old in remembered)]
            inside = [each for each in inside if not any(each is one for one in repeated)]
            if looked and repeated:  # it waits until another process has changed a file
                loop.left.extend(loop.cut(repeated))
        if turn > TURNS or unknown_turns > UNKNOWN_TURNS or loop.is_undecided:
            if unknown_turns <= UNKNOWN_TURNS:
                evaluator.budget.report(loop.span, f"only the first {turn - 1} turns of this loop were read")
            loop.left.extend(loop.cut(inside))
            return loop.ends([], narrow=True)
        going = loop.turn(inside)
        if step is not None:
            stepped = [after for each in going for after in step(each)]
            ended = [each for each in stepped if each.flow is not None]
            going = [each for each in stepped if each.flow is None]
            for each in ended:
                _leave(each)
            loop.left.extend(ended)
        loop.undecided += len(going) + len(loop.left) > 1
    if not loop.left and not going and remembered:
        return _endless(evaluator, node, loop, remembered)
    return loop.ends(going, narrow=unknown_turns + loop.undecided > 1)


def _as_before(state: State, earlier: State, looked: bool) -> bool:
    """Whether the next turn would go as an earlier one did. `looked`: turns look at files that the script wrote."""
    return state.same(earlier) and (not looked or state.files is earlier.files)


def _endless(evaluator: Evaluator, node: While | ArithmeticFor | For, loop: Loop, states: list[State]) -> list[State]:
    """A loop that nothing ends: what follows it is not run."""
    for state in states[:1]:
        state.offset = node.start
        if state.subshell == 0 and state.unit.source.text[node.end :].strip():
            evaluator.budget.report(loop.span, "this loop never ends: nothing after it is run, nor read")
        state.flow = Flow("exit")
        state.status = ExitStatus("exit status of a loop that does not end", Origin(loop.span, "expansion"))
    return states[:1]
