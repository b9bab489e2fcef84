r"""The KV cache holds less than one full sequence, once activations and the process itself are counted.

## What it finds
vLLM: `gpu_memory_utilization` x device, less weights, the activations of the largest batch and what the process needs
outside torch, leaves a KV cache for fewer tokens than `rollout.max_model_len` (prompt + response where that is null).
Engines of reward models and teachers are held to the same. The rule `kv-cache-one-request` finds what is certain
without those two estimates.

## Why it hurts
vLLM refuses to start the server, or a sequence that grows long is preempted and computed again for ever.

## When it fails
at init: when the server starts, after the training models were loaded

## Example that fails
```bash
# recipe-lint: device=ascend-a3
LAUNCH=(
    algorithm.adv_estimator=grpo
    data.max_prompt_length=2048
    data.max_response_length=30720
    actor_rollout_ref.model.path=Qwen/Qwen3-32B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=32768
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=2
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6  # <- here
    actor_rollout_ref.rollout.max_model_len=32768
    actor_rollout_ref.rollout.max_num_batched_tokens=32768
    actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes=4096
    trainer.nnodes=4
    trainer.n_gpus_per_node=16
    trainer.device=npu
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Example that passes
```bash
# recipe-lint: device=ascend-a3
LAUNCH=(
    algorithm.adv_estimator=grpo
    data.max_prompt_length=2048
    data.max_response_length=30720
    actor_rollout_ref.model.path=Qwen/Qwen3-32B
    actor_rollout_ref.actor.use_dynamic_bsz=True
    actor_rollout_ref.actor.ppo_max_token_len_per_gpu=32768
    actor_rollout_ref.actor.fsdp_config.param_offload=True
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=True
    actor_rollout_ref.rollout.name=vllm
    actor_rollout_ref.rollout.tensor_model_parallel_size=4
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6
    actor_rollout_ref.rollout.max_model_len=32768
    actor_rollout_ref.rollout.max_num_batched_tokens=32768
    actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes=4096
    trainer.nnodes=4
    trainer.n_gpus_per_node=16
    trainer.device=npu
)
python3 -m verl.trainer.main_ppo "${LAUNCH[@]}"
```

## Fix
A larger tensor parallel size (weights shrink), a larger share, or a smaller `max_num_batched_tokens`.

## Sources
- vllm/v1/worker/gpu_worker.py :: determine_available_memory; vllm/v1/core/kv_cache_utils.py (0.18.0)
- vllm-ascend issue 5020 and vllm issue 21348: KV tokens, held against the formula in lint/memory/data/calibration.json
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lint.findings import Finding
from lint.memory import rollout as engine
from lint.memory.checks import gib
from lint.memory.inputs import MemoryInputs, Rollout
from lint.memory.layout import refusals
from lint.rules.memory._prediction import prediction_of
from lint.rules.rule import rule
from lint.subject.subject import Subject

CERTAIN = frozenset({"weights", "sequence"})


@rule(severity="warning", confidence="medium")
def check(subject: Subject) -> Iterator[Finding]:
    """Tokens of the pool < tokens of one full sequence."""
    prediction = prediction_of(subject)
    if prediction is None or any(failure.name in CERTAIN for failure in prediction.failures):
        return
    for name, inputs, rollout in engine.engines(prediction.inputs):
        if rollout.engine == "vllm" and engine.longest_held(inputs, rollout) < rollout.longest_sequence:
            yield _finding(subject, name, inputs, rollout)


def _finding(subject: Subject, name: str, inputs: MemoryInputs, rollout: Rollout) -> Finding:
    tokens = engine.longest_held(inputs, rollout)
    weights, peak = engine.rollout_weights(inputs.model, rollout), engine.profile_peak(inputs.model, rollout)
    outside = engine.outside_torch(inputs, rollout)
    left = f"{rollout.utilization:g} x {gib(inputs.device.memory_bytes)} - weights {gib(weights)}"
    left += f" - activations {gib(peak)} - process {gib(outside)}"
    split, wider = f"{rollout.node}.tensor_model_parallel_size", replace(rollout, tensor=2 * rollout.tensor)
    possible = not refusals(replace(inputs, rollout=wider))
    return subject.finding(
        check,
        f"the kv cache of the {name} holds a sequence of {tokens} tokens, "
        f"one has up to {rollout.longest_sequence}: {left}",
        key=f"{rollout.node}.gpu_memory_utilization",
        also=[split, f"{rollout.node}.max_num_batched_tokens"],
        phase="init",
        help=(f"write {split}={wider.tensor}, or " if possible else "write ") + "a smaller max_num_batched_tokens",
    )
