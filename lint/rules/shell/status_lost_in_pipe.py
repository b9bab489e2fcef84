r"""The exit status of a launch is lost, because it is piped into `tee` without `pipefail`.

## What it finds
A launch that is piped into another command while `set -o pipefail` is off, in a script that does not look at
`PIPESTATUS`.

## Why it hurts
The status of a pipeline is that of its last command. The script reports success when training has crashed: schedulers
do not restart it, chains with `&&` go on, nightly tests are green.

## When it fails
silently: the script ends with status 0

## Example that fails
```bash
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 2>&1 | tee train.log  # <- here
```

## Example that passes
```bash
set -o pipefail
python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 2>&1 | tee train.log
```

## Fix
`set -o pipefail` at the top, or `exit "${PIPESTATUS[0]}"` behind the pipeline.

## Sources
- bash reference manual, 3.2.3 Pipelines
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Edit, Finding, Fix
from lint.rules.rule import rule
from lint.rules.shell._launching import places
from lint.subject.subject import ScriptSubject
from lint.text import Span


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """A launch in front of a pipe, and nobody asks for its status."""
    source = subject.script.source
    if "PIPESTATUS" in source.text:
        return
    for place in places(subject):
        command = place.launch.command.outermost
        if place.last or command.pipefail:
            continue
        top = source.line_starts[source.line(subject.script.body[0].start) - 1]
        insert = Edit(Span(source.path, top, top), "set -o pipefail\n")
        yield subject.finding(
            check,
            place.launch.entry_span,
            f"the exit status of {place.launch.entry_point} is lost in the pipe into "
            f"{command.piped_into or 'a command'}: the script ends with 0 when training fails",
            help="add set -o pipefail at the top",
            fix=Fix("set pipefail", not command.errexit, (insert,)),
        )
