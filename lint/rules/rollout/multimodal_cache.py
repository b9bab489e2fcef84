r"""vLLM's cache of processed images falls out of step when the rollout sleeps.

## What it finds
A multimodal model in a vLLM rollout that sleeps between steps, without `engine_kwargs.vllm.mm_processor_cache_gb=0` (or
`disable_mm_preprocessor_cache=True`), in releases before 0.9.0, whose images hold vLLM older than 0.22.

## Why it hurts
The sender's cache survives sleep and the receiver's may be cleared. When an image comes again, the sender leaves it out
and the receiver does not have it: an assertion in `MultiModalReceiverCache`. The cache also takes 4 GiB of host memory
per process. From 0.9.0 on verl switches it off for such versions of vLLM itself.

## When it fails
late: when an image of an earlier step comes again

## Example that fails
```bash
# recipe-lint: release=0.8.0
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-VL-8B-Instruct  # <- here
    actor_rollout_ref.rollout.name=vllm
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# recipe-lint: release=0.8.0
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-VL-8B-Instruct
    actor_rollout_ref.rollout.name=vllm
    +actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Add `+actor_rollout_ref.rollout.engine_kwargs.vllm.mm_processor_cache_gb=0`.

## Sources
- vLLM pull request 43001; verl commit eb02152e2 (pull request 7067)
- verl 0.9.0, main: verl/workers/rollout/vllm_rollout/vllm_async_server.py :: _preprocess_engine_kwargs
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, separate_pools
from lint.subject.subject import Subject

EXTRA = f"{ROLLOUT}.engine_kwargs.vllm"


@rule(severity="warning", confidence="medium", until="0.9.0")
def check(subject: Subject) -> Iterator[Finding]:
    """Images, sleep, and a cache."""
    if subject.model is None or subject.model.vision is None or subject.string(f"{ROLLOUT}.name") != "vllm":
        return
    if subject.boolean(f"{ROLLOUT}.free_cache_engine") is not True or separate_pools(subject):
        return
    if subject.setting(f"{EXTRA}.mm_processor_cache_gb") or subject.setting(f"{EXTRA}.disable_mm_preprocessor_cache"):
        return
    yield subject.finding(
        check,
        f"the image cache of vLLM falls out of step when the rollout sleeps, and {subject.model.name} takes images",
        also=["actor_rollout_ref.model.path"],
        phase="generate",
        help=f"write +{EXTRA}.mm_processor_cache_gb=0",
    )
