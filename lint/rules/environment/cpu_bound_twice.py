r"""Threads are bound to CPU cores twice: by torch_npu and by vllm-ascend.

## What it finds
`CPU_AFFINITY_CONF` of mode 1 or 2 together with `additional_config.enable_cpu_binding=True` for the vLLM rollout.

## Why it hurts
Both binders assign cores to the same process from different plans; the second one moves the threads of the first.

## When it fails
silently: the rollout is slower, in an uneven way

## Example that fails
```bash
# recipe-lint: device=ascend-a3
export CPU_AFFINITY_CONF=1  # <- here
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    +actor_rollout_ref.rollout.engine_kwargs.vllm.additional_config.enable_cpu_binding=True
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}" trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
export CPU_AFFINITY_CONF=1
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Fix
Keep one of the two.

## Sources
- Ascend/pytorch: docs/zh/api/environment_variable/performance_tuning/CPU_AFFINITY_CONF.md
- vllm-ascend v0.13, v0.18, v0.23: vllm_ascend/ascend_config.py :: enable_cpu_binding
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, variable

BINDING = f"{ROLLOUT}.engine_kwargs.vllm.additional_config.enable_cpu_binding"


@rule(severity="info", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Both binders are switched on by the script."""
    found = variable(subject, "CPU_AFFINITY_CONF")
    if found is None or not (found.value or "").startswith(("1", "2")) or accelerator(subject) == "cuda":
        return
    if subject.boolean(BINDING):
        yield subject.finding(
            check,
            f"CPU_AFFINITY_CONF={found.value} and enable_cpu_binding=True both bind the threads of the rollout",
            span=found.span,
            also=[BINDING],
            help="keep one of the two",
        )
