r"""Exports of the launch script do not reach the workers, because Ray was started before them.

## What it finds
Variables that workers read (HCCL, NCCL, torch_npu, vLLM, ...) and that the script exports after its own `ray start`, or
before `ray job submit`, outside of a container (`docker run` without `-e`), or in a launch over several nodes, where
Ray must have been started elsewhere. Variables that the launch hands to Ray
(`ray_kwargs.ray_init.runtime_env.env_vars`, `--runtime-env-json`) do reach them.

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
Give a container `-e NAME`. Export before `ray start` on every node, or pass
`'+ray_kwargs.ray_init.runtime_env.env_vars.NAME="value"'`. Drop what verl sends by itself unless the driver has it:
`CUDA_DEVICE_MAX_CONNECTIONS` and the port ranges of HCCL.

## Sources
- verl 0.7.1 to main: verl/trainer/main_ppo.py :: run_ppo; verl/trainer/constants_ppo.py :: get_ppo_ray_runtime_env
- ray issue 2260; vLLM issue 6803
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.environment import environment_variables
from lint.findings import Finding
from lint.regular import regular
from lint.rules.environment._ray import obstacle
from lint.rules.rule import rule
from lint.subject.subject import ScriptSubject
from lint.subject.workers import RUNTIME_ENVIRONMENT, assignment

READ_BY_WORKERS = regular(
    r"(HCCL|NCCL|ASCEND|VLLM|SGLANG|GLOO|TORCH_(HCCL|NCCL))_\w+|(TASK_QUEUE|COMBINED)_ENABLE|CPU_AFFINITY_CONF"
    r"|PYTORCH_(NPU|CUDA)?_?ALLOC_CONF|CUDA_DEVICE_MAX_CONNECTIONS|(TP|P2P)_\w+"
)
SHOWN = 5  # names in the message
FORWARDED = frozenset({"VLLM_BATCH_INVARIANT", "NCCL_DETERMINISTIC", "NCCL_ALGO", "VLLM_ASCEND_TASK_QUEUE_ENABLE"})

SENT_BY_VERL = frozenset({"CUDA_DEVICE_MAX_CONNECTIONS", "HCCL_HOST_SOCKET_PORT_RANGE", "HCCL_NPU_SOCKET_PORT_RANGE"})
"""What verl hands to the workers itself, unless the driver has the variable (constants_ppo.py, 0.7.1 to main)."""


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
        exported = launch.command.outermost.environment
        lost = [name for name in exported if matters(name) and name not in reach]
        if lost:
            more = f" and {len(lost) - SHOWN} more" if len(lost) > SHOWN else ""
            yield subject.finding(
                check,
                assignment(lost[0], exported[lost[0]], launch.entry_span, subject.sources),
                f"{', '.join(lost[:SHOWN])}{more}: exported here, but not seen by the workers: {found.reason}",
                severity=None if found.certain else "info",
                confidence=None if found.certain else "medium",
                help=found.remedy or advice(lost),
                scenario=launch.command.scenario,
            )


def advice(lost: list[str]) -> str:
    """What to do about variables that do not arrive, some of which verl would send itself."""
    sent = [name for name in lost if name in SENT_BY_VERL]
    others = [name for name in lost if name not in SENT_BY_VERL]
    first = others[0] if others else ""
    export = f"export before ray start on every node, or pass '+{RUNTIME_ENVIRONMENT}.{first}=...'"
    if len(others) > 1:
        export += " and so on"
    if not sent:
        return export
    remove = (
        f"remove the export of {' and '.join(sent)}: verl sends it to workers that need it, unless the driver has it"
    )
    return f"{remove}; for the others, {export}" if others else remove
