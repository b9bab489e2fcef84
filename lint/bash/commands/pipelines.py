"""Pipelines: each command of one in a subshell, the output of one the input of the next; `set -e` and ERR after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lint.bash.commands import processes, traps
from lint.bash.commands.redirection import restore
from lint.bash.commands.writing import complain
from lint.bash.reading import Text, Unknown
from lint.bash.state.paths import fails
from lint.bash.state.state import Flow, State, Status
from lint.bash.syntax import ArithmeticCommand, Command, Function, Pipeline, SimpleCommand, Subshell, Test
from lint.bash.unknown import ExitStatus

if TYPE_CHECKING:
    from lint.bash.evaluator import Evaluator


_CHECKED_BY_ERREXIT = (SimpleCommand, Subshell, ArithmeticCommand, Test)


def run_pipeline(evaluator: Evaluator, node: Pipeline, state: State, tested: bool) -> list[State]:
    """Run a pipeline; afterwards `set -e` may end the path."""
    armed = "ERR" in state.traps and state.traps["ERR"].value != ""  # not ignored, when the command begins
    ignored = tested or (node.negated and "errexit" in state.options)  # as it is when the command begins
    only = node.commands[0] if len(node.commands) == 1 else None
    alone = isinstance(only, _CHECKED_BY_ERREXIT)
    unopened = False
    if only is not None:
        states = evaluator.command(only, state, ignored)
        unopened, evaluator.unopened = evaluator.unopened is only, None
    elif not node.commands:  # `!` or `time` alone
        states = [state]
        state.status = 0
    else:
        states = piped(evaluator, node, state, ignored)
    failed = False
    for end in states:
        if node.timed:
            complain(end, end.unit.span(node.start, node.end))  # or so: what `time` prints is not known
        if alone:
            end.pipe_status = (end.status,)
        if node.negated and end.flow is None and not unopened:
            end.status = _flipped(end.status)
            if isinstance(only, Test | ArithmeticCommand):
                end.pipe_status = (end.status,)
        failed = failed or (end.status != 0 and end.flow is None)
    checked = alone or unopened or isinstance(only, Function) or len(node.commands) > 1
    if not failed or tested or node.negated or not checked:
        return states
    if armed and any("ERR" in end.traps and end.status != 0 and end.flow is None for end in states):
        states = [result for end in states for result in traps.after_failure(evaluator, end, node)]
    if not any("errexit" in end.options and end.status != 0 and end.flow is None for end in states):
        return states
    return [result for end in states for result in exit_on_error(evaluator, node, end)]


def run_bare(evaluator: Evaluator, node: Command, state: State, tested: bool) -> list[State]:
    """Run the body of a function, or a test in a longer pipeline, as a pipeline of its own: `set -e` and ERR look at it
    before they look at what it is a part of."""
    return run_pipeline(evaluator, Pipeline(node.start, node.end, False, False, (node,), (False,)), state, tested)


def _run_part(evaluator: Evaluator, node: Command, state: State, tested: bool) -> list[State]:
    """Run one command of a longer pipeline."""
    run = run_bare if isinstance(node, Test | ArithmeticCommand) else type(evaluator).command
    return run(evaluator, node, state, tested)


def exit_on_error(evaluator: Evaluator, node: Pipeline, state: State) -> list[State]:
    """`set -e`: a command that fails ends the script; a command that was not run is assumed to succeed."""
    if "errexit" not in state.options or state.flow is not None:
        return [state]
    if isinstance(state.status, ExitStatus) and state.status.assumed:
        return [state]
    status = state.status
    states = evaluator.decide(state, node)
    for end in states:
        if end.status != 0:
            if status == end.status:
                evaluator.give_up(end, end.unit.span(node.start, node.end))
            end.flow = Flow("exit")
        elif isinstance(status, Unknown):
            end.status = 0
    return states


def piped(evaluator: Evaluator, node: Pipeline, state: State, tested: bool, background: bool = False) -> list[State]:
    """`a | b | c`: each in a subshell, the output of one is the input of the next.

    With `lastpipe` the last one runs in this shell.
    """
    state.offset = node.start
    statuses: list[Status] = []
    feed: Text | None = None
    last = len(node.commands) - 1
    here = "lastpipe" in state.shell_options and "monitor" not in state.options and not background
    for index, command in enumerate(node.commands):
        if here and index == last:
            return _last_in_this_shell(evaluator, command, state, feed, statuses, tested)
        if "DEBUG" in state.traps and isinstance(command, SimpleCommand):
            state = traps.before_command(evaluator, state, command.line_at)[0]  # it runs before the process is parted
            if state.flow is not None:
                return [state]
        if isinstance(command, SimpleCommand | Subshell):  # a trap behind the pipeline has the line of the last one
            state.offset = command.line_at if isinstance(command, SimpleCommand) else command.end
        child = processes.start_for(evaluator, state, command, background)
        child.piped_into = _name(node.commands[index + 1], state) if index < last else state.piped_into
        if index:
            child.descriptors[0] = processes.new_stream(evaluator)
            child.inputs[child.descriptors[0]] = feed
        stream = processes.new_stream(evaluator) if index < last else 0
        if stream:
            child.descriptors[1] = stream
            child.outputs[stream] = None
            if node.merged[index]:
                child.descriptors[2] = stream
        ends = _run_part(evaluator, command, child, tested)
        processes.keep_trap_at_error(ends, state)
        feed = processes.output_of(evaluator, ends, stream, state) if stream else None
        statuses.append(processes.settle_into(evaluator, state, ends))
    ends = [state]
    if "ERR" in state.traps and isinstance(node.commands[last], Subshell) and not tested and not background:
        state.status = statuses[last]
        ends = traps.after_failure(evaluator, state, node)  # it runs for the last subshell, and again for the pipeline
    for end in ends:
        if end.flow is None and len(ends) > 1:
            statuses[last] = end.status  # which this way has decided
        end.pipe_status = tuple(statuses)
        end.status = _pipeline_status(statuses, "pipefail" in end.options) if end.flow is None else end.status
    return ends


def _last_in_this_shell(
    evaluator: Evaluator, command: Command, state: State, feed: Text | None, before: Sequence[Status], tested: bool
) -> list[State]:
    descriptors = dict(state.descriptors)
    state.descriptors[0] = processes.new_stream(evaluator)
    state.inputs[state.descriptors[0]] = feed
    ends = evaluator.command(command, state, tested)
    for end in ends:
        restore(end, descriptors, (0,))
        statuses = (*before, end.status)
        end.pipe_status = statuses
        if end.flow is None:
            end.status = _pipeline_status(statuses, "pipefail" in end.options)
    return ends


def _flipped(status: Status) -> Status:
    if isinstance(status, ExitStatus):
        return 0 if status.fails else replace(status, likely=int(status.likely == 0), assumed=False)
    if isinstance(status, Unknown):
        return status
    return int(status == 0)


def _pipeline_status(statuses: Sequence[Status], pipefail: bool) -> Status:
    if not pipefail:
        return statuses[-1]
    status: Status = 0
    for each in reversed(statuses):
        if isinstance(status, ExitStatus) and fails(each):  # then some command fails, whatever the others do
            return replace(status, likely=each if isinstance(each, int) else 1, assumed=False, fails=True)
        if fails(each):
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
