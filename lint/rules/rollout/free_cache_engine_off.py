r"""The rollout keeps its weights and KV cache while the trainer works on the same devices.

## What it finds
`rollout.free_cache_engine=False` where trainer and rollout share devices (no pool of its own for the rollout).

## Why it hurts
The rollout holds `gpu_memory_utilization` of the device through log-probs and the update of the actor. The actor gets
what is left; with offloading the peak comes when it is loaded back. Reported as a memory spike and out of memory.

## When it fails
first step: in update_actor

## Example that fails
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.free_cache_engine=False  # <- here
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
OVERRIDES=(
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.free_cache_engine=True
    trainer.n_gpus_per_node=8
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Remove the key: True is the default.

## Sources
- verl 0.7.1 to main: verl/workers/rollout/vllm_rollout/vllm_async_server.py :: sleep returns at once without it
- verl issue 1386; verl commit 7b523663e
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, follows_verl, separate_pools
from lint.subject.subject import Subject

KEY = f"{ROLLOUT}.free_cache_engine"


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """A shared device, and a rollout that never frees its share."""
    if (
        subject.boolean(KEY) is not False
        or subject.string(f"{ROLLOUT}.name") == "hf"  # generates with the trainer's own weights
        or separate_pools(subject)
        or subject.setting("trainer.nnodes") is None
        or not follows_verl(subject)
    ):
        return
    share = subject.number(f"{ROLLOUT}.gpu_memory_utilization")
    held = "its share" if share is None else f"{share:g} of the device"
    yield subject.finding(
        check,
        f"free_cache_engine is False: the rollout keeps {held} while the actor is updated on it",
        key=KEY,
        also=[f"{ROLLOUT}.gpu_memory_utilization"],
        phase="update_actor",
        help=f"write {KEY}=True",
        fix=subject.change(KEY, "True", safe=True),
    )
