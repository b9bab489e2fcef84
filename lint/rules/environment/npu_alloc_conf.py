r"""`PYTORCH_NPU_ALLOC_CONF` holds an option or a value that torch_npu refuses.

## What it finds
An option that torch_npu does not know, a value outside its range, or `expandable_segments:True` together with
`max_split_size_mb` or `garbage_collection_threshold`, which exclude each other. `PYTORCH_ALLOC_CONF` next to
`PYTORCH_NPU_ALLOC_CONF` is refused by torch_npu of torch 2.10 (images of verl 0.9.0 and later).

## Why it hurts
The allocator is configured when the first tensor is put on the device, in every worker: each of them stops there.

## When it fails
at init: the first allocation on the device

## Example that fails
```bash
# recipe-lint: device=ascend-a3
export PYTORCH_NPU_ALLOC_CONF="expandable_segments:True,max_split_size_mb:256"  # <- here
torchrun --nproc_per_node=16 -m verl.trainer.sft_trainer trainer.n_gpus_per_node=16
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
export PYTORCH_NPU_ALLOC_CONF="expandable_segments:True"
torchrun --nproc_per_node=16 -m verl.trainer.sft_trainer trainer.n_gpus_per_node=16
```

## Fix
Keep one of the two, and values in the ranges that the message names.

## Sources
- Ascend/pytorch v2.8.0, v2.9.0, v2.10.0: torch_npu/csrc/core/npu/NPUAllocatorConfig.cpp :: parseArgs, instance
- Ascend/pytorch: docs/zh/api/environment_variable/memory_management/PYTORCH_NPU_ALLOC_CONF.md
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lint.findings import Finding, Related
from lint.rules.environment._npu import ALLOCATOR, options
from lint.rules.rule import rule
from lint.subject.derived import at_least
from lint.subject.subject import Subject
from lint.subject.workers import accelerator, variable

SWITCH = "True|False"
OPTIONS = {
    "expandable_segments": SWITCH,
    "max_split_size_mb": r"(2[1-9]|[3-9]\d|\d{3,})",
    "garbage_collection_threshold": r"0?\.\d*[1-9]\d*",
    "base_addr_aligned_kb": r"\d|1[0-6]",
    "page_size": "1g",
    "segment_size_mb": r"[2-9]\d|[1-4]\d\d|50\d|51[0-2]",
    "large_segment_size_mb": r"\d+",
    "roundup_power2_divisions": r".+",
    "multi_stream_lazy_reclaim": SWITCH,
    "pinned_use_background_threads": SWITCH,
    "pin_memory_expandable_segments": SWITCH,
    "pinned_mem_register": SWITCH,
    "per_process_memory_fraction": r"0(\.\d+)?|1(\.0+)?",
    "pinned_reserve_segment_size_mb": r"\d+",
    "release_lock_on_npumalloc": SWITCH,
    "throw_on_npumalloc_oom": SWITCH,
    "max_non_split_rounding_mb": r"\d+",
    "pinned_max_round_threshold_mb": r"\d+",
    "pinned_max_cached_size_mb": r"\d+",
}
ALLOWED = {
    "max_split_size_mb": "above 20",
    "garbage_collection_threshold": "between 0 and 1",
    "base_addr_aligned_kb": "0 to 16",
    "segment_size_mb": "20 to 512",
    "per_process_memory_fraction": "0 to 1",
}


def problems(given: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What is wrong with the options, each with what to write."""
    for name, text in given.items():
        if name not in OPTIONS:
            yield f"torch_npu does not know the option {name}", f"remove {name}"
        elif re.fullmatch(OPTIONS[name], text) is None:
            allowed = ALLOWED.get(name, OPTIONS[name].replace("|", " or "))
            yield f"{name} is {text}, and torch_npu wants {allowed}", f"write {name}:<{allowed}>"
    excluded = [name for name in ("max_split_size_mb", "garbage_collection_threshold") if name in given]
    if given.get("expandable_segments") == "True" and excluded:
        yield (
            f"expandable_segments:True excludes {' and '.join(excluded)}",
            f"keep one: remove {' and '.join(excluded)}",
        )


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """Options that the parser of torch_npu rejects."""
    found = variable(subject, ALLOCATOR)
    if found is None or accelerator(subject) == "cuda":
        return
    for message, remedy in problems(options(found.value or "")):
        yield subject.finding(check, f"PYTORCH_NPU_ALLOC_CONF: {message}", span=found.span, help=remedy)
    other = variable(subject, "PYTORCH_ALLOC_CONF")
    if other is not None and at_least(subject, "0.9.0"):
        yield subject.finding(
            check,
            "PYTORCH_NPU_ALLOC_CONF and PYTORCH_ALLOC_CONF are both set: torch_npu 26.2 for torch 2.10 stops then",
            span=found.span,
            help="keep PYTORCH_NPU_ALLOC_CONF",
            confidence="medium",
            related=[Related(other.span, "the other one")],
        )
