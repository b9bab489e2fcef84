r"""Sleep mode of the rollout is switched off, so freeing its memory frees nothing.

## What it finds
`rollout.enable_sleep_mode=False` with `free_cache_engine=True` for vLLM on devices shared with the trainer.

## Why it hurts
vLLM then allocates weights and KV cache outside of the pool that sleep can release. verl still asks it to sleep before
each update: nothing comes free, and the trainer runs out of memory as with `free_cache_engine=False`.

## When it fails
first step: in update_actor

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    +actor_rollout_ref.rollout.enable_sleep_mode=False  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Remove the override.

## Sources
- verl main: verl/workers/rollout/vllm_rollout/vllm_async_server.py :: launch_server, _sleep_hybrid
- vllm-ascend v0.18: vllm_ascend/worker/worker.py :: sleep releases only what the allocator's pool holds
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, separate_pools
from lint.subject.subject import Subject

KEY = f"{ROLLOUT}.enable_sleep_mode"


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Sleep is asked for and cannot work."""
    if subject.boolean(KEY) is not False or subject.boolean(f"{ROLLOUT}.free_cache_engine") is not True:
        return
    if subject.string(f"{ROLLOUT}.name") != "vllm" or separate_pools(subject):
        return
    yield subject.finding(
        check,
        "enable_sleep_mode is False, so free_cache_engine True releases nothing before the actor is updated",
        key=KEY,
        also=[f"{ROLLOUT}.free_cache_engine"],
        phase="update_actor",
        help=f"remove {KEY}",
    )
