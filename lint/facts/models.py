"""Model architectures: sizes that decide which parallel layouts work and how many bytes they take."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any

from lint.facts.model_names import comparable, corrected, last_name, match_name
from lint.facts.parameters import ParameterCounts, count_parameters
from lint.frozen import frozen
from lint.packaged import packaged

__all__ = [
    "Experts",
    "LatentAttention",
    "LinearAttention",
    "Model",
    "ParameterCounts",
    "Vision",
    "build_model",
    "find_model",
    "load_models",
]


@frozen
class LinearAttention:
    """Gated delta net layers of a hybrid model; every `full_every`-th layer keeps full attention."""

    key_heads: int
    value_heads: int
    key_head_dim: int
    value_head_dim: int
    convolution: int
    full_every: int


@frozen
class LatentAttention:
    """Multi-head latent attention (DeepSeek); ranks and head sizes in elements."""

    query_rank: int | None
    key_value_rank: int
    rope_head_dim: int
    nope_head_dim: int
    value_head_dim: int


@frozen
class Experts:
    """Mixture of experts: `count` routed experts of which `per_token` run; `first_dense` layers have none."""

    count: int
    per_token: int
    intermediate_size: int
    shared_intermediate_size: int
    first_dense: int


@frozen
class Vision:
    """The vision tower; `parameters` counts all of it."""

    depth: int | None
    hidden_size: int | None
    intermediate_size: int | None
    heads: int | None
    parameters: int


@frozen
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
    attention_bias: bool = False
    query_key_norm: bool = False
    attention_gate: bool = False
    unlike_layers: str | None = None  # what tells its layers from those of a plain transformer, where that matters


UNLIKE_LAYERS = {
    "mixers": "layers of attention, state space and experts in turn",
    "compressed_attention": "attention over compressed keys and values",
}
"""What of an entry says that its layers are not those of a plain transformer, and what to call them."""


@cache
def model_entries() -> Mapping[str, Mapping[str, Any]]:
    """The entries of `data/models.json` by name."""
    text = packaged("facts/data/models.json").read_text(encoding="utf-8")
    return {entry["name"]: entry for entry in json.loads(text)["models"]}


def load_models() -> Mapping[str, Model]:
    """Every model of the table by name."""
    return {name: build_model(entry) for name, entry in model_entries().items()}


def build_model(entry: Mapping[str, Any]) -> Model:
    """The model of one entry of `data/models.json`; KeyError if a size is missing."""
    counts = count_parameters(entry)
    linear, latent, experts, vision = (
        entry.get(part) for part in ("linear_attention", "latent_attention", "experts", "vision")
    )
    return Model(
        name=entry["name"],
        architecture=entry["architecture"],
        layers=entry["layers"],
        hidden_size=entry["hidden_size"],
        attention_heads=entry["attention_heads"],
        key_value_heads=entry["key_value_heads"],
        head_dim=entry["head_dim"],
        intermediate_size=entry["intermediate_size"],
        vocabulary_size=entry["vocabulary_size"],
        tied_embedding=entry["tied_embedding"],
        max_position_embeddings=entry.get("max_position_embeddings"),
        linear_attention=LinearAttention(**linear) if linear else None,
        latent_attention=_latent_attention(latent) if latent else None,
        experts=_experts(experts) if experts else None,
        vision=_vision(vision, counts.vision) if vision else None,
        mtp_layers=entry.get("mtp_layers", 0),
        parameters=counts,
        published_parameters=entry.get("published_parameters"),
        source=entry["source"],
        confidence=entry["confidence"],
        attention_bias=entry["attention_bias"],
        query_key_norm=entry["query_key_norm"],
        attention_gate=entry["attention_gate"],
        unlike_layers=next((text for part, text in UNLIKE_LAYERS.items() if entry.get(part)), None),
    )


@lru_cache(maxsize=1024)
def find_model(path: str) -> Model | None:
    """The model that a local path or hub name speaks of; None when unsure.

    Known endings (`-Instruct`, `-Base`, `-Thinking-2507`, ...) keep the shape. An ending that announces no other
    shape (`Qwen3-8B-my-finetune`) gives the shape with confidence low and no longest position.
    """
    found = match_name(path, _names())
    if found is None:
        return None
    entry, spelled = _spellings()[found.name]
    model = replace(build_model(entry), name=spelled)
    if not found.certain:
        return replace(model, confidence="low", max_position_embeddings=None)
    if spelled != entry["name"]:
        return replace(model, max_position_embeddings=entry["also"][spelled])
    positions = entry.get("max_position_embeddings_of", {})
    return replace(model, max_position_embeddings=positions.get(found.suffix, model.max_position_embeddings))


def nearest_model(path: str) -> str | None:
    """The published name that a path nearly speaks of, None if none is like it."""
    respelled = "-".join(corrected(part) for part in comparable(last_name(path)).split("-"))
    found = match_name(respelled, _names())
    if found is not None and found.certain and respelled != comparable(last_name(path)):
        return "-".join((_spellings()[found.name][1], *(part.capitalize() for part in found.suffix.split("-"))))
    near = get_close_matches(comparable(last_name(path)), list(_names()), 1, 0.85)
    return _spellings()[near[0]][1] if near else None


@cache
def _spellings() -> Mapping[str, tuple[Mapping[str, Any], str]]:
    """Comparable name -> entry and the name as published."""
    return {
        comparable(spelled): (entry, spelled)
        for entry in model_entries().values()
        for spelled in (entry["name"], *entry.get("also", ()))
    }


@cache
def _names() -> Mapping[str, str]:
    return {name: name for name in _spellings()}


def _latent_attention(sizes: Mapping[str, Any]) -> LatentAttention:
    return LatentAttention(
        sizes["query_rank"],
        sizes["key_value_rank"],
        sizes["rope_head_dim"],
        sizes["nope_head_dim"],
        sizes["value_head_dim"],
    )


def _experts(sizes: Mapping[str, Any]) -> Experts:
    return Experts(
        sizes["count"],
        sizes["per_token"],
        sizes["intermediate_size"],
        sizes["shared_intermediate_size"],
        sizes["first_dense"],
    )


def _vision(sizes: Mapping[str, Any], parameters: int) -> Vision:
    return Vision(
        sizes.get("depth"), sizes.get("hidden_size"), sizes.get("intermediate_size"), sizes.get("heads"), parameters
    )
