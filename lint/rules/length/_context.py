"""The context of the model as verl reads it: `max_position_embeddings`, after `model.override_config`.

Source: verl/workers/rollout/utils.py :: get_max_position_embeddings, verl/workers/config/model.py :: HFModelConfig.
"""

from __future__ import annotations

from lint.facts.models import Model
from lint.subject.derived import MODEL, ROLLOUT
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
