r"""Tracebacks do not get into the log file: only standard output goes through the pipe into `tee`.

## What it finds
A launch that is piped into `tee` without `2>&1` or `|&`, and no `exec 2>&1` before it.

## Why it hurts
Python writes tracebacks and most warnings to standard error. They pass by on the screen of a session that is closed by
the time someone looks; the log file ends without a reason.

## When it fails
silently: the log lacks what went wrong

## Example that fails
```bash
set -o pipefail
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 | tee train.log  # <- here
```

## Example that passes
```bash
set -o pipefail
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 2>&1 | tee train.log
```

## Fix
Write `2>&1 | tee`.

## Sources
- bash reference manual, 3.2.3 Pipelines
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.bash.syntax import Redirection, SimpleCommand
from lint.bash.walk import constant
from lint.findings import Edit, Finding, Fix
from lint.rules.rule import rule
from lint.rules.shell._launching import places
from lint.subject.subject import ScriptSubject
from lint.text import Span


def sends_errors(redirections: tuple[Redirection, ...]) -> bool:
    """True if standard error goes somewhere else than to the screen."""
    return any(one.descriptor == 2 or one.operator in ("&>", "&>>") for one in redirections)


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """A pipe into tee that standard error does not take."""
    commands = list(subject.nodes.of(SimpleCommand))
    redirected = [
        command.end
        for command in commands
        if command.words and constant(command.words[0]) == "exec" and sends_errors(command.redirections)
    ]
    for place in places(subject):
        if (
            place.launch.command.outermost.piped_into != "tee"
            or place.merged
            or sends_errors(place.command.redirections)
        ):
            continue
        if any(end <= place.command.start for end in redirected):
            continue
        end = place.command.end
        insert = Edit(Span(subject.script.source.path, end, end), " 2>&1")
        yield subject.finding(
            check,
            place.launch.entry_span,
            f"tracebacks of {place.launch.entry_point} are not in the log: only standard output is piped into tee",
            help="write 2>&1 | tee",
            fix=Fix("log standard error too", True, (insert,)),
        )
