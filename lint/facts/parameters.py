"""Parameter counts from the sizes of an architecture: which matrices a layer of each kind has, and how large they are.

Units are parameters (not bytes). The formulas follow the modules of Hugging Face transformers 5; tests hold every
model of `data/models.json` against its published total.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lint.frozen import frozen

FOUR_NORMS = frozenset({"gemma2", "glm4", "glm4v"})  # norms before and after attention and MLP
QUERY_KEY_NORMS = frozenset(
    {
        "qwen3",
        "qwen3_moe",
        "qwen3_next",
        "qwen3_5",
        "qwen3_5_moe",
        "qwen3_vl",
        "qwen3_vl_moe",
        "qwen3_omni_moe",
        "hy_v3",
    }
)
PROJECTION_BIAS = frozenset({"qwen2", "qwen2_moe", "qwen2_vl", "qwen2_5_vl", "mimo", "seed_oss", "gpt_oss"})


@frozen
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


Sizes = Mapping[str, Any]  # one entry of data/models.json


def count_parameters(sizes: Sizes) -> ParameterCounts:
    """Counts for one entry of `data/models.json` (or the same shape read from a config.json)."""
    hidden, layers, vocabulary = sizes["hidden_size"], sizes["layers"], sizes["vocabulary_size"]
    experts, linear, mixers = sizes.get("experts"), sizes.get("linear_attention"), sizes.get("mixers")
    embedding = vocabulary * hidden
    head = 0 if sizes["tied_embedding"] else embedding
    attention = _attention(sizes)
    linear_layer = _linear_attention(hidden, linear) if linear else _mamba(hidden, sizes["mamba"]) if mixers else 0
    dense_mlp = _matrices(sizes) * hidden * sizes["intermediate_size"]
    norm = (1 if mixers else 4 if sizes["architecture"] in FOUR_NORMS else 2) * hidden
    if mixers:  # each layer is attention, a state space layer or experts, with one norm
        full_layers, linear_layers, moe_layers = mixers["attention"], mixers["mamba"], mixers["experts"]
        dense_layers = layers - full_layers - linear_layers - moe_layers
    else:
        full_layers = layers // linear["full_every"] if linear else layers
        linear_layers = layers - full_layers
        moe_layers = layers - experts["first_dense"] if experts else 0
        dense_layers = layers - moe_layers
    expert = _expert(sizes) if experts else 0
    experts_layer = expert * experts["count"] if experts else 0
    router = _router(sizes) if experts else 0
    shared = _shared_experts(sizes) if experts else 0
    body = int(
        hidden
        + full_layers * attention
        + linear_layers * linear_layer
        + layers * norm
        + dense_layers * dense_mlp
        + moe_layers * (experts_layer + router + shared)
    )
    vision = _vision(sizes["vision"], hidden) if sizes.get("vision") else 0
    total = embedding + head + body + vision
    idle_experts = moe_layers * (experts_layer - expert * experts["per_token"]) if experts else 0
    return ParameterCounts(
        embedding=embedding,
        output_head=head,
        final_norm=hidden,
        attention_layer=attention,
        linear_attention_layer=linear_layer,
        dense_mlp_layer=dense_mlp,
        experts_layer=experts_layer,
        router_layer=router,
        shared_experts_layer=shared,
        norm_layer=norm,
        full_attention_layers=full_layers,
        linear_attention_layers=linear_layers,
        moe_layers=moe_layers,
        dense_layers=dense_layers,
        vision=vision,
        mtp=_multi_token_prediction(sizes, attention, norm, dense_mlp, experts_layer + router + shared, embedding),
        total=total,
        active=total - embedding - idle_experts,
    )


def _attention(sizes: Sizes) -> int:
    """One full-attention layer: projections, biases, query/key norms."""
    latent, compressed = sizes.get("latent_attention"), sizes.get("compressed_attention")
    if latent:
        return _latent_attention(sizes, latent)
    if compressed:
        return _compressed_attention(sizes, compressed)
    hidden, head = sizes["hidden_size"], sizes["head_dim"]
    query, key_value = sizes["attention_heads"] * head, sizes["key_value_heads"] * head
    count = hidden * query * (2 if sizes["attention_gate"] else 1) + 2 * hidden * key_value + query * hidden
    if sizes["attention_bias"]:
        count += query + 2 * key_value
    if sizes["architecture"] == "gpt_oss":
        count += hidden + int(sizes["attention_heads"])  # output bias and one sink per head
    if sizes["query_key_norm"]:
        count += 2 * head
    return int(count)


def _latent_attention(sizes: Sizes, latent: Sizes) -> int:
    hidden, heads = sizes["hidden_size"], sizes["attention_heads"]
    rank, rope, nope, value = (
        latent["key_value_rank"],
        latent["rope_head_dim"],
        latent["nope_head_dim"],
        latent["value_head_dim"],
    )
    query_rank = latent["query_rank"]
    query = hidden * query_rank + query_rank + query_rank * heads * (nope + rope) if query_rank else 0
    query = query or hidden * heads * (nope + rope)
    key_value = hidden * (rank + rope) + rank + rank * heads * (nope + value)
    indexer = latent.get("indexer")
    index = 0
    if indexer:
        size = indexer["head_dim"]
        index = query_rank * indexer["heads"] * size + hidden * size + 2 * size + hidden * indexer["heads"]
    return int(query + key_value + heads * value * hidden + index)


def _compressed_attention(sizes: Sizes, compressed: Sizes) -> int:
    """One layer of DeepSeek-V4, averaged over the kinds of layers: low-rank queries, one shared key/value head, a
    grouped low-rank output, compressors of every 4th and 128th token, an indexer for the former, hyper-connections."""
    hidden, head, queries = sizes["hidden_size"], sizes["head_dim"], sizes["attention_heads"] * sizes["head_dim"]
    rank, groups, output = compressed["query_rank"], compressed["output_groups"], compressed["output_rank"]
    query = hidden * rank + rank + rank * queries
    key_value = hidden * head + head
    out = queries * output + groups * output * hidden
    index = compressed["index_heads"] * compressed["index_head_dim"]
    by_4 = (
        4 * hidden * head
        + 4 * hidden * compressed["index_head_dim"]
        + rank * index
        + hidden * compressed["index_heads"]
    )
    by_128 = 2 * hidden * head + 128 * head
    streams = compressed["hyper_connections"]
    connections = 2 * streams * hidden * (2 * streams + streams * streams)
    extra = compressed["layers_by_4"] * by_4 + compressed["layers_by_128"] * by_128
    return int(query + key_value + out + connections + extra / sizes["layers"])


def _mamba(hidden: int, mamba: Sizes) -> int:
    """One Mamba-2 layer: input projection, convolution with bias, decay, skip and step per head, gated norm, output."""
    inner, states = mamba["heads"] * mamba["head_dim"], 2 * mamba["groups"] * mamba["state"]
    projections = hidden * (2 * inner + states + mamba["heads"]) + inner * hidden
    return int(projections + (inner + states) * (mamba["convolution"] + 1) + 3 * mamba["heads"] + inner)


def _matrices(sizes: Sizes) -> int:
    """Matrices of one MLP: with a gate three, else two."""
    return 3 if sizes.get("gated_mlp", True) else 2


def _linear_attention(hidden: int, linear: Sizes) -> int:
    """One gated delta net layer: q/k/v/z and b/a projections, convolution, decay, gated norm, output."""
    key = linear["key_heads"] * linear["key_head_dim"]
    value = linear["value_heads"] * linear["value_head_dim"]
    projections = hidden * (2 * key + 2 * value) + hidden * 2 * linear["value_heads"] + value * hidden
    small = (2 * key + value) * linear["convolution"] + 2 * linear["value_heads"] + linear["value_head_dim"]
    return int(projections + small)


def _expert(sizes: Sizes) -> int:
    hidden, inner = sizes["hidden_size"], sizes["experts"]["intermediate_size"]
    bias = 2 * inner + hidden if sizes["architecture"] == "gpt_oss" else 0
    return int(_matrices(sizes) * hidden * inner + bias)


def _router(sizes: Sizes) -> int:
    experts = sizes["experts"]
    bias = experts["count"] if experts.get("router_bias") else 0
    return int(sizes["hidden_size"] * experts["count"] + bias)


def _shared_experts(sizes: Sizes) -> int:
    hidden, inner = sizes["hidden_size"], sizes["experts"]["shared_intermediate_size"]
    gate = hidden if sizes["experts"].get("shared_gate") else 0
    return int(_matrices(sizes) * hidden * inner + gate) if inner else 0


def _multi_token_prediction(sizes: Sizes, attention: int, norm: int, dense: int, moe: int, embedding: int) -> int:
    """Extra layers that predict further tokens: a full layer, a 2h x h projection, three norms."""
    hidden = sizes["hidden_size"]
    own = attention + norm + (moe if sizes.get("experts") else dense) + 2 * hidden * hidden + 3 * hidden
    return int(sizes.get("mtp_layers", 0) * (own + sizes.get("mtp_embeddings", 0) * embedding))


def _vision(vision: Sizes, text_hidden: int) -> int:
    """A Qwen vision tower; `parameters` is taken as published where the tower is of another kind."""
    if vision.get("parameters"):
        return int(vision["parameters"])
    hidden, inner, out = vision["hidden_size"], vision["intermediate_size"], vision.get("out") or text_hidden
    patch = 3 * vision["temporal_patch"] * vision["patch"] ** 2 * hidden
    attention = hidden * 3 * hidden + 3 * hidden + hidden * hidden + hidden
    merged = hidden * vision["merge"] ** 2
    merger = merged * merged + merged + merged * out + out
    if vision["positions"] is None:  # Qwen2.5-VL: RMS norms, gated MLP with biases, rotary positions
        block = 2 * hidden + attention + 2 * (hidden * inner + inner) + inner * hidden + hidden
        return int(patch + vision["depth"] * block + hidden + merger)
    block = 4 * hidden + attention + hidden * inner + inner + inner * hidden + hidden
    deepstack = vision["deepstack"] * (2 * merged + merger)
    positions = vision["positions"] * hidden
    return int(patch + hidden + positions + vision["depth"] * block + 2 * hidden + merger + deepstack)
