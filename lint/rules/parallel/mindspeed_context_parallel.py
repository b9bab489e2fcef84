"""MindSpeed is not told about context parallelism.

## What it finds
verl 0.7 on NPU with Megatron: `megatron.context_parallel_size` above 1 while
`megatron.override_transformer_config.context_parallel_size` is missing or differs.

## Why it hurts
The repatch of MindSpeed gets only `override_transformer_config`, so it patches as if there were no context
parallelism. From 0.8.0 on verl hands the size over by itself.

## When it fails
at init: an error in attention, or silently wrong attention

## Example that fails
```bash
# recipe-lint: release=0.7.1 device=ascend-a3
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-0.6B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.context_parallel_size=2  # <- here
)
python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer.yaml "${SETTINGS[@]}"
```

## Example that passes
```bash
# recipe-lint: release=0.7.1 device=ascend-a3
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-0.6B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.megatron.context_parallel_size=2
    +actor_rollout_ref.actor.megatron.override_transformer_config.context_parallel_size=2
)
python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer.yaml "${SETTINGS[@]}"
```

## Fix
Add `+actor_rollout_ref.actor.megatron.override_transformer_config.context_parallel_size` with the same size.

## Sources
- verl/workers/megatron_workers.py :: ActorRolloutRefWorker.__init__, repatch (0.7.1)
- verl/workers/engine/mindspeed/transformer_impl.py :: _mindspeed_repatch (0.8.0)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, engine
from lint.subject.subject import Subject

CONTEXT = f"{ACTOR}.megatron.context_parallel_size"
TOLD = f"{ACTOR}.megatron.override_transformer_config.context_parallel_size"


@rule(severity="error", since="0.7.0", until="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Context parallel size that MindSpeed does not see."""
    size = subject.integer(CONTEXT)
    on_npu = subject.device is not None and subject.device.kind == "npu"
    if engine(subject) != "megatron" or not on_npu or size is None or size < 2:
        return
    if subject.setting(TOLD) is not None and subject.integer(TOLD) in (size, None):
        return
    yield subject.finding(
        check,
        f"{subject.describe(CONTEXT)} does not reach MindSpeed: override_transformer_config has "
        f"{subject.describe(TOLD)}",
        key=CONTEXT,
        also=(TOLD,),
        help=f"add +{TOLD}={size}",
    )
