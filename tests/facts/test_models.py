"""The model table: counts equal what is published, names match only the model they speak of."""

from __future__ import annotations

import pytest

from lint.facts.models import find_model, load_models, model_entries, nearest_model

MODELS = load_models()


PUBLISHED = [name for name, model in MODELS.items() if model.published_parameters is not None]


@pytest.mark.parametrize("name", PUBLISHED)
def test_parameters_equal_the_published_total_within_one_percent(name: str) -> None:
    model = MODELS[name]
    assert model.published_parameters is not None
    counted = (model.parameters.total, model.parameters.total + model.parameters.mtp)
    assert min(abs(count - model.published_parameters) for count in counted) <= 0.01 * model.published_parameters


@pytest.mark.parametrize("name", MODELS)
def test_every_model_states_its_source_and_its_heads_divide(name: str) -> None:
    model = MODELS[name]
    assert model.source
    assert model.confidence in ({"low"} if model.published_parameters is None else {"high", "medium"})
    assert model.attention_heads % model.key_value_heads == 0


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("Qwen/Qwen3-Next-80B-A3B-Instruct", "Qwen3-Next-80B-A3B"),
        ("/data/weights/qwen3-8b/", "Qwen3-8B"),
        ("Qwen/Qwen3-VL-8B-Instruct", "Qwen3-VL-8B"),
        ("~/models/Qwen2.5-Math-7B", "Qwen2.5-Math-7B"),
        ("qwen-2.5-7b-instruct", "Qwen2.5-7B"),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", "Llama-3.1-8B"),
        ("hdfs://cluster/models/Qwen3_5-27B", "Qwen3.5-27B"),
        ("/cache/models--Qwen--Qwen3-4B/snapshots/0a1b2c", "Qwen3-4B"),
        ("Qwen/Qwen3-30B-A3B-Thinking-2507", "Qwen3-30B-A3B"),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "DeepSeek-R1-Distill-Qwen-7B"),
        ("XiaomiMiMo/MiMo-7B-RL", "MiMo-7B"),
        ("zai-org/GLM-4.5-Air", "GLM-4.5-Air"),
        ("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "Nemotron-3-Nano-30B-A3B"),
        ("deepseek-ai/DeepSeek-V4-Flash", "DeepSeek-V4-Flash"),
        ("deepseek-ai/DeepSeek-V3.2", "DeepSeek-V3.2"),
        ("Qwen/Qwen3-Omni-30B-A3B-Instruct", "Qwen3-Omni-30B-A3B"),
        ("openbmb/MiniCPM-o-2_6", "MiniCPM-o-2_6"),
        ("HuggingFaceTB/SmolLM2-135M-Instruct", "SmolLM2-135M"),
        ("Qwen/Qwen1.5-MoE-A2.7B-Chat", "Qwen1.5-MoE-A2.7B"),
        ("PRIME-RL/Eurus-2-7B-SFT", "Eurus-2-7B-SFT"),
        ("Qwen/Qwen2-VL-7B-Instruct", "Qwen2-VL-7B"),
        ("deepseek-ai/deepseek-coder-1.3b-instruct", "deepseek-coder-1.3b"),
        ("Skywork/Skywork-OR1-32B-Preview", "Skywork-OR1-32B-Preview"),
        ("agentica-org/DeepScaleR-1.5B-Preview", "DeepScaleR-1.5B-Preview"),
    ],
)
def test_a_path_or_hub_name_finds_its_model(path: str, name: str) -> None:
    model = find_model(path)
    assert model is not None
    assert model.name == name


@pytest.mark.parametrize(
    "path",
    [
        "",
        "model",
        "Qwen/Qwen3-8B-AWQ",
        "Qwen/Qwen2-57B",
        "mistralai/Mistral-7B-v0.3",
        "Qwen/Qwen3-VL",
        "Qwen/Qwen3-Embedding-8B",
        "Qwen3-14B-pruned-7B",
        "deepseek-ai/DeepSeek-Coder-V2-Lite-Instruct",
        "/checkpoints/global_step_100/actor/huggingface",
    ],
)
def test_a_name_that_may_be_another_shape_finds_none(path: str) -> None:
    assert find_model(path) is None


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("Qwen/Qwen2.5-7B-Instrcut", "Qwen2.5-7B-Instruct"),
        ("Qwen/Qwen3-30B-A3B-Instuct-2507", "Qwen3-30B-A3B-Instruct-2507"),
        ("Qwen/Qwen3-4B-Thinkng", "Qwen3-4B-Thinking"),
        ("Qwen/Qwen33-8B", "Qwen3-8B"),
    ],
)
def test_a_misspelt_name_finds_none_and_the_one_that_is_meant(path: str, meant: str) -> None:
    assert find_model(path) is None
    assert nearest_model(path) == meant


@pytest.mark.parametrize("path", ["Qwen3-8B-Codr", "Qwen3-8B-Distil"])
def test_an_ending_that_is_nearly_one_of_another_shape_finds_none(path: str) -> None:
    assert find_model(path) is None


def test_a_fine_tune_has_the_shape_of_its_base_with_low_confidence() -> None:
    model = find_model("/home/me/Qwen3-8B-my-finetune")
    assert model is not None
    assert (model.name, model.confidence, model.max_position_embeddings) == ("Qwen3-8B", "low", None)


@pytest.mark.parametrize(
    ("path", "positions"),
    [
        ("Qwen/Qwen3-8B", 40960),
        ("Qwen/Qwen3-8B-Base", 32768),
        ("Qwen/Qwen2.5-7B", 131072),
        ("Qwen/Qwen2.5-7B-Instruct", 32768),
        ("Qwen/Qwen3-30B-A3B-Instruct-2507", 262144),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", 131072),
        ("Qwen/Qwen2.5-Math-7B", 4096),
    ],
)
def test_the_longest_position_is_that_of_the_named_variant(path: str, positions: int) -> None:
    model = find_model(path)
    assert model is not None
    assert model.max_position_embeddings == positions


def test_positions_are_read_somewhere_or_unknown() -> None:
    unsourced = [entry["name"] for entry in model_entries().values() if "positions_source" not in entry]
    assert [name for name in unsourced if MODELS[name].max_position_embeddings is not None] == []


def test_layers_unlike_those_of_a_transformer_are_named() -> None:
    mixed, compressed = MODELS["Nemotron-3-Nano-30B-A3B"], MODELS["DeepSeek-V4-Flash"]
    assert (mixed.parameters.full_attention_layers, mixed.parameters.moe_layers) == (6, 23)
    assert mixed.unlike_layers is not None
    assert compressed.unlike_layers is not None
    assert MODELS["Qwen3-8B"].unlike_layers is None


def test_the_1_5b_distill_does_not_tie_its_embedding() -> None:
    distill, base = find_model("deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B"), find_model("Qwen/Qwen2.5-Math-1.5B")
    assert distill is not None
    assert base is not None
    assert (distill.tied_embedding, base.tied_embedding) == (False, True)
