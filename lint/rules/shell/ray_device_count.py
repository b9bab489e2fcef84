r"""`ray start` announces another number of NPUs than the launch asks for.

## What it finds
A `ray start --resources='{"NPU": N}'` in a script whose launch sets `trainer.n_gpus_per_node` to more than N.

## Why it hurts
Ray hands out what was announced. The placement group of a node is never ready: the run waits, or stops with "Total
available GPUs ... is less than total desired GPUs".

## When it fails
at start: when the resource pools are made

## Example that fails
```bash
ray start --head --resources='{"NPU": 8}'  # <- here
python3 -m verl.trainer.main_ppo trainer.device=npu trainer.n_gpus_per_node=16 "$@"
```

## Example that passes
```bash
ray start --head --resources='{"NPU": 16}'
python3 -m verl.trainer.main_ppo trainer.device=npu trainer.n_gpus_per_node=16 "$@"
```

## Fix
Announce as many as the node has and the launch wants.

## Sources
- verl main: docs/ascend_tutorial/model_support/examples/multi-machine_task_startup_practice.rst
- verl main: verl/single_controller/ray/base.py :: ResourcePoolManager._check_resource_available
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from lint.bash.numbers import whole
from lint.bash.reading import RunCommand
from lint.findings import Finding, Related
from lint.regular import regular
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject

ANNOUNCED = regular(r'"NPU"\s*:\s*(\d+)')


def announced(command: RunCommand) -> int | None:
    """The NPUs that a `ray start` announces."""
    if [posixpath.basename(word.shown) for word in command.words[:2]] != ["ray", "start"]:
        return None
    found = ANNOUNCED.search(" ".join(word.shown for word in command.words))
    return None if found is None else whole(found[1])


@rule(severity="error", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """Fewer devices than the launch of the same reading wants."""
    for launch in subject.launches:
        wanted = [one for one in launch.overrides if one.key == "trainer.n_gpus_per_node" and one.value is not None]
        text = (wanted[-1].value.value or "") if wanted and wanted[-1].value is not None else ""
        if not text.isdecimal():
            continue
        for command in subject.split(launch)[0]:
            count = announced(command)
            if count is not None and count < whole(text):
                yield subject.finding(
                    check,
                    command.span,
                    f"ray start announces {count} NPUs, and trainer.n_gpus_per_node is {text}",
                    help=f"announce {text}, or lower trainer.n_gpus_per_node",
                    related=[Related(wanted[-1].span, "the launch asks for more here")],
                    scenario=launch.command.scenario,
                )
