r"""vllm-ascend cannot capture a graph for every size in `cudagraph_capture_sizes`.

## What it finds
For a vLLM rollout on NPUs that captures graphs: sizes that are no multiple of the tensor parallel size while Flash
Comm is on; before verl 0.9.0 in piecewise mode, more sizes than the streams of the device allow, (1800 - 40 g) /
(layers + 1) / (1 + 2 g) with g groups that communicate (1800 / (layers + 1) / (1 + g) with
`HCCL_OP_EXPANSION_MODE=AIV`, less for experts); from 0.9.0 on, more than 4 on Ascend 950.

## Why it hurts
With Flash Comm the other sizes are dropped, and if none is left vllm-ascend asserts. Above the limit it keeps an even
selection: batches are padded to the next size that is left. (Where a model needs more streams than the formula thinks,
capture fails with 207008, "stream resources insufficient".)

## When it fails
at init: if no size is left; silently (slower decoding) otherwise

## Example that fails
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
export VLLM_ASCEND_ENABLE_FLASHCOMM1=1
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=8
    actor_rollout_ref.rollout.cudagraph_capture_sizes=[1,2,4]  # <- here
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3 release=0.9.0
export VLLM_ASCEND_ENABLE_FLASHCOMM1=1
OVERRIDES=(
    actor_rollout_ref.model.path=Qwen/Qwen3-8B
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=8
    actor_rollout_ref.rollout.cudagraph_capture_sizes=[8,16,32]
)
python3 -m verl.trainer.main_ppo "${OVERRIDES[@]}"
```

## Fix
Write few sizes, each a multiple of the tensor parallel size: `[8,16,32,64]`.

## Sources
- vllm-ascend v0.13, v0.18, v0.23: vllm_ascend/platform.py (sp_aclgraph_sizes)
- vllm-ascend v0.13, v0.18: vllm_ascend/utils.py :: update_aclgraph_sizes (not in v0.23)
- vllm-ascend v0.23: platform.py :: prune_capture_sizes_for_950; issues 9564, 3869, 2629
"""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.devices import find_device
from lint.findings import Finding
from lint.rules.rollout._graphs import MODE, captures
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, at_least
from lint.subject.subject import Subject
from lint.subject.workers import known, on_npu

SIZES, TENSOR = f"{ROLLOUT}.cudagraph_capture_sizes", f"{ROLLOUT}.tensor_model_parallel_size"
STREAMS = 1800
MOST_ON_A5 = 4  # vllm-ascend v0.23 platform.py :: MAX_CAPTURE_SIZES_FOR_950


def limit(subject: Subject, tensor: int) -> int | None:
    """How many sizes vllm-ascend keeps in piecewise mode, up to v0.18; None where another mode or no model is known."""
    if subject.model is None or subject.string(MODE) != "PIECEWISE" or at_least(subject, "0.9.0"):
        return None
    per_graph = subject.model.layers + 1
    replicas = (subject.integer(f"{ROLLOUT}.data_parallel_size") or 1) > 1
    groups = (tensor > 1) + replicas
    if known(subject, "HCCL_OP_EXPANSION_MODE") == "AIV":
        factor = 1 + groups + ((subject.integer(f"{ROLLOUT}.expert_parallel_size") or 1) > 1)
        if subject.model.experts is not None:
            return STREAMS // per_graph // (factor + replicas)
        return (STREAMS - factor * per_graph) // per_graph // factor
    return (STREAMS - 40 * groups) // per_graph // (1 + 2 * groups)


@rule(severity="info", since="0.7.1")
def check(subject: Subject) -> Iterator[Finding]:
    """Sizes that are dropped, or all of them."""
    sizes, tensor = subject.value(SIZES), subject.integer(TENSOR)
    if not isinstance(sizes, list) or not all(isinstance(size, int) for size in sizes) or tensor is None:
        return
    if not sizes or not captures(subject) or not on_npu(subject):
        return
    left = [size for size in sizes if size % tensor == 0]
    most = limit(subject, tensor)
    if known(subject, "VLLM_ASCEND_ENABLE_FLASHCOMM1") == "1" and tensor > 1 and len(left) < len(sizes):
        yield subject.finding(
            check,
            f"with Flash Comm vllm-ascend keeps multiples of tensor_model_parallel_size {tensor}: "
            f"{len(left)} of the {len(sizes)} sizes {sizes}",
            key=SIZES,
            also=[TENSOR],
            severity=None if left else "error",
            help=f"write multiples of {tensor}",
        )
    elif subject.device == find_device("ascend-a5") and at_least(subject, "0.9.0") and len(sizes) > MOST_ON_A5:
        yield subject.finding(
            check,
            f"vllm-ascend keeps {MOST_ON_A5} of the {len(sizes)} capture sizes on Ascend 950",
            key=SIZES,
            help=f"write at most {MOST_ON_A5} sizes, the largest that the rollout needs among them",
        )
    elif most is not None and len(sizes) > most:
        yield subject.finding(
            check,
            f"{len(sizes)} capture sizes need more streams than the device has: vllm-ascend keeps {most} of them",
            key=SIZES,
            also=[MODE],
            help=f"write at most {most} sizes",
        )
