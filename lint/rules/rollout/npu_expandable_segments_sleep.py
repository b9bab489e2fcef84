r"""Expandable segments are on for the rollout on NPUs, and sleep mode cannot work with them.

## What it finds
`expandable_segments:True` in `PYTORCH_NPU_ALLOC_CONF` while the vLLM rollout uses sleep mode (verl's default:
`enable_sleep_mode`, `free_cache_engine=True`). On GPUs the same with `PYTORCH_CUDA_ALLOC_CONF` before verl 0.8.0.

## Why it hurts
vllm-ascend's memory pool asserts "Expandable segments are not compatible with memory pool"; other versions start and
then free nothing ("sleep mode freed 0.00 GiB"), so the trainer has no room. verl itself switches expandable segments
off around weight updates and on afterwards.

## When it fails
at init: when the rollout engine makes its memory pool

## Example that fails
```bash
# recipe-lint: device=ascend-a3
export PYTORCH_NPU_ALLOC_CONF="expandable_segments:True"  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
export PYTORCH_NPU_ALLOC_CONF="expandable_segments:False"
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=16
```

## Fix
Remove the export, or write `expandable_segments:False`.

## Sources
- vllm-ascend v0.11, v0.13, v0.18, v0.23, main: vllm_ascend/device_allocator/camem.py :: CaMemAllocator.__init__
- vLLM: vllm/device_allocator/cumem.py asserts in early releases and toggles the setting itself in later ones
- vllm-ascend pull request 9242, ms-swift issue 6636
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, replace, variable


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Expandable segments in the environment of a vLLM rollout that sleeps."""
    if subject.string(f"{ROLLOUT}.name") != "vllm" or subject.boolean(f"{ROLLOUT}.enable_sleep_mode") is False:
        return
    if subject.boolean(f"{ROLLOUT}.free_cache_engine") is not True:
        return
    device = accelerator(subject)
    for name, kind in (("PYTORCH_NPU_ALLOC_CONF", "npu"), ("PYTORCH_CUDA_ALLOC_CONF", "cuda")):
        found = variable(subject, name)
        if found is None or "expandable_segments:True" not in (found.value or "") or device not in (kind, None):
            continue
        if kind == "cuda" and (device is None or at_least(subject, "0.8.0")):
            continue
        yield subject.finding(
            check,
            f"{name} is {found.value}, and the rollout's sleep mode (free_cache_engine True) cannot work with "
            "expandable segments",
            span=found.span,
            confidence="high" if kind == "npu" else "medium",
            help="write expandable_segments:False, or remove the export: verl switches them on where they help",
            fix=replace(subject, found, (found.value or "").replace("segments:True", "segments:False")),
        )
