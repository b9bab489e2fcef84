r"""`TASK_QUEUE_ENABLE=2` meets graph capture in the rollout on NPUs.

## What it finds
`TASK_QUEUE_ENABLE=2` in the environment of a launch whose vLLM rollout captures graphs (`enforce_eager=False`, the
default), unless `VLLM_ASCEND_TASK_QUEUE_ENABLE` gives the rollout another level (read from verl 0.9.0 on).

## Why it hurts
ACL graph capture needs level 1: level 2 moves workspace work to the second queue, which conflicts with capture. verl's
Ascend tuning guide: 1 with graphs, 2 for eager mode only. Capture fails, or replays are wrong.

## When it fails
at init: while the rollout captures graphs

## Example that fails
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
export TASK_QUEUE_ENABLE=2  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
export TASK_QUEUE_ENABLE=2
export VLLM_ASCEND_TASK_QUEUE_ENABLE=1
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Fix
`TASK_QUEUE_ENABLE=1`; or keep 2 for the trainer and add `export VLLM_ASCEND_TASK_QUEUE_ENABLE=1` (verl 0.9.0 and
later).

## Sources
- verl main: docs/ascend_tutorial/dev_guide/performance/perf_tuning_on_ascend.rst
- verl v0.9.0, main: verl/plugin/platform/platform_npu.py :: rollout_env_vars
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rollout._graphs import captures
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, known, replace, variable


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """Queue level 2 and a rollout that is not eager."""
    found = variable(subject, "TASK_QUEUE_ENABLE")
    if found is None or found.value != "2" or accelerator(subject) == "cuda":
        return
    if not captures(subject):
        return
    separate = at_least(subject, "0.9.0")
    of_rollout = known(subject, "VLLM_ASCEND_TASK_QUEUE_ENABLE") if separate else None
    if of_rollout not in (None, "", "2"):
        return
    yield subject.finding(
        check,
        f"TASK_QUEUE_ENABLE is 2 and the rollout captures graphs ({subject.describe(f'{ROLLOUT}.enforce_eager')}): "
        "capture needs level 1",
        span=found.span,
        also=[f"{ROLLOUT}.enforce_eager"],
        help="set TASK_QUEUE_ENABLE=1"
        + (", or add export VLLM_ASCEND_TASK_QUEUE_ENABLE=1 for the rollout" if separate else ""),
        fix=replace(subject, found, "1"),
    )
