"""The profiler is set up in a way that it refuses, or that collects nothing.

## What it finds
For each role, `profiler.tool_config.npu.contents` that are not a list of npu, cpu, memory, shapes, module, stack; for
the torch tool: cuda, cpu, memory, shapes, stack. A role's profiler that is on while `global_profiler.steps` or `tool`
is null collects nothing.

## Why it hurts
The config of the tool is built with the worker, after the models of earlier roles were loaded.

## When it fails
at init: AssertionError of NPUToolConfig or TorchProfilerToolConfig; null steps: silently

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.profiler.tool_config.npu.contents=[npu,gpu]  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.profiler.tool_config.npu.contents=[npu,cpu]
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Write lists in brackets, and `global_profiler.steps=[2,5]` with `global_profiler.tool=npu`.

## Sources
- verl/utils/profiler/config.py :: NPUToolConfig.__post_init__, TorchProfilerToolConfig.__post_init__ (0.8.0 to 0.9.1)
- verl/workers/engine_workers.py :: ActorRolloutRefWorker.init_model
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, CRITIC, REF, ROLLOUT
from lint.subject.subject import Subject

CONTENTS = {
    "npu": ("npu", "cpu", "memory", "shapes", "module", "stack"),
    "torch": ("cuda", "cpu", "memory", "shapes", "stack"),
}
STEPS, TOOL = "global_profiler.steps", "global_profiler.tool"


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Contents of each role's tools; roles that are on without steps."""
    silent = [key for key in (STEPS, TOOL) if subject.is_null(key)]
    for prefix in (ACTOR, REF, CRITIC, ROLLOUT):
        node = f"{prefix}.profiler"
        for tool, known in CONTENTS.items():
            contents = f"{node}.tool_config.{tool}.contents"
            given = subject.value(contents)
            wrong = [part for part in given if part not in known] if isinstance(given, list) else []
            if subject.is_set(contents) and (wrong or isinstance(given, str)):
                yield subject.finding(
                    check,
                    f"{contents} is {given}, it must be a list of {', '.join(known)}",
                    key=contents,
                    help=f"write '{contents}=[cpu,memory]'",
                )
        if silent and subject.is_set(f"{node}.enable") and subject.boolean(f"{node}.enable"):
            yield subject.finding(
                check,
                f"{node}.{subject.describe(f'{node}.enable')} collects nothing: {subject.describe(silent[0])}",
                key=f"{node}.enable",
                also=silent,
                severity="info",
                help=f"set '{STEPS}=[2]' and {TOOL}",
            )
