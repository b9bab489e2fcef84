"""The sizes of a model that parallelism divides, by the name that messages give them."""

from __future__ import annotations

from collections.abc import Callable

from lint.facts.models import Model

SIZES: dict[str, Callable[[Model], int | None]] = {
    "attention heads": lambda model: model.attention_heads,
    "key/value heads": lambda model: None if model.latent_attention else model.key_value_heads,
    "linear attention key heads": lambda model: model.linear_attention.key_heads if model.linear_attention else None,
    "linear attention value heads": lambda model: (
        model.linear_attention.value_heads if model.linear_attention else None
    ),
    "dense intermediate size": lambda model: model.intermediate_size if model.parameters.dense_layers else None,
    "expert intermediate size": lambda model: model.experts.intermediate_size if model.experts else None,
    "experts": lambda model: model.experts.count if model.experts else None,
}
