"""The evaluator: walks the syntax tree as bash would, on every path, and collects the commands that would be started.

Nothing is ever started. A command that is neither a builtin nor a function is recorded; outside conditions it is
assumed to succeed, inside one its status is unknown and the path forks (see `lint.bash.state.paths`).
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from lint.bash.beginning import first_state
from lint.bash.budget import APART, DEPTH, LABEL, PATHS, STEPS, Budget
from lint.bash.commands import aliases, compound, processes, simple, traps, units
from lint.bash.commands.conditions import Conditions
from lint.bash.commands.pipelines import piped, run_pipeline
from lint.bash.commands.writing import complain
from lint.bash.faults import BadSubstitution, Fatal, Placed
from lint.bash.files import FileReader
from lint.bash.reading import GIVES_UP, SET, Origin, Reading, Required, Text, Unknown
from lint.bash.state.complaints import ends_at_complaints
from lint.bash.state.guards import GuardBook
from lint.bash.state.log import apart, commands, common, merge
from lint.bash.state.paths import decide, join, share_log, widen
from lint.bash.state.state import Flow, State, Status, Unit
from lint.bash.state.toggles import ToggleBook, asked_name, is_asked_of_caller, not_given_by
from lint.bash.state.variables import Unbound
from lint.bash.syntax import (
    Command,
    CommandSubstitution,
    Pipeline,
    ProcessSubstitution,
    Script,
    SimpleCommand,
    Statement,
)
from lint.bash.unknown import ExitStatus
from lint.bash.words.arithmetic_tokens import LastingFault, ValueFault
from lint.bash.words.expansion import Expander
from lint.text import Span

_LIMIT = 12_000  # Python frames: enough for DEPTH nested calls of commands nested as deep as the parser allows


def read(
    script: Script,
    *,
    scenario: Mapping[str, str] = {},
    environment: Mapping[str, str | Text] = {},
    arguments: Sequence[str | Text | None] = (),
    files: FileReader,
    required_as_unknown: Collection[str] = (),
) -> Reading:
    """Read a script as bash would run it with these variables set and these arguments.

    `scenario` and `environment` both set environment variables; they differ in the origin of what they decide. An
    argument that is None is given, but not known; an argument or a value that is a text comes from where that is
    written. `required_as_unknown`: variables that the caller must set; their values are unknown.
    """
    evaluator = Evaluator(files)
    state = first_state(script, scenario, environment, arguments, required_as_unknown)
    try:
        with _deep_recursion():
            return evaluator.read(script, state, scenario)
    finally:
        del evaluator.expander, evaluator.conditions  # which know it: all that it holds would wait for the collector


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@dataclass(slots=True)
class Evaluator:
    """What all paths of one reading share."""

    files: FileReader
    budget: Budget = field(default_factory=Budget)
    toggles: ToggleBook = field(default_factory=ToggleBook)
    guards: GuardBook = field(default_factory=GuardBook)
    required: dict[tuple[str, Span], Required] = field(default_factory=dict)
    finished: list[State] = field(default_factory=list)
    statuses: list[Status] = field(default_factory=list)
    ends: dict[Span, None] = field(default_factory=dict)
    scripts: dict[str, Script | None] = field(default_factory=dict)
    reached: list[str] = field(default_factory=list)
    depth: int = 0
    streams: int = 0
    file_shown: SimpleCommand | None = None  # the redirection of `$(< file)`
    replacing: SimpleCommand | None = None  # the program that is started in the place of this subshell
    unopened: Command | None = None  # the compound command whose redirection has just failed
    file_looks: int = 0  # at files that the script itself wrote, so far
    substitutions: int = 0  # command substitutions run so far: an assignment has the status of the last one
    forks: int = 0  # conditions so far that were read both ways
    traps: bool = False  # whether any trap was set so far
    choices: bool = False  # a command substitution yielded one of a few texts
    expander: Expander = field(init=False)
    conditions: Conditions = field(init=False)

    def __post_init__(self) -> None:
        self.expander = Expander(self)
        self.conditions = Conditions(self.expander, self)

    # ---------------------------------------------------------------------------------------------- the script

    def read(self, script: Script, state: State, scenario: Mapping[str, str]) -> Reading:
        """Run the whole script from a state."""
        path = script.source.path
        self.reached.append(path)
        self.scripts[path] = script
        self.note_errors(script, state.unit)
        for end in self.statements(script.body, [state], tested=False, top=True):
            self.note_end(end)
            self.finish(end)
            self.finished.append(end)
        log = None
        for end in self.finished:
            log = merge(log, end.log)
            self.statuses.append(end.status)
        return Reading(
            path,
            dict(scenario),
            tuple(commands(log)),
            tuple(self.budget.unchecked),
            self.toggles.toggles(),
            tuple(self.required.values()),
            tuple(dict.fromkeys(self.reached)),
            self.exit_status(),
            self.expander.whole,
            tuple(self.ends),
            STEPS - self.budget.steps,
            self.forks,
        )

    def exit_status(self) -> int | None:
        """The status with which every path ends, if it is one."""
        ends = {
            (status.likely if isinstance(status, ExitStatus) and status.assumed else None)
            if isinstance(status, Unknown)
            else status
            for status in self.statuses
        }
        return ends.pop() if len(ends) == 1 else None

    def note_errors(self, script: Script, unit: Unit) -> None:
        """Report what the parser could not read."""
        for error in script.errors:
            self.budget.report(unit.span(error.start, error.end), error.message)

    def note_end(self, state: State) -> None:
        """Keep the place of an `exit`, a fatal error or an endless loop."""
        if state.flow is not None:
            self.ends[state.unit.span(state.offset, state.offset)] = None

    def finish(self, state: State) -> None:
        """The end of a process: its EXIT trap runs, unless it is in search of the end of a loop."""
        trap = state.traps.get("EXIT")
        state.traps = {name: text for name, text in state.traps.items() if name in ("DEBUG", "ERR", "RETURN")}
        leaves_loop = state.flow is not None and state.flow.kind in ("break", "continue")
        if trap is None or leaves_loop or self.budget.exhausted:
            return
        status, flow, state.flow = state.status, state.flow, None
        state.loops = 0 if flow is not None and flow.forced else state.loops  # that an `exit` stands in
        state.subshell += 1  # an `exit` in the trap ends the trap
        ends = units.evaluate_text(self, state, trap, Span(state.unit.source.path, 0, 0), tested=True)
        exits = bool(ends) and ends[0].flow is not None and ends[0].flow.kind == "exit"
        changed = processes.settle_into(self, state, ends)
        state.subshell -= 1
        state.status = changed if exits else status
        state.flow = flow

    # -------------------------------------------------------------------------------------------------- lists

    def statements(
        self, body: Sequence[Statement], states: list[State], tested: bool, top: bool = False
    ) -> list[State]:
        """Run statements one after the other on every path. `top`: an error discards only the line it is in."""
        for index, node in enumerate(body):
            if self.budget.exhausted:
                if states:
                    self.budget.run_out(states[0].unit.span(node.start, node.end))
                break
            streams = self.streams
            if len(states) == 1 and states[0].flow is None:
                base = states[0].conditions
                states = self.statement(node, states[0], tested)
            else:
                results: list[State] = []
                base = states[0].conditions if states else {}
                for state in states:
                    base = common(base, state.conditions)
                    results.extend([state] if state.flow is not None else self.statement(node, state, tested))
                states = results
            if len(states) > 1 or (states and states[0].flow is not None):
                processes.close_pipes(states, streams)
                states = self.settle(states, base, node)
                if top:
                    self.resume(states, body, index)
                if all(s.flow is not None and not (top and s.flow.kind == "discard") for s in states):
                    break
            if top and states and states[0].unit.asks_for_lines:
                units.lose_count(states, body, index)
            if top and states and aliases.may_change(states[0]):
                read = aliases.following(self, states, body, index)
                if read is not None:
                    return units.run_in_place(self, states, *read, tested)
        return states

    def resume(self, states: Sequence[State], body: Sequence[Statement], index: int) -> None:
        """After an error that discards a line, go on with the next one; a subshell ends."""
        for state in states:
            if state.flow is not None and state.flow.kind == "discard" and state.level == 0:
                inside = units.is_given_up(state)
                if state.flow.forced and inside:
                    continue  # the text that `eval` or `source` runs ends with it
                text = state.unit.source.text
                if units.is_last_of_line(text, body, index):
                    state.flow = None
                    state.loops = state.loops if inside else 0
                    uncounted = text.count("\n", max(0, state.offset), units.line_end(text, body, index))
                    if uncounted:  # bash goes on counting at the line of the error
                        state.unit = replace(state.unit, first_line=state.unit.first_line - uncounted)

    def settle(self, states: list[State], base: Mapping[str, str], node: Statement) -> list[State]:
        """Put paths together that go on alike; let those that end go; bound the number of the rest."""
        ended = [s for s in states if s.flow is not None and s.flow.kind == "exit" and s.subshell == 0]
        if ended and len(ended) < len(states):
            states = [s for s in states if not any(s is end for end in ended)]
            for end in ended:
                self.note_end(end)
                self.finish(end)
                states[0].log = merge(states[0].log, end.log)
                self.statuses.append(end.status)
            self.guard(states, base, ended)
        if len(states) > 1:
            self.budget.steps -= len(states) * (2 + (len(states[0].variables) >> 5))
            states = join(states)
            if apart(states[0].log, states[-1].log) > APART:
                share_log(states)
            if len(states) > PATHS:
                span = states[0].unit.span(node.start, node.end)
                reason = f"more than {PATHS} ways through the script: read on with fewer of them"
                if reason not in self.budget.reported:  # once is enough: it comes back at every further condition
                    self.budget.report(span, reason)
                states = widen(states, "depends on the way taken", span)
        return states

    def guard(self, states: Sequence[State], base: Mapping[str, str], ended: Sequence[State]) -> None:
        """Conditions without which the script would have ended are no alternatives any more."""
        if not states:
            return
        shared, decided = states[0].conditions, states[0].decided
        for state in states[1:]:
            shared, decided = common(shared, state.conditions), common(decided, state.decided)
        only = decided.items() - {item for end in ended for item in end.decided.items()}
        if only:
            for state in states:
                state.decided = dict(state.decided.items() - only)
        moved = {name: value for name, value in shared.items() if base.get(name) != value}
        if moved:
            for state in states:
                state.conditions = {n: v for n, v in state.conditions.items() if n not in moved}
                state.guards = {**state.guards, **moved}

    def statement(self, node: Statement, state: State, tested: bool) -> list[State]:
        """Run an and-or list."""
        self.budget.steps -= 1 + (state.work >> 3)
        state.work = 0
        if node.background:
            return self.background(node, state)
        pipelines = node.pipelines
        if len(pipelines) == 1:
            return run_pipeline(self, pipelines[0], state, tested)
        last = len(pipelines) - 1
        states = run_pipeline(self, pipelines[0], state, True)
        for index in range(1, len(pipelines)):
            if self.budget.exhausted:
                self.budget.run_out(state.unit.span(pipelines[index].start, pipelines[index].end))
                break
            states = join(states) if len(states) > PATHS else states
            wanted = node.operators[index - 1] == "&&"
            results: list[State] = []
            for before in states:
                if before.flow is not None:
                    results.append(before)
                    continue
                if wanted and not tested and "||" not in node.operators[index:]:
                    _assume_success(before)
                for decided in self.decide(before, pipelines[index - 1]):
                    if (decided.status == 0) == wanted:
                        results.extend(run_pipeline(self, pipelines[index], decided, tested or index < last))
                    else:
                        results.append(decided)
            states = results
        return states

    def background(self, node: Statement, state: State) -> list[State]:
        """`... &`: the commands are recorded where they start."""
        first = node.pipelines[0]
        commands = first.commands
        if len(node.pipelines) > 1 or first.timed or not commands:
            child = processes.start_child(self, state)
            child.background = True
            processes.settle_into(self, state, self.statement(replace(node, background=False), child, tested=False))
        elif len(commands) > 1:
            pipe_status = state.pipe_status
            state = piped(self, first, state, tested=False, background=True)[0]
            state.pipe_status = pipe_status
        else:
            if isinstance(commands[0], SimpleCommand):
                state = traps.before_command(self, state, commands[0].line_at)[0]
                if state.flow is not None:
                    return [state]
            child = processes.start_for(self, state, commands[0], background=True)
            ends = self.statement(replace(node, background=False), child, tested=False)
            processes.keep_trap_at_error(ends, state)
            processes.settle_into(self, state, ends)
        state.status = 0
        state.background_started = True
        return [state]

    def decide(self, state: State, node: Pipeline | Command | Statement) -> list[State]:
        """Fork where the status of a condition is unknown."""
        if isinstance(state.status, int):
            return [state]
        states = decide(state, self.label(state, node.start, node.end))
        self.forks += len(states) - 1
        return states

    def label(self, state: State, start: int, end: int) -> str:
        """How a condition is named in scenarios."""
        source = state.unit.source
        text = " ".join(source.text[start:end].split())
        if len(text) > LABEL:
            text = text[: LABEL - 3] + "..."
        return f"line {source.line(start)}: {text}"

    # ------------------------------------------------------------------------------------------------ commands

    def command(self, node: Command, state: State, tested: bool) -> list[State]:
        """Run one command of any kind."""
        state.tested = tested
        try:
            if type(node) is SimpleCommand:
                states = simple.run(self, node, state, tested)
                if self.choices:
                    states = [fork for each in states for fork in processes.choose(self, each)]
                return states if state.doubted is None else [*states, self.failing(state, state.doubted, node)]
            if self.depth > 4 * DEPTH:
                raise RecursionError
            self.depth += 1
            try:
                states = compound.run(self, node, state, tested)
            finally:
                self.depth -= 1
            return states if state.doubted is None else [*states, self.failing(state, state.doubted, node)]
        except RecursionError:  # thousands of conditions in one test, a pattern that takes for ever
            span = state.unit.span(node.start, node.end)
            self.budget.report(span, "this command is nested too deep, or takes too long")
            state.status = ExitStatus("exit status of a command that was not read", Origin(span, "expansion"))
            return [state]

    def failing(self, state: State, failing: State, node: Command) -> State:
        """The way on which an expansion in a command was an error, which only a run can tell."""
        state.doubted = None
        self.forks += 1
        failing.conditions = {**failing.conditions, self.label(state, node.start, node.end): "an error"}
        failing.unit, failing.joins, failing.status, failing.pipe_status = state.unit, False, 1, (1,)
        return failing

    def fail(self, state: State, fault: Placed | Unbound, span: Span) -> list[State]:
        """An expansion that bash gives up on."""
        before = state.status if isinstance(state.status, int) and state.status else 1
        state.status, state.pipe_status = 1, (1,)
        state.joins = state.joins and isinstance(fault, LastingFault)
        complain(state, span)
        if isinstance(fault, Unbound):
            self.require(state, fault.name, fault.span, fault.message)
            state.flow = Flow("exit", forced=True)
        elif isinstance(fault, Fatal) and fault.ends:
            state.status = fault.status
            state.flow = Flow("exit", forced=True)
        else:
            if not isinstance(fault, BadSubstitution):
                self.budget.report(fault.span or span, f"{GIVES_UP}{fault}", lost=False)
            ends = fault.reported and ends_at_complaints(state)
            if isinstance(fault, ValueFault) or (ends and fault.keeps_status):
                state.status = before
            state.flow = Flow("exit" if ends else "discard", forced=isinstance(fault, LastingFault))
        return [state]

    def substitute(self, state: State, node: CommandSubstitution) -> Text:
        """The output of `$(...)`, without the newlines at its end."""
        return processes.substitute(self, state, node)

    def connect(self, state: State, node: ProcessSubstitution) -> Text:
        """The file name that `<(...)` stands for."""
        return processes.connect(self, state, node)

    def require(self, state: State, name: str, span: Span, message: str) -> None:
        """Note that the caller must set a variable."""
        self.required.setdefault((name, span), Required(name, span, message))

    def give_up(self, state: State, span: Span) -> None:
        """The script ends with an error: what its last test missed is required of the caller."""
        if state.subshell == 0:
            for name in self.guards.names:
                self.require(state, name, span, "the script ends without it")

    def compared(self, state: State, text: Text, values: Sequence[str]) -> None:
        """A text was compared with literals: it may come from a toggle."""
        self.toggles.compared(text, values)
        self.guards.note_count(text, values, len(state.positional))
        self.tested(state, text, values)

    def tested(self, state: State, text: Text, values: Sequence[str] = (SET,)) -> None:
        """A text was tested: it may come from a variable that only the caller sets."""
        name = asked_name(text)
        if name is not None:
            self.asked(state, name, text.pieces[0].origin.span, values)

    def asked(self, state: State, name: str, span: Span, values: Sequence[str] = (SET,)) -> None:
        """A test asks for a variable that is not set: another reading finds it set, unless it is the script's own."""
        written = state.unit.source.text
        given = state.outside.gives(name) or state.outside.elsewhere(name, span, state.variables) is not None
        if given or name in state.variables or not is_asked_of_caller(name, written, state.offset):
            return
        if others := not_given_by(name, values, written):
            self.toggles.asked(name, span, others)


def _assume_success(state: State) -> None:
    """`a && b` where nothing stands for the other case: a command that is not run is assumed to succeed."""
    if isinstance(state.status, ExitStatus) and state.status.assumed:
        state.status = 0
