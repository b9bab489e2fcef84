r"""With data parallel rollouts verl 0.7.1 puts only one shard to sleep.

## What it finds
Release 0.7.1 with vLLM, `rollout.data_parallel_size` above 1 and `free_cache_engine=True`.

## Why it hurts
0.7.1 sleeps with `engine.collective_rpc("sleep")`, which reaches the workers of one data parallel shard. The others
keep their weights and KV cache, and the backward pass of the trainer runs out of memory. Later releases use
`engine.sleep`.

## When it fails
first step: in update_actor

## Example that fails
```bash
# recipe-lint: release=0.7.1
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.data_parallel_size=2  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# recipe-lint: release=0.8.0
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.data_parallel_size=2
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Use `data_parallel_size=1` on 0.7.1, or a later release.

## Sources
- verl 0.7.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py :: sleep; 0.8.0: _sleep_hybrid
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, separate_pools
from lint.subject.subject import Subject

KEY = f"{ROLLOUT}.data_parallel_size"


@rule(severity="warning", since="0.7.1", until="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Shards that stay awake."""
    size = subject.integer(KEY)
    if size is None or size < 2 or subject.string(f"{ROLLOUT}.name") != "vllm" or separate_pools(subject):
        return
    if subject.boolean(f"{ROLLOUT}.free_cache_engine"):
        yield subject.finding(
            check,
            f"data_parallel_size is {size}: verl 0.7.1 puts only one of {size} shards to sleep, the others "
            "keep their memory during the update",
            key=KEY,
            also=[f"{ROLLOUT}.free_cache_engine"],
            phase="update_actor",
            help=f"write {KEY}=1",
        )
