r"""Flash Comm is on for a rollout that cannot use it: tensor parallel size 1, or experts without expert parallelism.

## What it finds
`VLLM_ASCEND_ENABLE_FLASHCOMM1=1` (or `VLLM_ASCEND_ENABLE_FLASHCOMM=1` before verl 0.9.0) on NPUs with a vLLM rollout of
`tensor_model_parallel_size` 1, or with a mixture-of-experts model and `expert_parallel_size` 1.

## Why it hurts
vllm-ascend asserts both: "only supported when tp_size > 1", "requires enable_expert_parallel=True for MoE models".

## When it fails
at init: when the rollout engine is configured

## Example that fails
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
export VLLM_ASCEND_ENABLE_FLASHCOMM1=1  # <- here
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=1
    trainer.n_gpus_per_node=16
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
export VLLM_ASCEND_ENABLE_FLASHCOMM1=1
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=4
    trainer.n_gpus_per_node=16
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Raise the tensor parallel size, switch expert parallelism on, or remove the export.

## Sources
- vllm-ascend v0.13: vllm_ascend/utils.py :: enable_sp; v0.18, v0.23: vllm_ascend/platform.py :: check_and_update_config
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, variable


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Flash Comm without tensor or expert parallelism."""
    names = ["VLLM_ASCEND_ENABLE_FLASHCOMM1"]
    if not at_least(subject, "0.9.0"):
        names.append("VLLM_ASCEND_ENABLE_FLASHCOMM")
    switches = [found for found in (variable(subject, name) for name in names) if found and found.value == "1"]
    if not switches or accelerator(subject) == "cuda" or subject.string(f"{ROLLOUT}.name") != "vllm":
        return
    tensor, expert = f"{ROLLOUT}.tensor_model_parallel_size", f"{ROLLOUT}.expert_parallel_size"
    if subject.integer(tensor) == 1:
        message, key, remedy = "needs a tensor parallel size above 1", tensor, f"raise {tensor}"
    elif subject.model is not None and subject.model.experts is not None and subject.integer(expert) == 1:
        message, key, remedy = f"needs expert parallelism for {subject.model.name}", expert, f"set {expert}"
    else:
        return
    yield subject.finding(
        check,
        f"{switches[0].name}=1 {message}, and {subject.describe(key)}",
        span=switches[0].span,
        also=[key],
        help=f"{remedy}, or set {switches[0].name}=0",
    )
