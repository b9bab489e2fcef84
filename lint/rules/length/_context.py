"""The context of the model as verl reads it, and that of the rollout.

The model's is `max_position_embeddings`, after `model.override_config`. The rollout's is `rollout.max_model_len`, else
the model's; up to 0.6 the asynchronous servers take prompt + response, whatever is set.

Source: verl/workers/rollout/utils.py :: get_max_position_embeddings, verl/workers/config/model.py :: HFModelConfig;
verl/workers/rollout/vllm_rollout/vllm_async_server.py :: __init__, vllm_rollout_spmd.py (0.6.1).
"""

from __future__ import annotations

from lint.facts.models import Model
from lint.subject.derived import MODEL, ROLLOUT, longest_sequence
from lint.subject.subject import Subject

CONTEXT = f"{ROLLOUT}.max_model_len"
OVERRIDE = f"{MODEL}.override_config.max_position_embeddings"
FULL_ATTENTION = ("qwen2", "qwen3", "llama", "deepseek", "glm", "kimi")  # no sliding windows in use


def model_context(subject: Subject) -> int | None:
    """Tokens of the model's context, None if unknown."""
    if subject.setting(OVERRIDE) is not None:
        return subject.integer(OVERRIDE)
    if subject.setting(f"{MODEL}.override_config") is not None and subject.is_set(f"{MODEL}.override_config"):
        return None
    if subject.model is None or subject.model.confidence == "low":
        return None
    return subject.model.max_position_embeddings


def is_read(subject: Subject) -> bool:
    """Whether the rollout goes by `max_model_len` and, where that is null, by the model's context."""
    return subject.behaves("context_of_the_model")


def rollout_context(subject: Subject) -> int | None:
    """Tokens of the rollout's context, None if unknown."""
    unset = subject.is_null(CONTEXT)
    if is_read(subject):
        return model_context(subject) if unset else subject.integer(CONTEXT)
    if subject.string(f"{ROLLOUT}.mode") == "sync" and not unset:
        return subject.integer(CONTEXT)
    return longest_sequence(subject)


def key_value_bytes(model: Model, tensor_parallel: int, element: int) -> int | None:
    """Cache bytes of one token on one device; None for architectures whose layers do not all keep the whole context.

    Heads are split by tensor parallelism down to one; latent attention keeps one compressed vector on every device.
    """
    if not model.architecture.startswith(FULL_ATTENTION) or model.unlike_layers is not None:
        return None
    layers = model.parameters.full_attention_layers
    if model.latent_attention is not None:
        latent = model.latent_attention
        return layers * (latent.key_value_rank + latent.rope_head_dim) * element
    heads = max(1, model.key_value_heads // tensor_parallel)
    return layers * 2 * heads * model.head_dim * element
