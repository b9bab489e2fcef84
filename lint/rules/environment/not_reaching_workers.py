r"""Exports of the launch script do not reach the workers, because Ray was started before them.

## What it finds
Variables that workers read (HCCL, NCCL, torch_npu, vLLM, ...) and that the script exports after its own `ray start`, or
before `ray job submit`, or in a launch over several nodes, where Ray must have been started elsewhere. Variables that
the launch hands to Ray (`ray_kwargs.ray_init.runtime_env.env_vars`, `--runtime-env-json`) do reach them.

## Why it hurts
Ray's workers inherit the environment of `ray start`, not that of the driver. Time-outs stay at their defaults,
allocator settings and optimisations are off, and each node can differ from the others.

## When it fails
silently: as if the variable was not set; hangs and out-of-memory follow

## Example that fails
```bash
ray start --head
export HCCL_CONNECT_TIMEOUT=1500  # <- here
python3 -m verl.trainer.main_ppo trainer.device=npu trainer.nnodes=1 trainer.n_gpus_per_node=8 "$@"
```

## Example that passes
```bash
export HCCL_CONNECT_TIMEOUT=1500
ray start --head
python3 -m verl.trainer.main_ppo trainer.device=npu trainer.nnodes=1 trainer.n_gpus_per_node=8 "$@"
```

## Fix
Export before `ray start` on every node, or pass `'+ray_kwargs.ray_init.runtime_env.env_vars.NAME="value"'`.

## Sources
- verl 0.7.1 to main: verl/trainer/main_ppo.py :: run_ppo; verl/trainer/constants_ppo.py :: get_ppo_ray_runtime_env
- ray issue 2260; vLLM issue 6803
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from lint.bash.reading import RunCommand
from lint.facts.environment import environment_variables
from lint.findings import Finding
from lint.launch.launch import Launch
from lint.rules.rule import rule
from lint.rules.subject import ScriptSubject
from lint.rules.workers import RUNTIME_ENVIRONMENT, place

READ_BY_WORKERS = re.compile(
    r"(HCCL|NCCL|ASCEND|VLLM|SGLANG|GLOO|TORCH_(HCCL|NCCL))_\w+|(TASK_QUEUE|COMBINED)_ENABLE|CPU_AFFINITY_CONF"
    r"|PYTORCH_(NPU|CUDA)?_?ALLOC_CONF|CUDA_DEVICE_MAX_CONNECTIONS|(TP|P2P)_\w+"
)
SHOWN = 5  # names in the message
FORWARDED = frozenset({"VLLM_BATCH_INVARIANT", "NCCL_DETERMINISTIC", "NCCL_ALGO", "VLLM_ASCEND_TASK_QUEUE_ENABLE"})


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why exports do not reach the workers, whether that is certain, and which names do all the same."""

    reason: str
    certain: bool
    passed: Collection[str]


def obstacle(subject: ScriptSubject, launch: Launch) -> Obstacle | None:
    """What stands between the shell of a launch and its workers; None if Ray is started by the launch itself."""
    if launch.launcher.startswith("ray job submit"):
        if any(re.match(r"--runtime-env(=|\Z)", word.shown) for word in launch.command.words):
            return None  # a file, which may hold any of them
        own = launch.command.environment
        given = {name for name, text in launch.environment.items() if text != own.get(name)}
        return Obstacle("ray job submit does not send the environment of this shell", True, given)
    start = last_start(subject, launch)
    if start is not None:
        line = subject.sources[start.span.path].line(start.span.start)
        return Obstacle(f"ray start in line {line} runs before them", True, start.environment)
    counts = [
        one.value.value or "" for one in launch.overrides if one.key == "trainer.nnodes" and one.value is not None
    ]
    if counts and counts[-1].isdigit() and int(counts[-1]) > 1:
        reason = f"with trainer.nnodes {counts[-1]} Ray is started elsewhere, and workers see what ray start saw"
        return Obstacle(reason, False, ())
    return None


def last_start(subject: ScriptSubject, launch: Launch) -> RunCommand | None:
    """The last `ray start` that runs before a launch."""
    for command in reversed(subject.split(launch)[0]):
        if [posixpath.basename(word.shown) for word in command.words[:2]] == ["ray", "start"]:
            return command
    return None


def matters(name: str) -> bool:
    """True for a variable that workers read; those that some release dropped have a rule of their own."""
    fact = environment_variables().get(name)
    return READ_BY_WORKERS.fullmatch(name) is not None and (fact is None or fact.until is None)


@rule(severity="warning", scope="script")
def check(subject: ScriptSubject) -> Iterator[Finding]:
    """One finding for each launch, at the first variable."""
    for launch in subject.launches:
        found = obstacle(subject, launch)
        if found is None:
            continue
        given = {one.key.rsplit(".", 1)[-1] for one in launch.overrides if one.key.startswith(RUNTIME_ENVIRONMENT)}
        reach = given | FORWARDED | set(found.passed)
        lost = [name for name in launch.command.environment if matters(name) and name not in reach]
        if lost:
            more = f" and {len(lost) - SHOWN} more" if len(lost) > SHOWN else ""
            yield subject.finding(
                check,
                place(launch.command.environment[lost[0]], launch.entry_span),
                f"{', '.join(lost[:SHOWN])}{more}: exported here, but not seen by the workers: {found.reason}",
                severity=None if found.certain else "info",
                confidence=None if found.certain else "medium",
                help=f"export before ray start on every node, or pass '+{RUNTIME_ENVIRONMENT}.NAME=...'",
                scenario=launch.command.scenario,
            )
