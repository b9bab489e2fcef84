r"""A step before the launch can fail, and the launch runs all the same.

## What it finds
A script without `set -e` that converts, downloads, installs or copies something before it starts a trainer, where
nothing looks at the status of that step (`||`, `&&`, `if`).

## Why it hurts
After a failed conversion or download the trainer starts with old or missing data, on every node. The message of the
step that failed is far above.

## When it fails
silently: the launch goes on after a failed step

## Example that fails
```bash
python3 -m verl.model_merger merge --local_dir actor --target_dir merged  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=merged "$@"
```

## Example that passes
```bash
set -e
python3 -m verl.model_merger merge --local_dir actor --target_dir merged
python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=merged "$@"
```

## Fix
`set -euo pipefail` at the top, or `|| exit 1` behind the step.

## Sources
- bash reference manual, 4.3.1 The Set Builtin
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from lint.bash.syntax import If, SimpleCommand, Statement, While
from lint.bash.walk import constant
from lint.findings import Finding
from lint.regular import regular
from lint.rules.rule import rule
from lint.rules.shell._launching import places
from lint.subject.subject import ScriptSubject

STEPS = regular(r"python3?|pip3?|uv|wget|curl|git|huggingface-cli|hf|modelscope|hdfs|hadoop|tar|unzip|cp|rsync|scp")


@rule(severity="info", confidence="medium", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Steps at the top level, each alone in its statement, above a launch that does not run under errexit."""
    launches = [place for place in places(subject) if not place.launch.command.outermost.errexit]
    if not launches:
        return
    last = max(place.command.start for place in launches)
    starting = {place.command.start for place in places(subject)}
    branches: list[If | While] = [*subject.nodes.of(If), *subject.nodes.of(While)]
    guarded = [(branch.start, branch.end) for branch in branches]
    for statement in subject.nodes.of(Statement):
        pipeline = statement.pipelines[0]
        command = pipeline.commands[-1]
        if statement.operators or statement.background or not isinstance(command, SimpleCommand):
            continue
        if command.start >= last or command.start in starting or not command.words:
            continue
        program = posixpath.basename(constant(command.words[0]) or "")
        if STEPS.fullmatch(program) is None or any(start < command.start < end for start, end in guarded):
            continue
        line = subject.script.source.line(launches[-1].command.start)
        yield subject.finding(
            check,
            subject.span(command),
            f"if this {program} fails, the launch in line {line} runs all the same",
            help="add set -e at the top, or || exit 1 here",
        )
        return
