"""The processes that torchrun starts do not divide over the parallel sizes of fine-tuning.

## What it finds
Supervised fine-tuning started by torchrun: `--nnodes` x `--nproc_per_node` modulo the Ulysses size (FSDP, VeOmni) or
tensor x pipeline x context parallel size (Megatron).

## Why it hurts
The device mesh, or Megatron, refuses while the engine is built.

## When it fails
at init: an error of `init_device_mesh` or of `initialize_model_parallel`

## Example that fails
```bash
SETTINGS=(
    model.path=Qwen/Qwen2.5-0.5B-Instruct
    model.use_remove_padding=True
    engine.ulysses_sequence_parallel_size=2  # <- here
)
torchrun --standalone --nnodes=1 --nproc_per_node=1 -m verl.trainer.sft_trainer "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    model.path=Qwen/Qwen2.5-0.5B-Instruct
    model.use_remove_padding=True
    engine.ulysses_sequence_parallel_size=2
)
torchrun --standalone --nnodes=1 --nproc_per_node=2 -m verl.trainer.sft_trainer "${SETTINGS[@]}"
```

## Fix
Start more processes, or lower the parallel size.

## Sources
- verl/workers/engine/fsdp/transformer_impl.py :: _init_device_mesh (0.7.1 to 0.9.1); verl 5a2e0b1c2
- Megatron-LM core_r0.16.0 megatron/core/parallel_state.py :: initialize_model_parallel
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.processes import started
from lint.subject.subject import Subject

SPLITS = (
    ("engine.ulysses_sequence_parallel_size",),
    ("engine.ulysses_parallel_size",),
    ("ulysses_sequence_parallel_size",),  # verl.trainer.fsdp_sft_trainer, up to 0.6
    (
        "engine.tensor_model_parallel_size",
        "engine.pipeline_model_parallel_size",
        "engine.context_parallel_size",
    ),
)


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Processes modulo each product of sizes that the config has."""
    pool = started(subject)
    if pool is None:
        return
    nodes, processes = pool
    for keys in SPLITS:
        sizes = [subject.integer(key) for key in keys]
        if any(not size for size in sizes):
            continue
        split = prod(size for size in sizes if size)
        if nodes * processes % split == 0:
            continue
        product = " x ".join(subject.describe(key) for key, size in zip(keys, sizes, strict=True) if size != 1)
        yield subject.finding(
            check,
            f"{nodes} x {processes} = {nodes * processes} processes do not divide by {product}"
            + (f" = {split}" if " x " in product else ""),
            key=next(key for key, size in zip(keys, sizes, strict=True) if size != 1),
            also=keys,
            help=f"start a multiple of {split} processes",
        )
