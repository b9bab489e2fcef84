"""The launches that the memory tests speak of."""

from __future__ import annotations

from lint.memory.inputs import MemoryInputs
from lint.memory.reading import read_inputs
from lint.subject.subject import Subject
from tests.rules.factory import subject

ACTOR = "actor_rollout_ref.actor"
ROLLOUT = "actor_rollout_ref.rollout"
STORY: dict[str, object] = {
    "data.train_files": "dapo-math-17k.parquet",
    "data.train_batch_size": 16,
    "data.max_prompt_length": 2048,
    "data.max_response_length": 20480,
    f"{ACTOR}.strategy": "fsdp2",
    f"{ACTOR}.use_kl_loss": True,
    f"{ACTOR}.ppo_mini_batch_size": 8,
    f"{ACTOR}.ppo_max_token_len_per_gpu": 2816,
    f"{ACTOR}.ulysses_sequence_parallel_size": 8,
    f"{ACTOR}.entropy_from_logits_with_chunking": True,
    f"{ACTOR}.fsdp_config.model_dtype": "bfloat16",
    f"{ACTOR}.fsdp_config.param_offload": True,
    f"{ACTOR}.fsdp_config.optimizer_offload": True,
    f"+{ACTOR}.fsdp_config.mixed_precision.reduce_dtype": "bf16",
    "actor_rollout_ref.model.use_remove_padding": True,
    "actor_rollout_ref.model.enable_activation_offload": True,
    "actor_rollout_ref.ref.fsdp_config.param_offload": True,
    f"{ROLLOUT}.n": 16,
    f"{ROLLOUT}.tensor_model_parallel_size": 8,
    f"{ROLLOUT}.gpu_memory_utilization": 0.6,
    f"{ROLLOUT}.max_num_batched_tokens": 22528,
    f"{ROLLOUT}.enforce_eager": True,
    f"{ROLLOUT}.log_prob_use_dynamic_bsz": True,
    f"{ROLLOUT}.log_prob_max_token_len_per_gpu": 2816,
}
"""GRPO of Qwen3-Next-80B on 4 x 16 Ascend 910C dies, as repaired by verl PR 6972."""
BEFORE: dict[str, object] = {
    **STORY,
    f"{ROLLOUT}.tensor_model_parallel_size": 4,
    f"{ROLLOUT}.gpu_memory_utilization": 0.8,
}
"""The same before the repair: out of memory in update_weights."""


def story(overrides: dict[str, object] = STORY, release: str = "0.9.1") -> Subject:
    return subject(overrides, model="Qwen3-Next-80B-A3B", device="ascend-a3", nodes=4, devices=16, release=release)


def inputs(launched: Subject, tokens: int | None = None) -> MemoryInputs:
    found = read_inputs(launched, tokens)
    assert isinstance(found, MemoryInputs), found
    return found
