"""A model from its own config.json: in a folder, or in the local Hugging Face cache. Nothing is downloaded."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from lint.facts.models import Model, build_model
from lint.facts.parameters import PROJECTION_BIAS, QUERY_KEY_NORMS
from lint.files.discovery import text_of
from lint.files.hub import snapshots_of

Config = Mapping[str, Any]

ARCHITECTURES = frozenset(
    {
        "deepseek_v2",
        "deepseek_v3",
        "deepseek_v32",
        "deepseek_v4",
        "gemma",
        "gemma2",
        "glm4",
        "glm4_moe",
        "glm_moe_dsa",
        "gpt_oss",
        "hy_v3",
        "kimi_k2",
        "llama",
        "mimo",
        "mistral",
        "nemotron_h",
        "qwen2",
        "qwen2_5_vl",
        "qwen2_moe",
        "qwen3",
        "qwen3_5",
        "qwen3_5_moe",
        "qwen3_moe",
        "qwen3_next",
        "qwen3_vl",
        "qwen3_vl_moe",
        "seed_oss",
    }
)
"""`model_type` values whose layers `count_parameters` knows."""
ROUTER_BIAS = frozenset(
    {"deepseek_v3", "deepseek_v32", "kimi_k2", "glm4_moe", "glm_moe_dsa", "gpt_oss", "hy_v3", "nemotron_h"}
)
GATED_ATTENTION = frozenset({"qwen3_next", "qwen3_5", "qwen3_5_moe"})


def read_model(path: str) -> Model | None:
    """The model of the config.json at a local path, or in the Hugging Face cache for `org/name`.

    None when there is no such file, it cannot be read, or its architecture is not known.
    """
    for file in _config_files(path):
        try:
            config = json.loads(text_of(file) or "")
        except (ValueError, RecursionError):
            continue
        if isinstance(config, dict):
            return model_from_config(config, name=path.rstrip("/").rsplit("/", 1)[-1])
    return None


def model_from_config(config: Config, name: str = "config.json") -> Model | None:
    """The model that a Hugging Face config.json describes; None if its architecture or a size is not known."""
    architecture = config.get("model_type")
    if architecture not in ARCHITECTURES:
        return None
    text = config.get("text_config") or config
    try:
        return build_model(_sizes(name, str(architecture), config, text))
    except (KeyError, TypeError, ZeroDivisionError):
        return None


def consulted(path: str) -> tuple[str, ...]:
    """The files and folders that decide what `read_model` gives for a path."""
    local = os.path.join(os.path.expanduser(path), "config.json")
    snapshots = snapshots_of(path)
    return (local,) if snapshots is None else (local, snapshots, *_config_files(path))


def _config_files(path: str) -> list[str]:
    """Where the config.json of a model path may lie, best first."""
    local = os.path.expanduser(path)
    if os.path.isdir(local):
        return [os.path.join(local, "config.json")]
    snapshots = snapshots_of(path)
    if snapshots is None or not os.path.isdir(snapshots):
        return []
    current = (text_of(os.path.join(os.path.dirname(snapshots), "refs", "main")) or "").strip()
    commits = sorted(os.listdir(snapshots), key=lambda commit: (commit != current, commit))
    return [os.path.join(snapshots, commit, "config.json") for commit in commits]


def _sizes(name: str, architecture: str, config: Config, text: Config) -> dict[str, Any]:
    """The sizes of a config.json in the field names of `data/models.json`."""
    heads, hidden = text["num_attention_heads"], text["hidden_size"]
    return {
        "name": name,
        "architecture": "deepseek_v3" if architecture == "kimi_k2" else architecture,
        "layers": text["num_hidden_layers"],
        "hidden_size": hidden,
        "attention_heads": heads,
        "key_value_heads": text.get("num_key_value_heads") or heads,
        "head_dim": _head_dim(text),
        "intermediate_size": text.get("intermediate_size") or text["moe_intermediate_size"],
        "vocabulary_size": text["vocab_size"],
        "tied_embedding": bool(config.get("tie_word_embeddings", text.get("tie_word_embeddings", False))),
        "max_position_embeddings": text.get("max_position_embeddings"),
        "attention_bias": bool(text.get("attention_bias", architecture in PROJECTION_BIAS)),
        "query_key_norm": bool(text.get("use_qk_norm", architecture in QUERY_KEY_NORMS)),
        "attention_gate": architecture in GATED_ATTENTION,
        "gated_mlp": text.get("mlp_hidden_act") != "relu2",
        "mixers": _mixers(text),
        "mamba": _mamba(text),
        "compressed_attention": _compressed_attention(text),
        "linear_attention": _linear_attention(text),
        "latent_attention": _latent_attention(text),
        "experts": _experts(architecture, text),
        "vision": _vision(architecture, config.get("vision_config")),
        "mtp_layers": text.get("num_nextn_predict_layers") or text.get("mtp_num_hidden_layers") or 0,
        "source": "its config.json",
        "confidence": "high",
    }


def _head_dim(text: Config) -> int:
    """Elements of a query head; latent attention names its two parts, whatever `head_dim` says."""
    if text.get("kv_lora_rank"):
        return int(text["qk_nope_head_dim"] + text["qk_rope_head_dim"])
    return int(text.get("head_dim") or text["hidden_size"] // text["num_attention_heads"])


def _mixers(text: Config) -> dict[str, int] | None:
    """Layers of each kind of a hybrid with Mamba-2. Raises KeyError if it has such layers and does not list them so."""
    if "mamba_num_heads" not in text:
        return None
    pattern = text["hybrid_override_pattern"]
    return {"attention": pattern.count("*"), "mamba": pattern.count("M"), "experts": pattern.count("E")}


def _mamba(text: Config) -> dict[str, int] | None:
    if "mamba_num_heads" not in text or text.get("moe_latent_size"):
        return None
    names = {"heads": "mamba_num_heads", "head_dim": "mamba_head_dim", "groups": "n_groups", "state": "ssm_state_size"}
    return {name: text[key] for name, key in {**names, "convolution": "conv_kernel"}.items()}


def _compressed_attention(text: Config) -> dict[str, int] | None:
    if "compress_ratios" not in text:
        return None
    ratios = text["compress_ratios"][: text["num_hidden_layers"]]
    return {
        "query_rank": text["q_lora_rank"],
        "output_groups": text["o_groups"],
        "output_rank": text["o_lora_rank"],
        "index_heads": text["index_n_heads"],
        "index_head_dim": text["index_head_dim"],
        "layers_by_4": ratios.count(4),
        "layers_by_128": ratios.count(128),
        "hyper_connections": text["hc_mult"],
    }


def _linear_attention(text: Config) -> dict[str, Any] | None:
    if "linear_num_value_heads" not in text:
        return None
    return {
        "key_heads": text["linear_num_key_heads"],
        "value_heads": text["linear_num_value_heads"],
        "key_head_dim": text["linear_key_head_dim"],
        "value_head_dim": text["linear_value_head_dim"],
        "convolution": text["linear_conv_kernel_dim"],
        "full_every": text.get("full_attention_interval", 4),
    }


def _latent_attention(text: Config) -> dict[str, Any] | None:
    if not text.get("kv_lora_rank"):
        return None
    sizes: dict[str, Any] = {
        "query_rank": text.get("q_lora_rank"),
        "key_value_rank": text["kv_lora_rank"],
        "rope_head_dim": text["qk_rope_head_dim"],
        "nope_head_dim": text["qk_nope_head_dim"],
        "value_head_dim": text["v_head_dim"],
    }
    if text.get("index_n_heads"):
        sizes["indexer"] = {"heads": text["index_n_heads"], "head_dim": text["index_head_dim"]}
    return sizes


def _experts(architecture: str, text: Config) -> dict[str, Any] | None:
    count = text.get("num_experts") or text.get("n_routed_experts") or text.get("num_local_experts")
    if not count:
        return None
    inner = text.get("moe_intermediate_size") or text["intermediate_size"]
    shared_count = text.get("n_shared_experts") or text.get("num_shared_experts") or 0
    stated = text.get("shared_expert_intermediate_size") or text.get("moe_shared_expert_intermediate_size")
    shared = stated or inner * shared_count
    return {
        "count": count,
        "per_token": text.get("num_experts_per_tok") or text["experts_per_token"],
        "intermediate_size": inner,
        "shared_intermediate_size": shared,
        "shared_gate": "shared_expert_intermediate_size" in text,
        "router_bias": architecture in ROUTER_BIAS,
        "first_dense": text.get("first_k_dense_replace") or list(text.get("mlp_layer_types") or ()).count("dense"),
    }


def _vision(architecture: str, vision: Config | None) -> dict[str, Any] | None:
    if not vision:
        return None
    return {
        "depth": vision["depth"],
        "hidden_size": vision["hidden_size"],
        "intermediate_size": vision["intermediate_size"],
        "heads": vision["num_heads"],
        "patch": vision["patch_size"],
        "temporal_patch": vision.get("temporal_patch_size", 2),
        "merge": vision.get("spatial_merge_size", 2),
        "positions": None if architecture == "qwen2_5_vl" else vision["num_position_embeddings"],
        "deepstack": len(vision.get("deepstack_visual_indexes") or ()),
        "out": vision.get("out_hidden_size"),
        "parameters": None,
    }
