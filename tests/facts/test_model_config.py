"""Models from their own config.json. Sizes are those of the published files; totals those of the model pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lint.facts.model_config import model_from_config, read_model
from lint.facts.models import find_model

QWEN3_8B: dict[str, Any] = {
    "model_type": "qwen3",
    "hidden_size": 4096,
    "intermediate_size": 12288,
    "num_hidden_layers": 36,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "vocab_size": 151936,
    "tie_word_embeddings": False,
    "attention_bias": False,
    "max_position_embeddings": 40960,
}
QWEN25_7B: dict[str, Any] = {
    "model_type": "qwen2",
    "hidden_size": 3584,
    "intermediate_size": 18944,
    "num_hidden_layers": 28,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "vocab_size": 152064,
    "tie_word_embeddings": False,
}
QWEN3_NEXT: dict[str, Any] = {
    "model_type": "qwen3_next",
    "hidden_size": 2048,
    "intermediate_size": 5120,
    "num_hidden_layers": 48,
    "num_attention_heads": 16,
    "num_key_value_heads": 2,
    "head_dim": 256,
    "vocab_size": 151936,
    "tie_word_embeddings": False,
    "num_experts": 512,
    "num_experts_per_tok": 10,
    "moe_intermediate_size": 512,
    "shared_expert_intermediate_size": 512,
    "full_attention_interval": 4,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 32,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "linear_conv_kernel_dim": 4,
}
DEEPSEEK_V3: dict[str, Any] = {
    "model_type": "deepseek_v3",
    "hidden_size": 7168,
    "intermediate_size": 18432,
    "num_hidden_layers": 61,
    "num_attention_heads": 128,
    "num_key_value_heads": 128,
    "vocab_size": 129280,
    "tie_word_embeddings": False,
    "n_routed_experts": 256,
    "num_experts_per_tok": 8,
    "moe_intermediate_size": 2048,
    "n_shared_experts": 1,
    "first_k_dense_replace": 3,
    "q_lora_rank": 1536,
    "kv_lora_rank": 512,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128,
    "v_head_dim": 128,
}
QWEN3_VL_8B: dict[str, Any] = {
    "model_type": "qwen3_vl",
    "tie_word_embeddings": False,
    "text_config": {**QWEN3_8B, "model_type": "qwen3_vl_text"},
    "vision_config": {
        "depth": 27,
        "hidden_size": 1152,
        "intermediate_size": 4304,
        "num_heads": 16,
        "patch_size": 16,
        "temporal_patch_size": 2,
        "spatial_merge_size": 2,
        "num_position_embeddings": 2304,
        "deepstack_visual_indexes": [8, 16, 24],
        "out_hidden_size": 4096,
    },
}

NEMOTRON_3_NANO: dict[str, Any] = {
    "model_type": "nemotron_h",
    "hidden_size": 2688,
    "intermediate_size": 1856,
    "num_hidden_layers": 52,
    "hybrid_override_pattern": "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
    "num_attention_heads": 32,
    "num_key_value_heads": 2,
    "head_dim": 128,
    "mamba_num_heads": 64,
    "mamba_head_dim": 64,
    "n_groups": 8,
    "ssm_state_size": 128,
    "conv_kernel": 4,
    "mlp_hidden_act": "relu2",
    "moe_intermediate_size": 1856,
    "moe_shared_expert_intermediate_size": 3712,
    "n_routed_experts": 128,
    "n_shared_experts": 1,
    "num_experts_per_tok": 6,
    "vocab_size": 131072,
    "tie_word_embeddings": False,
}
DEEPSEEK_V4_FLASH: dict[str, Any] = {
    "model_type": "deepseek_v4",
    "hidden_size": 4096,
    "num_hidden_layers": 43,
    "num_attention_heads": 64,
    "num_key_value_heads": 1,
    "head_dim": 512,
    "q_lora_rank": 1024,
    "o_groups": 8,
    "o_lora_rank": 1024,
    "index_n_heads": 64,
    "index_head_dim": 128,
    "compress_ratios": [0, 0, *[4, 128] * 20, 4, 0],
    "hc_mult": 4,
    "moe_intermediate_size": 2048,
    "n_routed_experts": 256,
    "n_shared_experts": 1,
    "num_experts_per_tok": 6,
    "num_nextn_predict_layers": 1,
    "vocab_size": 129280,
    "tie_word_embeddings": False,
}


@pytest.mark.parametrize(
    ("config", "name"),
    [
        (NEMOTRON_3_NANO, "Nemotron-3-Nano-30B-A3B"),
        (DEEPSEEK_V4_FLASH, "DeepSeek-V4-Flash"),
        (QWEN3_8B, "Qwen3-8B"),
        (QWEN25_7B, "Qwen2.5-7B"),
        (QWEN3_NEXT, "Qwen3-Next-80B-A3B"),
        (DEEPSEEK_V3, "DeepSeek-V3"),
        (QWEN3_VL_8B, "Qwen3-VL-8B"),
    ],
)
def test_a_config_gives_the_same_parts_as_the_table(config: dict[str, Any], name: str) -> None:
    read, known = model_from_config(config), find_model(name)
    assert read is not None
    assert known is not None
    assert read.parameters.total == known.parameters.total
    assert read.parameters.attention_layer == known.parameters.attention_layer
    assert read.parameters.experts_layer == known.parameters.experts_layer
    assert read.confidence == "high"


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"model_type": "mamba2", "hidden_size": 4096},  # an architecture whose layers are not known
        {"model_type": "qwen3", "hidden_size": 4096},  # sizes missing
        {**QWEN3_8B, "num_attention_heads": 0, "head_dim": None},
        {**QWEN3_8B, "hidden_size": "large"},
        {key: value for key, value in NEMOTRON_3_NANO.items() if key != "hybrid_override_pattern"},
        {**NEMOTRON_3_NANO, "moe_latent_size": 1024},  # experts of another form
    ],
)
def test_what_is_not_a_known_model_is_none(config: dict[str, Any]) -> None:
    assert model_from_config(config) is None


def test_the_heads_of_latent_attention_are_counted_from_their_parts() -> None:
    read = model_from_config({**DEEPSEEK_V3, "head_dim": 56})
    assert read is not None
    assert read.head_dim == 128 + 64


def test_a_folder_with_a_config_is_read_under_its_own_name(tmp_path: Path) -> None:
    folder = tmp_path / "my-model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(QWEN3_8B))
    model = read_model(str(folder))
    assert model is not None
    assert (model.name, model.max_position_embeddings) == ("my-model", 40960)


def test_a_hub_name_is_read_from_the_local_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = tmp_path / "models--me--Tuned" / "snapshots" / "0a1b"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text(json.dumps(QWEN3_8B))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    model = read_model("me/Tuned")
    assert model is not None
    assert model.name == "Tuned"


@pytest.mark.parametrize("content", ["", "{", "[1]", '"text"'])
def test_a_broken_config_is_no_model(tmp_path: Path, content: str) -> None:
    (tmp_path / "config.json").write_text(content)
    assert read_model(str(tmp_path)) is None


def test_a_path_that_does_not_exist_is_no_model() -> None:
    assert read_model("/nowhere/at/all") is None
    assert read_model("") is None
