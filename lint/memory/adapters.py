"""Parameters of LoRA adapters."""

from __future__ import annotations

from lint.facts.models import Model


def adapter_parameters(model: Model, rank: int) -> int:
    """Parameters of LoRA adapters on every linear layer but the experts and the head (`target_modules=all-linear`)."""
    hidden = model.hidden_size
    query, key_value = model.attention_heads * model.head_dim, model.key_value_heads * model.head_dim
    attention = 2 * (hidden + query) + 2 * (hidden + key_value)
    dense = 3 * (hidden + model.intermediate_size)
    return rank * (model.layers * attention + model.parameters.dense_layers * dense)
