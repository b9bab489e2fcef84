r"""The kimi checkpoint engine on NPUs needs `HCCL_INTRA_ROCE_ENABLE=1`.

## What it finds
`checkpoint_engine.backend=kimi_ckpt_engine` on NPUs without `HCCL_INTRA_ROCE_ENABLE=1` for the workers.

## Why it hurts
With CANN 8.5.0 and later (the images of verl 0.7.1 on) transfers inside a node take another way by default than the
engine sets up; verl's documentation calls the variable a must.

## When it fails
first step: in the first weight update

## Example that fails
```bash
# recipe-lint: device=ascend-a3
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.checkpoint_engine.backend=kimi_ckpt_engine  # <- here
    actor_rollout_ref.rollout.nnodes=1
    actor_rollout_ref.rollout.n_gpus_per_node=8
    trainer.v1.trainer_mode=separate_async
    trainer.n_gpus_per_node=8
    data.train_batch_size=1024
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
export HCCL_INTRA_ROCE_ENABLE=1
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.checkpoint_engine.backend=kimi_ckpt_engine
    actor_rollout_ref.rollout.nnodes=1
    actor_rollout_ref.rollout.n_gpus_per_node=8
    trainer.v1.trainer_mode=separate_async
    trainer.n_gpus_per_node=8
    data.train_batch_size=1024
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
`export HCCL_INTRA_ROCE_ENABLE=1`, before `ray start` on every node.

## Sources
- verl main: verl/checkpoint_engine/README.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject
from lint.subject.workers import on_npu, variable

KEY = f"{ROLLOUT}.checkpoint_engine.backend"


@rule(severity="warning", confidence="medium", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """The engine without its variable."""
    if not on_npu(subject) or subject.string(KEY) != "kimi_ckpt_engine":
        return
    found = variable(subject, "HCCL_INTRA_ROCE_ENABLE")
    if found is None or found.value not in ("1", None):
        shown = "not set" if found is None else found.value
        yield subject.finding(
            check,
            f"kimi_ckpt_engine on NPUs needs HCCL_INTRA_ROCE_ENABLE=1 with CANN 8.5.0 and later; it is {shown}",
            key=KEY,
            help="export HCCL_INTRA_ROCE_ENABLE=1 before ray start on every node",
        )
