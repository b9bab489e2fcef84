"""The key/value cache cannot hold one sequence of the full context.

## What it finds
vLLM: one sequence of `rollout.max_model_len` tokens (the model's whole context where that is null) needs more cache
than `gpu_memory_utilization` x device memory - the rollout's weights, per device of the tensor parallel group.
Activations are left out, so only certain cases are reported.

## Why it hurts
vLLM checks this when the server starts, after the training models were loaded. Long-context models with
`max_model_len` unset meet it, although the run itself needs only prompt + response.

## When it fails
at init: ValueError "... KV cache is needed, which is larger than the available KV cache memory"

## Example that fails
```bash
# recipe-lint: device=ascend-a2
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B-Instruct-2507
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.tensor_model_parallel_size=2
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a2
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B-Instruct-2507
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.tensor_model_parallel_size=2
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6
    actor_rollout_ref.rollout.max_model_len=4096
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Set `rollout.max_model_len` to prompt + response.

## Sources
- vLLM vllm/v1/core/kv_cache_utils.py :: check_enough_kv_cache_memory (0.18.0)
- verl/workers/rollout/vllm_rollout/vllm_async_server.py :: __init__ (max_model_len null: max_position_embeddings; in
  0.6.1 prompt + response)
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from lint.findings import Finding
from lint.rules.length._context import CONTEXT, is_read, key_value_bytes, rollout_context
from lint.rules.rule import rule
from lint.subject.derived import ROLLOUT, longest_sequence
from lint.subject.subject import Subject

SHARE, SPLIT = f"{ROLLOUT}.gpu_memory_utilization", f"{ROLLOUT}.tensor_model_parallel_size"
BFLOAT16 = 2  # bytes of a weight and of a cache element
GIB = 1 << 30


@rule(severity="error", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Cache of one sequence > share of the device - weights."""
    share, split, model, device = subject.number(SHARE), subject.integer(SPLIT), subject.model, subject.device
    if (
        subject.string(f"{ROLLOUT}.name") != "vllm"
        or not share
        or not isfinite(share)
        or not split
        or model is None
        or device is None
    ):
        return
    unset = subject.is_null(CONTEXT)
    context = rollout_context(subject)
    per_token = key_value_bytes(model, split, BFLOAT16)
    if context is None or per_token is None or model.confidence == "low":
        return
    replicas = subject.integer(f"{ROLLOUT}.data_parallel_size") if model.experts is not None else 1
    if replicas is None:
        return
    spread = split * replicas
    available = share * device.memory_bytes - model.parameters.total * BFLOAT16 / spread
    needed = context * per_token
    if available <= 0 or needed <= available:
        return
    longest = longest_sequence(subject)
    yield subject.finding(
        check,
        f"one sequence of {context} tokens needs {needed / GIB:.1f} GiB of cache per device, but {share} x "
        f"{device.memory_bytes / GIB:.1f} GiB - weights leave {available / GIB:.1f} GiB"
        + (" (max_model_len is null: the model's whole context counts)" if unset and is_read(subject) else ""),
        key=SHARE if unset else CONTEXT,
        also=(SPLIT, SHARE),
        phase="init",
        help=f"set {CONTEXT}={longest or '<prompt + response>'}",
    )
