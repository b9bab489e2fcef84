"""Model architectures: sizes that decide which parallel layouts work and how many bytes they take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinearAttention:
    """Gated delta net layers of a hybrid model; every `full_every`-th layer keeps full attention."""

    key_heads: int
    value_heads: int
    key_head_dim: int
    value_head_dim: int
    convolution: int
    full_every: int


@dataclass(frozen=True, slots=True)
class LatentAttention:
    """Multi-head latent attention (DeepSeek); ranks and head sizes in elements."""

    query_rank: int | None
    key_value_rank: int
    rope_head_dim: int
    nope_head_dim: int
    value_head_dim: int


@dataclass(frozen=True, slots=True)
class Experts:
    """Mixture of experts: `count` routed experts of which `per_token` run; `first_dense` layers have none."""

    count: int
    per_token: int
    intermediate_size: int
    shared_intermediate_size: int
    first_dense: int


@dataclass(frozen=True, slots=True)
class Vision:
    """The vision tower; `parameters` counts all of it."""

    depth: int | None
    hidden_size: int | None
    intermediate_size: int | None
    heads: int | None
    parameters: int


@dataclass(frozen=True, slots=True)
class ParameterCounts:
    """Parameters by part; `_layer` counts are for one layer of that kind."""

    embedding: int
    output_head: int  # 0 when tied to the embedding
    final_norm: int
    attention_layer: int
    linear_attention_layer: int
    dense_mlp_layer: int
    experts_layer: int
    router_layer: int
    shared_experts_layer: int
    norm_layer: int
    full_attention_layers: int
    linear_attention_layers: int
    moe_layers: int
    dense_layers: int
    vision: int
    mtp: int
    total: int  # text + vision, without multi-token-prediction layers
    active: int


@dataclass(frozen=True, slots=True)
class Model:
    """One architecture. `confidence` is low where sizes were derived from the name alone."""

    name: str
    architecture: str  # "qwen3_next", as `model_type` of config.json
    layers: int
    hidden_size: int
    attention_heads: int
    key_value_heads: int
    head_dim: int
    intermediate_size: int
    vocabulary_size: int
    tied_embedding: bool
    max_position_embeddings: int | None
    linear_attention: LinearAttention | None
    latent_attention: LatentAttention | None
    experts: Experts | None
    vision: Vision | None
    mtp_layers: int
    parameters: ParameterCounts
    published_parameters: int | None
    source: str
    confidence: str
