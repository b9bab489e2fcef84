r"""A checkpoint engine for separate pools is chosen where trainer and rollout are the same processes.

## What it finds
`rollout.checkpoint_engine.backend` other than `naive` in a `main_ppo` launch whose rollout has no devices of its own.

## Why it hurts
Only `naive` hands weights over inside a process. Any other engine makes a process group of trainer ranks and rollout
ranks and calls both ends; here both are the same Ray actors, and the second call waits behind the first for ever.

## When it fails
first step: a hang in the first weight update

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.checkpoint_engine.backend=nccl  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.checkpoint_engine.backend=naive
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Remove the key, or give the rollout its own devices (`trainer.v1.trainer_mode=separate_async` with its sizes).

## Sources
- verl main: verl/checkpoint_engine/base.py :: CheckpointEngineManager.update_weights; verl/workers/engine_workers.py
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.rules.weights._engines import ENGINES, KEY
from lint.subject.derived import generation, separate_pools, trainer_mode
from lint.subject.subject import Subject


@rule(severity="error", confidence="medium", since="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Another known engine than naive, and one pool."""
    backend = subject.string(KEY)
    if backend not in ENGINES or backend == "naive" or separate_pools(subject):
        return
    if subject.launch.entry_point != "verl.trainer.main_ppo":
        return
    if generation(subject) is None or (generation(subject) == "v1" and trainer_mode(subject) is None):
        return
    yield subject.finding(
        check,
        f"checkpoint_engine.backend is {backend}, but trainer and rollout share processes: only naive works there",
        key=KEY,
        also=["trainer.v1.trainer_mode"],
        phase="update_weights",
        help=f"remove {KEY}",
        fix=subject.change(KEY, "naive", safe=False),
    )
