"""Checkpoints of a large model are kept without a limit.

## What it finds
`trainer.save_freq` above 0, `trainer.max_actor_ckpt_to_keep` null, and a model whose checkpoint is above 100 GiB:
under FSDP weights and two moments in 32 bits, 12 bytes per parameter; under Megatron weights in 16 bits, a master copy
and two moments in 32, 14 bytes. Without the optimizer it is 4 or 2.

## Why it hurts
The disk fills up, and the save that does not fit ends the run.

## When it fails
late: after some saves

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.model.path=Qwen/Qwen3-32B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.save_freq=10  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.rollout.n=8
    actor_rollout_ref.model.path=Qwen/Qwen3-32B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    trainer.save_freq=10
    trainer.max_actor_ckpt_to_keep=2
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `trainer.max_actor_ckpt_to_keep`.

## Sources
- verl/trainer/ppo/v1/trainer_base.py :: _save_checkpoint, max_ckpt_to_keep (0.7.1 to 0.9.1)
- verl/utils/checkpoint/fsdp_checkpoint_manager.py :: save_checkpoint (sharded state, as it is stored)
- megatron/core/optimizer/distrib_optimizer.py :: sharded_param_state_fully_sharded_model_space (param, both moments)
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ACTOR, lora_rank, strategy, trains
from lint.subject.subject import Subject

FREQUENCY, KEPT = "trainer.save_freq", "trainer.max_actor_ckpt_to_keep"
CONTENTS = f"{ACTOR}.checkpoint.save_contents"
OF_FSDP, OF_MEGATRON = (4, 8), (2, 12)  # bytes per parameter: weights, optimizer
GIB = 1 << 30


@rule(severity="info", options={"gibibytes": 100.0})
def check(subject: Subject) -> Iterator[Finding]:
    """Large checkpoints, no limit to their number."""
    frequency, model, limit = subject.integer(FREQUENCY), subject.model, subject.options.get("gibibytes")
    if not trains(subject) or frequency is None or frequency <= 0 or model is None or not subject.is_null(KEPT):
        return
    if lora_rank(subject) != 0 or not isinstance(limit, (int, float)):
        return
    contents = subject.value(CONTENTS)
    if not isinstance(contents, list):
        return
    weights, optimizer = OF_MEGATRON if strategy(subject) == "megatron" else OF_FSDP
    size = model.parameters.total * (weights + (optimizer if "optimizer" in contents else 0))
    if size > limit * GIB:
        yield subject.finding(
            check,
            f"each checkpoint of {model.name} is about {size / GIB:.0f} GiB, one every {frequency} steps, and "
            f"{subject.describe(KEPT)} keeps them all",
            key=FREQUENCY,
            also=(KEPT, CONTENTS),
            help=f"set {KEPT}=2",
        )
