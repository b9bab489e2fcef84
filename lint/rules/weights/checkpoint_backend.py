r"""`rollout.checkpoint_engine.backend` is not the name of a registered engine.

## What it finds
A backend other than `naive`, `nccl`, `nixl`, `mooncake`, `kimi_ckpt_engine`, and from 0.9.0 on `delta_sharded`, without
a `custom_backend_module` that could register it. On NPUs the HCCL engine is registered as `nccl`: `hccl` is unknown.

## Why it hurts
"Checkpoint engine hccl not registered" when the workers are built, after the models were loaded.

## When it fails
at init: when the checkpoint engine is made

## Example that fails
```bash
# recipe-lint: device=ascend-a3
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.checkpoint_engine.backend=hccl  # <- here
    trainer.n_gpus_per_node=16
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.checkpoint_engine.backend=naive
    trainer.n_gpus_per_node=16
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Write `nccl` for `hccl` where the rollout has devices of its own, `naive` where it has not.

## Sources
- verl 0.7.1, 0.8.0, 0.9.0, main: verl/checkpoint_engine/*.py :: CheckpointEngineRegistry.register
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.rules.weights._engines import ENGINES, KEY
from lint.subject.derived import ROLLOUT, at_least, follows_verl, is_own_name, loads_modules
from lint.subject.subject import Subject


@rule(severity="error", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """A name that nothing registers."""
    backend = subject.string(KEY)
    module = subject.setting(f"{ROLLOUT}.checkpoint_engine.custom_backend_module")
    if backend is None or (module is not None and module.value is not None) or not follows_verl(subject):
        return
    engines = (*ENGINES, "delta_sharded") if at_least(subject, "0.9.0") else ENGINES
    if backend in engines or is_own_name(subject, backend) or loads_modules(subject):
        return
    remedy = "nccl" if backend == "hccl" else None
    note = "on NPUs the HCCL engine is registered as nccl" if remedy else None
    yield subject.finding(
        check,
        f"checkpoint_engine.backend is {backend}; {subject.verl} has {', '.join(engines)}",
        key=KEY,
        help=f"write {KEY}={remedy or engines[0]}",
        note=note,
        fix=subject.change(KEY, remedy, safe=True) if remedy else None,
    )
