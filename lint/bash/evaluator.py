"""The evaluator: walks the syntax tree as bash would, on every path, and collects the commands that would be started.

Nothing is ever started. A command that is neither a builtin nor a function is recorded; outside conditions it is
assumed to succeed, inside one its status is unknown and the path forks (see `lint.bash.paths`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from lint.bash import compound, simple
from lint.bash.budget import DEPTH, PATHS, Budget
from lint.bash.conditions import Conditions
from lint.bash.expansion import Expander, Fatal
from lint.bash.files import FileReader
from lint.bash.log import commands, merge
from lint.bash.parser import parse
from lint.bash.paths import common, decide, either_output, either_status, join, widen
from lint.bash.reading import Known, Origin, Reading, Required, Text, Unchecked, Unknown, Variable
from lint.bash.state import Flow, FunctionBody, State, Status, Unit, Value, rope_pieces
from lint.bash.syntax import (
    ArithmeticCommand,
    Command,
    CommandSubstitution,
    Pipeline,
    ProcessSubstitution,
    Script,
    SimpleCommand,
    Statement,
    Subshell,
    Test,
    Word,
)
from lint.bash.toggles import ToggleBook, environment_name
from lint.bash.unknown import Choice, ExitStatus
from lint.bash.variables import Unbound, assign, script_place
from lint.text import Source, Span

_LIMIT = 12_000  # Python frames: enough for DEPTH nested calls of commands nested as deep as the parser allows
_CHECKED_BY_ERREXIT = (SimpleCommand, Subshell, ArithmeticCommand, Test)
ALTERNATIVES = 4  # outputs of one substitution that are told apart
LABEL = 80  # characters of source text in the name of a condition


def read(
    script: Script,
    *,
    scenario: Mapping[str, str] = {},
    environment: Mapping[str, str] = {},
    arguments: Sequence[str] = (),
    files: FileReader,
    required_as_unknown: Collection[str] = (),
) -> Reading:
    """Read a script as bash would run it with these variables set and these arguments.

    `scenario` and `environment` both set environment variables; they differ in the origin of what they decide.
    `required_as_unknown`: variables that the caller must set; their values are unknown.
    """
    evaluator = Evaluator(files)
    state = _initial_state(script, scenario, environment, arguments, required_as_unknown)
    with _deep_recursion():
        return evaluator.read(script, state, scenario)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _initial_state(
    script: Script,
    scenario: Mapping[str, str],
    environment: Mapping[str, str],
    arguments: Sequence[str],
    required: Collection[str],
) -> State:
    path = script.source.path
    span = Span(path, 0, 0)
    variables: dict[str, Value] = {}
    for name in required:
        unknown = Unknown(f"{name} must be set by the caller", Origin(span, "environment", name))
        variables[name] = Value(Text((unknown,)), exported=True, inherited=True)
    for name, value in environment.items():
        variables[name] = Value(Text((Known(value, Origin(span, "environment", name)),)), exported=True, inherited=True)
    for name, value in scenario.items():
        variables[name] = Value(Text((Known(value, Origin(span, "scenario", name)),)), exported=True, inherited=True)
    variables.pop("PWD", None)
    return State(
        Unit(script.source),
        Text((script_place(path, span),)),
        variables,
        positional=tuple(Text((Known(a, Origin(span, "positional", str(i))),)) for i, a in enumerate(arguments, 1)),
        options=frozenset(("hashall", "braceexpand")),
        shell_options=frozenset(
            (
                "patsub_replacement",
                "sourcepath",
                "checkwinsize",
                "cmdhist",
                "complete_fullquote",
                "extquote",
                "force_fignore",
                "globasciiranges",
                "globskipdots",
                "hostcomplete",
                "interactive_comments",
                "progcomp",
                "promptvars",
            )
        ),
    )


@dataclass(slots=True)
class Evaluator:
    """What all paths of one reading share."""

    files: FileReader
    budget: Budget = field(default_factory=Budget)
    toggles: ToggleBook = field(default_factory=ToggleBook)
    required: dict[tuple[str, Span], Required] = field(default_factory=dict)
    finished: list[State] = field(default_factory=list)
    statuses: list[Status] = field(default_factory=list)
    scripts: dict[str, Script | None] = field(default_factory=dict)
    reached: list[str] = field(default_factory=list)
    depth: int = 0
    streams: int = 0
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
            self.finish(end)
            self.finished.append(end)
        log = None
        for end in self.finished:
            log = merge(log, end.log)
            self.statuses.append(end.status)
        variables = self.finished[0].variables if self.finished else {}
        return Reading(
            path,
            dict(scenario),
            tuple(commands(log)),
            tuple(self.budget.unchecked),
            self.toggles.toggles(),
            tuple(self.required.values()),
            {name: v for name, value in variables.items() if (v := _reported(name, value)) is not None},
            tuple(dict.fromkeys(self.reached)),
            self.exit_status(),
            self.expander.whole,
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

    def finish(self, state: State) -> None:
        """The end of a process: its EXIT trap runs."""
        trap = state.traps.get("EXIT")
        state.traps = {}
        if trap is None or self.budget.exhausted:
            return
        status, flow, state.flow = state.status, state.flow, None
        state.subshell += 1  # an `exit` in the trap ends the trap
        ends = self.evaluate_text(state, trap, Span(state.unit.source.path, 0, 0), tested=True)
        exits = bool(ends) and ends[0].flow is not None and ends[0].flow.kind == "exit"
        changed = self.settle_into(state, ends)
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
                states = self.settle(states, base, node)
                if top:
                    self.resume(states, body, index)
                if all(s.flow is not None and not (top and s.flow.kind == "discard") for s in states):
                    break
        return states

    def resume(self, states: Sequence[State], body: Sequence[Statement], index: int) -> None:
        """After an error that discards a line, go on with the next one."""
        for state in states:
            if state.flow is not None and state.flow.kind == "discard":
                text = state.unit.source.text
                last = index + 1 == len(body) or "\n" in text[body[index].end : body[index + 1].start]
                if last:
                    state.flow = None

    def settle(self, states: list[State], base: Mapping[str, str], node: Statement) -> list[State]:
        """Put paths together that go on alike; let those that end go; bound the number of the rest."""
        ended = [s for s in states if s.flow is not None and s.flow.kind == "exit" and s.subshell == 0]
        if ended and len(ended) < len(states):
            states = [s for s in states if not any(s is end for end in ended)]
            for end in ended:
                self.finish(end)
                states[0].log = merge(states[0].log, end.log)
                self.statuses.append(end.status)
            self.guard(states, base)
        if len(states) > 1:
            self.budget.steps -= len(states) * (2 + (len(states[0].variables) >> 5))
            states = join(states)
            if len(states) > PATHS:
                span = states[0].unit.span(node.start, node.end)
                self.budget.report(span, f"more than {PATHS} ways through the script: read on with fewer of them")
                states = widen(states, "depends on the way taken", span)
        return states

    def guard(self, states: Sequence[State], base: Mapping[str, str]) -> None:
        """Conditions without which the script would have ended are no alternatives any more."""
        if not states:
            return
        shared = states[0].conditions
        for state in states[1:]:
            shared = common(shared, state.conditions)
        moved = {name: value for name, value in shared.items() if base.get(name) != value}
        if moved:
            for state in states:
                state.conditions = {n: v for n, v in state.conditions.items() if n not in moved}
                state.guards = {**state.guards, **moved}

    def statement(self, node: Statement, state: State, tested: bool) -> list[State]:
        """Run an and-or list."""
        self.budget.steps -= 1
        if node.background:
            return self.background(node, state)
        pipelines = node.pipelines
        if len(pipelines) == 1:
            return self.pipeline(pipelines[0], state, tested)
        last = len(pipelines) - 1
        states = self.pipeline(pipelines[0], state, True)
        for index in range(1, len(pipelines)):
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
                        results.extend(self.pipeline(pipelines[index], decided, tested or index < last))
                    else:
                        results.append(decided)
            states = results
        return states

    def background(self, node: Statement, state: State) -> list[State]:
        """`... &`: the commands are recorded where they start."""
        child = self.child(state)
        child.background = True
        self.settle_into(state, self.statement(replace(node, background=False), child, tested=False))
        state.status = 0
        state.background_started = True
        return [state]

    def decide(self, state: State, node: Pipeline | Command | Statement) -> list[State]:
        """Fork where the status of a condition is unknown."""
        if isinstance(state.status, int):
            return [state]
        return decide(state, self.label(state, node.start, node.end))

    def label(self, state: State, start: int, end: int) -> str:
        """How a condition is named in scenarios."""
        source = state.unit.source
        text = " ".join(source.text[start:end].split())
        if len(text) > LABEL:
            text = text[: LABEL - 3] + "..."
        return f"line {source.line(start)}: {text}"

    # ---------------------------------------------------------------------------------------------- pipelines

    def pipeline(self, node: Pipeline, state: State, tested: bool) -> list[State]:
        """Run a pipeline; afterwards `set -e` may end the path."""
        if len(node.commands) == 1:
            only = node.commands[0]
            states = self.command(only, state, tested or node.negated)
            checked = isinstance(only, _CHECKED_BY_ERREXIT)
        else:
            states = [self.piped(node, state, tested or node.negated)]
            checked = True
        for end in states:
            if len(node.commands) == 1:
                end.pipe_status = (end.status,)
            if node.negated and end.flow is None:
                end.status = _flipped(end.status)
        if tested or node.negated or not checked:
            return states
        if any("ERR" in s.traps and isinstance(s.status, int) and s.status and s.flow is None for s in states):
            states = [result for end in states for result in self.run_error_trap(end)]
        if not any(s.status != 0 and "errexit" in s.options and s.flow is None for s in states):
            return states
        return [result for end in states for result in self.exit_on_error(node, end)]

    def run_error_trap(self, state: State) -> list[State]:
        """The ERR trap of a command that is known to fail."""
        trap = state.traps.get("ERR")
        inherited = "errtrace" in state.options or not state.frames
        if trap is None or not inherited or state.flow is not None or not isinstance(state.status, int):
            return [state]
        status, traps = state.status, state.traps
        state.traps = {name: text for name, text in traps.items() if name != "ERR"}
        ends = self.evaluate_text(state, trap, Span(state.unit.source.path, state.offset, state.offset), tested=True)
        for end in ends:
            end.traps = traps
            if end.flow is None:
                end.status = status
        return ends

    def exit_on_error(self, node: Pipeline, state: State) -> list[State]:
        """`set -e`: a command that fails ends the script; a command that was not run is assumed to succeed."""
        if "errexit" not in state.options or state.flow is not None:
            return [state]
        if isinstance(state.status, ExitStatus) and state.status.assumed:
            return [state]
        status = state.status
        states = self.decide(state, node)
        for end in states:
            if end.status != 0:
                end.flow = Flow("exit")
            elif isinstance(status, Unknown):
                end.status = 0
        return states

    def piped(self, node: Pipeline, state: State, tested: bool) -> State:
        """`a | b | c`: each in a subshell, the output of one is the input of the next."""
        statuses: list[Status] = []
        feed: Text | None = None
        last = len(node.commands) - 1
        for index, command in enumerate(node.commands):
            child = self.child(state)
            child.piped_into = _name(node.commands[index + 1], state) if index < last else state.piped_into
            if index:
                child.descriptors[0] = self.new_stream()
                child.inputs[child.descriptors[0]] = feed
            stream = self.new_stream() if index < last else 0
            if stream:
                child.descriptors[1] = stream
                child.outputs[stream] = None
                if node.merged[index]:
                    child.descriptors[2] = stream
            ends = self.command(command, child, tested)
            feed = self.output_of(ends, stream, state) if stream else None
            statuses.append(self.settle_into(state, ends))
        state.pipe_status = tuple(statuses)
        state.status = _pipeline_status(statuses, "pipefail" in state.options)
        return state

    # ------------------------------------------------------------------------------------------ child processes

    def new_stream(self) -> int:
        """A number for a new pipe or document."""
        self.streams += 1
        return self.streams

    def child(self, state: State) -> State:
        """The state of a subshell as it starts."""
        self.budget.steps -= 6 + (len(state.variables) >> 5)
        child = state.copy()
        child.subshell += 1
        inherited = "errtrace" in state.options and "ERR" in state.traps
        child.traps = {"ERR": state.traps["ERR"]} if inherited else {}
        child.loops = 0
        return child

    def settle_into(self, state: State, ends: Sequence[State]) -> Status:
        """The ends of a subshell: its commands were run, its output written, its variables are gone."""
        if not ends:
            return 0
        for end in ends:
            if end.flow is not None:
                end.flow = None
            self.finish(end)
        first = ends[0]
        unknown = Text((Unknown("output that depends on the way taken", Origin(Span("", 0, 0), "substitution")),))
        log, status = first.log, first.status
        for end in ends[1:]:
            log = merge(log, end.log)
            status = either_status(status, end.status)
        state.log = log
        for stream in state.outputs:
            rope = first.outputs.get(stream)
            for end in ends[1:]:
                rope = either_output(rope, end.outputs.get(stream), unknown)
            state.outputs[stream] = rope
        for stream in state.inputs:
            left = first.inputs.get(stream)
            state.inputs[stream] = left if all(end.inputs.get(stream) == left for end in ends[1:]) else None
        return status

    def output_of(self, ends: Sequence[State], stream: int, state: State) -> Text:
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
        self.choices = True
        return Text((Choice(reason, origin, alternatives=tuple((c, v) for v, c in alternatives.items())),))

    def choose(self, state: State) -> list[State]:
        """Fork where a variable was set to one of a few texts."""
        self.choices = False
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
            fork.variables[name] = replace(value, content=Text(tuple(pieces)))
            if fork is not state:
                variable = environment_name(piece.origin)
                fork.conditions = {**fork.conditions, **({variable: text} if variable else conditions)}
        return [each for fork in states for each in self.choose(fork)]

    def capture(self, state: State, run: Callable[[State], list[State]]) -> Text:
        """What a subshell writes to its standard output. Its commands and exit status stay in `state`."""
        child = self.child(state)
        stream = self.new_stream()
        child.descriptors[1] = stream
        child.outputs[stream] = None
        child.piped_into = None
        if "inherit_errexit" not in child.shell_options:
            child.options -= {"errexit"}
        ends = run(child)
        for end in ends:
            end.flow = None
            self.finish(end)
        text = self.output_of(ends, stream, state)
        state.status = self.settle_into(state, ends)
        return text

    def substitute(self, state: State, node: CommandSubstitution) -> Text:
        """The output of `$(...)`, without the newlines at its end."""
        span = state.unit.span(node.start, node.end)
        if self.depth >= DEPTH:
            self.budget.report(span, f"command substitutions nested deeper than {DEPTH}")
            return Text((Unknown("nested too deep", Origin(span, "substitution")),))
        self.depth += 1
        line = state.offset
        text = self.capture(state, lambda child: self.statements(node.body, [child], state.tested))
        state.offset = line
        self.depth -= 1
        return _named(_without_last_lines(text), self.body_text(state, node), span)

    def body_text(self, state: State, node: CommandSubstitution) -> str:
        """The text between the parentheses, for messages."""
        text = state.unit.source.text[node.start : node.end]
        inside = text[2:-1] if text.startswith("$(") else text[1:-1]
        inside = " ".join(inside.split())
        return inside if len(inside) <= LABEL else inside[: LABEL - 3] + "..."

    def connect(self, state: State, node: ProcessSubstitution) -> Text:
        """The file that `<(...)` stands for; its commands are recorded."""
        span = state.unit.span(node.start, node.end)
        if self.depth < DEPTH:
            self.depth += 1
            status = state.status
            text = self.capture(state, lambda child: self.statements(node.body, [child], tested=True))
            state.status = status
            self.depth -= 1
            stream = self.new_stream()
            state.inputs[stream] = text
            return Text((Unknown(f"{PIPE_NAME}{stream}", Origin(span, "substitution")),))
        return Text((Unknown("nested too deep", Origin(span, "substitution")),))

    # ------------------------------------------------------------------------------------------------ commands

    def command(self, node: Command, state: State, tested: bool) -> list[State]:
        """Run one command of any kind."""
        state.tested = tested
        if type(node) is SimpleCommand:
            states = simple.run(self, node, state, tested)
            return [fork for each in states for fork in self.choose(each)] if self.choices else states
        if self.depth > 4 * DEPTH:
            self.budget.report(state.unit.span(node.start, node.end), "nested too deep")
            return [state]
        self.depth += 1
        try:
            return compound.run(self, node, state, tested)
        finally:
            self.depth -= 1

    def fail(self, state: State, fault: Exception, span: Span) -> list[State]:
        """An expansion that bash gives up on."""
        state.status = 1
        if isinstance(fault, Unbound):
            self.require(state, fault.name, fault.span, fault.message)
            state.flow = Flow("exit")
        elif isinstance(fault, Fatal) and fault.ends:
            state.status = fault.status
            state.flow = Flow("exit")
        else:
            self.budget.report(span, f"bash gives up here: {fault}")
            state.flow = Flow("discard")
        return [state]

    def require(self, state: State, name: str, span: Span, message: str) -> None:
        """Note that the caller must set a variable."""
        self.required.setdefault((name, span), Required(name, span, message))

    def compared(self, state: State, text: Text, values: Sequence[str]) -> None:
        """A text was compared with literals: it may come from a toggle."""
        self.toggles.compared(text, values)

    # --------------------------------------------------------------------------------------------- other texts

    def evaluate_text(self, state: State, text: Text, span: Span, tested: bool) -> list[State]:
        """`eval`: run a text as a script, in this state."""
        value = text.value
        if value is None:
            self.budget.report(span, f"text that is not known is run as a script: {text.shown[:LABEL]}")
            state.status = ExitStatus(
                "exit status of a text that is not known", Origin(span, "substitution"), assumed=True
            )
            return [state]
        if self.depth >= DEPTH:
            self.budget.report(span, f"eval, source and functions nested deeper than {DEPTH}")
            return [state]
        self.budget.steps -= 20 + (len(value) >> 2)
        if self.budget.exhausted:
            return [state]
        unit = Unit(Source(state.unit.source.path, value), text.pieces or (Known("", Origin(span, "literal")),))
        script = parse(unit.source)
        self.note_errors(script, unit)
        if script.errors and not script.body:
            state.status = 1
            return [state]
        return self.run_unit(state, unit, script, span, tested)

    def run_unit(self, state: State, unit: Unit, script: Script, span: Span, tested: bool) -> list[State]:
        """Run another text in this state; afterwards the state is back in its own."""
        self.budget.steps -= 5
        outer, called_from, offset = state.unit, state.called_from, state.offset
        state.unit = unit
        state.called_from = (*called_from, span)
        if not script.body:
            state.status = 0
        self.depth += 1
        states = self.statements(script.body, [state], tested, top=True)
        self.depth -= 1
        for end in states:
            end.unit, end.called_from, end.offset = outer, called_from, offset
        return states

    def script_at(self, path: str) -> Script | None:
        """The syntax tree of a file of the checkout."""
        if path not in self.scripts:
            source = self.files.read(path)
            self.scripts[path] = None if source is None else parse(source)
        script = self.scripts[path]
        if script is not None:
            self.reached.append(script.source.path)
        return script

    def call(
        self, state: State, body: FunctionBody, arguments: Sequence[Text], span: Span, tested: bool
    ) -> list[State]:
        """Call a function of the script."""
        return simple.call_function(self, state, body, arguments, span, tested)

    def text_of(self, state: State, word: Word) -> Text:
        """A word as one text."""
        return self.expander.text(state, word)

    def set(self, state: State, name: str, text: Text, span: Span) -> None:
        """Assign to a variable. Raises AssignmentFault."""
        assign(state, name, None, text, span)


def _first_choice(state: State) -> tuple[str, int, Choice] | None:
    """A variable whose value holds a choice that is open."""
    for name, value in state.variables.items():
        if isinstance(value.content, Text):
            for index, piece in enumerate(value.content.pieces):
                if isinstance(piece, Choice):
                    return name, index, piece
    return None


PIPE_NAME = "name of a pipe "


def _reported(name: str, value: Value) -> Variable | None:
    text = value.scalar()
    if text is None or (value.inherited and not value.exported):
        return None
    return Variable(name, text, value.exported)


def _assume_success(state: State) -> None:
    """`a && b` where nothing stands for the other case: a command that is not run is assumed to succeed."""
    if isinstance(state.status, ExitStatus) and state.status.assumed:
        state.status = 0


def _flipped(status: Status) -> Status:
    if isinstance(status, ExitStatus):
        return replace(status, likely=int(status.likely == 0), assumed=False)
    if isinstance(status, Unknown):
        return status
    return int(status == 0)


def _pipeline_status(statuses: Sequence[Status], pipefail: bool) -> Status:
    if not pipefail:
        return statuses[-1]
    status: Status = 0
    for each in reversed(statuses):
        if isinstance(each, int) and each != 0:
            return each if status == 0 else status
        if isinstance(each, Unknown):
            status = each if status == 0 else status
            if isinstance(status, ExitStatus) and isinstance(each, ExitStatus):
                status = replace(status, assumed=status.assumed and each.assumed)
    return status


def _name(node: Command, state: State) -> str | None:
    """The name of a command as it stands in the source."""
    if isinstance(node, SimpleCommand) and node.words:
        word = node.words[0]
        return state.unit.source.text[word.start : word.end]
    return None


def _without_last_lines(text: Text) -> Text:
    pieces = list(text.pieces)
    while pieces:
        last = pieces[-1]
        if isinstance(last, Unknown):
            break
        kept = last.text.rstrip("\n")
        if kept:
            pieces[-1] = Known(kept, last.origin)
            break
        pieces.pop()
    return Text(tuple(pieces))


def _named(text: Text, body: str, span: Span) -> Text:
    """An unknown output is named by the whole substitution."""
    if len(text.pieces) == 1 and isinstance(text.pieces[0], Unknown):
        only = text.pieces[0]
        if only.reason.startswith("output of"):
            return Text((replace(only, reason=f"output of `{body}`", origin=Origin(span, "substitution")),))
    return text


__all__ = ["Evaluator", "Unchecked", "read"]
