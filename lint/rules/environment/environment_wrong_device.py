r"""An environment variable is set that only the other kind of accelerator reads.

## What it finds
A CUDA, NCCL or vLLM-on-CUDA variable in a launch on NPUs (`VLLM_ATTENTION_BACKEND=XFORMERS`,
`PYTORCH_CUDA_ALLOC_CONF`), or an Ascend variable in a launch on GPUs.

## Why it hurts
It has no effect, and the setting that it was meant to be is missing: the allocator, the network card or the attention
kernel stays at its default.

## When it fails
silently: the variable has no effect

## Example that fails
```bash
export VLLM_ATTENTION_BACKEND=XFORMERS  # <- here
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.device=npu trainer.n_gpus_per_node=8
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.device=npu trainer.n_gpus_per_node=8
```

## Fix
Remove it, or set the variable of this device that the message names.

## Sources
- vllm-ascend main: vllm_ascend/platform.py :: get_attn_backend_cls chooses the attention backend itself
- Ascend/pytorch v2.9.0: torch_npu/csrc/core/npu/NPUAllocatorConfig.cpp reads PYTORCH_NPU_ALLOC_CONF only
- verl main: verl/plugin/platform/platform_npu.py :: visible_devices_envvar
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.environment import environment_variables
from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, remove, variables

NAMES = {"npu": "NPUs", "cuda": "GPUs"}


@rule(severity="warning")
def check(subject: Subject) -> Iterator[Finding]:
    """A variable of the table for one device, in a launch that certainly runs on the other."""
    device = accelerator(subject)
    if device is None:
        return
    known, names = environment_variables(), {found.name for found in variables(subject)}
    for found in variables(subject):
        fact = known.get(found.name)
        if fact is None or fact.device is None or fact.device == device:
            continue
        counterpart = None if fact.counterpart in names else fact.counterpart
        yield subject.finding(
            check,
            f"{found.name} is read by {fact.reader} on {NAMES[fact.device]} only, and this launch runs on "
            f"{NAMES[device]}: it has no effect",
            span=found.span,
            severity=fact.unread,
            help=f"set {counterpart} in its place" if counterpart else "remove it",
            fix=None if counterpart else remove(subject, found),
        )
