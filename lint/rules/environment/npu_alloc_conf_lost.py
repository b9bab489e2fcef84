r"""`max_split_size_mb` or `garbage_collection_threshold` of `PYTORCH_NPU_ALLOC_CONF` lasts for one step only.

## What it finds
One of these options in `PYTORCH_NPU_ALLOC_CONF`, for a launch of verl 0.8.0 or later whose trainer hands weights to a
rollout.

## Why it hurts
Around every weight update verl calls `_set_allocator_settings("expandable_segments:...")`. The parser of torch_npu
resets `max_split_size_mb` and `garbage_collection_threshold` to their defaults on each call, and after the first
update expandable segments are on. A run that was tuned to fit with the option goes out of memory later, or the option
was never what helped.

## When it fails
silently: after the first weight update, that is before the second step

## Example that fails
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
export PYTORCH_NPU_ALLOC_CONF=max_split_size_mb:256  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Fix
Remove the option. What it was for (fragmentation) is what expandable segments do.

## Sources
- verl 0.8.0, 0.9.0, main: verl/workers/engine_workers.py :: update_weights; verl/utils/device.py
- Ascend/pytorch v2.9.0, v2.10.0-26.1.0: CachingAllocatorConfig::parseArgs assigns both defaults first
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.environment._npu import ALLOCATOR, options
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, remove, variable

LOST = ("max_split_size_mb", "garbage_collection_threshold")


@rule(severity="warning", since="0.8.0")
def check(subject: Subject) -> Iterator[Finding]:
    """An allocator option that the first weight update resets."""
    found = variable(subject, ALLOCATOR)
    if found is None or accelerator(subject) == "cuda" or subject.setting(f"{ROLLOUT}.name") is None:
        return
    given = options(found.value or "")
    lost = [f"{name}:{given[name]}" for name in LOST if name in given]
    if lost:
        yield subject.finding(
            check,
            f"PYTORCH_NPU_ALLOC_CONF {' and '.join(lost)} is reset by verl's first weight update, which turns "
            "expandable segments on",
            span=found.span,
            help=f"remove {' and '.join(lost)}",
            fix=remove(subject, found, safe=False) if set(given) <= set(LOST) else None,
        )
