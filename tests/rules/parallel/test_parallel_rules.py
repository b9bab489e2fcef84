"""Parallel sizes against models and clusters; the numbers that look wrong and are right stay silent."""

from dataclasses import replace
from typing import Any, Literal

import pytest

from lint.facts.divisions import SIZES, Division, all_divisions
from lint.rules.parallel._pipeline import split_problem
from lint.schema.load import load as load_schema
from tests.rules.factory import findings, subject
from tests.rules.pipeline import found

A, R, F = "actor_rollout_ref.actor", "actor_rollout_ref.rollout", "actor_rollout_ref.ref"
M = f"{A}.megatron"
MEGATRON = {"model_engine": "megatron"}
OVERRIDE = f"{M}.override_transformer_config"
PACKED = {"actor_rollout_ref.model.use_remove_padding": "True"}
OWN = {"trainer.use_v1": True, "trainer.v1.trainer_mode": "separate_async", f"{R}.nnodes": 1}
SEPARATE = {f"{R}.disaggregation.enabled": True}
LORA_RANK = {"actor_rollout_ref.model.lora_rank": 16}


@pytest.mark.parametrize("split", [8, 40])
def test_40_heads_and_8_key_value_heads_split_by_8_and_40(split: int) -> None:
    settings = {**PACKED, f"{A}.ulysses_sequence_parallel_size": split}
    assert findings("model-divisible", subject(settings, model="Qwen2.5-14B")) == []


def test_8_key_value_heads_neither_split_by_20_nor_are_repeated_20_times() -> None:
    settings = {**PACKED, f"{A}.ulysses_sequence_parallel_size": 20}
    (finding,) = findings("model-divisible", subject(settings, model="Qwen2.5-14B"))
    assert finding.message.startswith("the 8 key/value heads of Qwen2.5-14B do not fit")


def test_40_heads_do_not_split_by_16() -> None:
    settings = {**PACKED, f"{A}.ulysses_sequence_parallel_size": 16}
    (finding,) = {finding.message for finding in findings("model-divisible", subject(settings, model="Qwen2.5-14B"))}
    assert finding.startswith("the 40 attention heads of Qwen2.5-14B do not fit ulysses_sequence_parallel_size 16")


def test_fewer_key_value_heads_than_rollout_ranks_are_repeated() -> None:
    assert findings("model-divisible", subject({f"{R}.tensor_model_parallel_size": 8}, model="Qwen3-30B-A3B")) == []


def test_every_row_of_the_table_names_its_source() -> None:
    assert all(one.source and one.moment and one.relation in ("multiple", "either") for one in all_divisions())
    assert all(one.size in SIZES and (one.engines or one.rollouts) for one in all_divisions())


@pytest.mark.parametrize(
    ("size", "parallel", "relation", "expected"),
    [(8, 4, "multiple", True), (8, 16, "multiple", False), (8, 16, "either", True), (8, 12, "either", False)],
)
def test_relations(size: int, parallel: int, relation: Literal["multiple", "either"], expected: bool) -> None:
    demand = Division("attention heads", "tensor", relation, "at init", "a test")
    assert demand.allows(size, parallel) is expected


@pytest.mark.parametrize(
    ("layers", "stages", "given", "counted", "virtual", "fine"),
    [
        (36, 4, [], 0, None, True),
        (61, 4, [], 0, None, False),  # DeepSeek-V3
        (94, 16, [5, 5], 0, None, True),  # Qwen3-235B: 5 + 14 x 6 + 5
        (94, 8, [11, 11], 0, None, True),  # 11 + 6 x 12 + 11
        (94, 16, [], 2, None, True),  # 94 + embedding + loss = 96
        (27, 4, [6], 0, None, True),
        (36, 2, [18, 18], 0, None, True),
        (36, 2, [10, 18], 0, None, False),
        (32, 4, [], 0, 2, True),
        (30, 2, [], 0, 2, False),
        (94, 16, [5, 5], 1, None, False),
    ],
)
def test_splits_of_layers(
    layers: int, stages: int, given: list[int], counted: int, virtual: int | None, fine: bool
) -> None:
    assert (split_problem(layers, stages, given, counted, virtual) is None) is fine


@pytest.mark.parametrize(
    ("rule", "overrides", "given", "severities"),
    [
        ("rollout-world", {}, {"devices": 1}, ["error"]),  # tensor parallel size 2 is the default
        ("rollout-world", {f"{R}.tensor_model_parallel_size": 1}, {"devices": 1}, []),
        ("rollout-world", {f"{R}.tensor_model_parallel_size": 16}, {"nodes": 2}, []),
        ("rollout-world", {f"{R}.tensor_model_parallel_size": 4}, {"nodes": 2, "devices": 6}, ["error"]),
        ("rollout-world", {f"{R}.tensor_model_parallel_size": 12}, {"nodes": 3, "devices": 8}, ["error"]),
        ("rollout-world", {f"{R}.tensor_model_parallel_size": "${oc.env:TP}"}, {}, []),
        ("rollout-world", {**OWN, f"{R}.n_gpus_per_node": 3}, {}, ["warning"]),  # a server of 2, one device idle
        ("rollout-world", {**OWN, f"{R}.n_gpus_per_node": 2}, {"devices": 3}, []),
        ("rollout-world", {**OWN, f"{R}.n_gpus_per_node": 1}, {}, ["error"]),
        ("rollout-disaggregation", SEPARATE, {}, []),
        ("rollout-disaggregation", SEPARATE, {"release": "0.8.0"}, ["error"]),  # vLLM only from 0.9.0 on
        ("rollout-disaggregation", SEPARATE, {"device": "ascend-a3"}, ["error"]),
        ("rollout-disaggregation", {**SEPARATE, f"{R}.data_parallel_size": 2}, {}, ["error"]),
        ("rollout-disaggregation", {**SEPARATE, f"{R}.disaggregation.prefill_replicas": 2}, {}, ["error"]),
        ("rollout-disaggregation", {**SEPARATE, f"{R}.disaggregation.decode_replicas": 0}, {}, ["error"]),
        ("rollout-disaggregation", {**SEPARATE, f"{R}.disaggregation.transfer_backend": "ascend"}, {}, ["error"]),
        (
            "rollout-disaggregation",
            {**SEPARATE, f"{R}.name": "sglang", f"{R}.disaggregation.transfer_backend": "ascend"},
            {},
            [],
        ),
        ("rollout-disaggregation", {**SEPARATE, f"{R}.disaggregation.decode_replicas": 3}, {}, []),  # 2 + 3 x 2
        ("rollout-disaggregation", {**SEPARATE, f"{R}.disaggregation.decode_replicas": 4}, {}, ["error"]),
        (
            "rollout-disaggregation",
            {
                **SEPARATE,
                f"{R}.disaggregation.decode_replicas": 6,
                f"{R}.disaggregation.decode_tensor_model_parallel_size": 1,
            },
            {},
            [],
        ),
        # 2 + 2 x 2 of 8 devices: two ranks of the trainer have no server, but devices of its own may stay idle
        ("rollout-disaggregation", {**SEPARATE, f"{R}.disaggregation.decode_replicas": 2}, {}, ["error"]),
        (
            "rollout-disaggregation",
            {**SEPARATE, **OWN, f"{R}.n_gpus_per_node": 8, f"{R}.disaggregation.decode_replicas": 2},
            {},
            [],
        ),
        ("rollout-across-nodes", {f"{R}.tensor_model_parallel_size": 16}, {"nodes": 2}, ["warning"]),
        ("rollout-across-nodes", {f"{R}.tensor_model_parallel_size": 16}, {"nodes": 2, "devices": 16}, []),
        (
            "rollout-across-nodes",
            {f"{R}.tensor_model_parallel_size": 16},
            {"nodes": 2, "model": "DeepSeek-V3"},
            [],
        ),
        ("rollout-expert-product", {f"{R}.expert_parallel_size": 2}, {}, []),
        ("rollout-expert-product", {f"{R}.expert_parallel_size": 4}, {}, ["error"]),
        ("rollout-expert-product", {f"{R}.expert_parallel_size": 4, f"{R}.name": "trtllm"}, {}, []),
        ("rollout-expert-product", {f"{R}.pipeline_model_parallel_size": 2}, {}, ["error"]),
        ("megatron-world", {**MEGATRON, f"{M}.tensor_model_parallel_size": 3}, {}, ["error"]),
        ("megatron-world", {**MEGATRON, f"{M}.tensor_model_parallel_size": 4, f"{M}.context_parallel_size": 2}, {}, []),
        # the experts' tensor size is the dense one unless it is given
        (
            "megatron-world",
            {**MEGATRON, f"{M}.tensor_model_parallel_size": 4, f"{M}.expert_model_parallel_size": 4},
            {"model": "Qwen3-30B-A3B"},
            ["error"],
        ),
        (
            "megatron-world",
            {
                **MEGATRON,
                f"{M}.tensor_model_parallel_size": 4,
                f"{M}.expert_model_parallel_size": 4,
                f"{M}.expert_tensor_parallel_size": 1,
            },
            {"model": "Qwen3-30B-A3B"},
            [],
        ),
        ("shard-world", {f"{A}.fsdp_config.fsdp_size": 3}, {}, ["error"]),
        ("shard-world", {f"{A}.fsdp_config.fsdp_size": -1}, {}, []),
        ("shard-world", {f"{A}.fsdp_config.fsdp_size": 64}, {}, []),
        ("shard-world", {**PACKED, f"{A}.ulysses_sequence_parallel_size": 3}, {}, ["error"]),
        ("devices-per-node", {}, {"device": "ascend-a2", "devices": 16}, ["error"]),
        ("devices-per-node", {}, {"device": "ascend-a3", "devices": 16}, []),
        ("devices-per-node", {}, {"devices": 16}, []),
        # the reference follows the actor, a critic does not
        ("colocated-megatron-layout", {**MEGATRON, f"{M}.tensor_model_parallel_size": 2}, {}, []),
        (
            "colocated-megatron-layout",
            {**MEGATRON, f"{M}.tensor_model_parallel_size": 2, "algorithm.adv_estimator": "gae"},
            {},
            ["error"],
        ),
        (
            "colocated-megatron-layout",
            {
                **MEGATRON,
                f"{M}.tensor_model_parallel_size": 2,
                f"{A}.use_kl_loss": "True",
                f"{F}.megatron.tensor_model_parallel_size": 4,
            },
            {},
            ["error"],
        ),
        ("sp-needs-remove-padding", {**PACKED, f"{A}.ulysses_sequence_parallel_size": 4}, {}, []),
        ("expert-parallel-dense", {**MEGATRON, f"{M}.expert_model_parallel_size": 2}, {}, ["error"]),
        ("expert-parallel-dense", {**MEGATRON, f"{M}.expert_model_parallel_size": 2}, {"model": None}, []),
        ("gated-delta-net-packing", PACKED, {"model": "Qwen3-8B"}, []),
        ("gated-delta-net-packing", {**MEGATRON, **PACKED}, {"model": "Qwen3-Next-80B-A3B"}, []),
        ("packing-overwritten", {**MEGATRON, f"{M}.use_remove_padding": False}, {}, ["warning"]),
        (
            "packing-overwritten",
            {**MEGATRON, f"{M}.use_remove_padding": False, "actor_rollout_ref.model.use_remove_padding": False},
            {},
            [],
        ),
        ("virtual-pipeline", {**MEGATRON, f"{M}.virtual_pipeline_model_parallel_size": "null"}, {}, []),
        (
            "recompute-settings",
            {**MEGATRON, f"{OVERRIDE}.recompute_granularity": "selective", f"{OVERRIDE}.recompute_num_layers": 1},
            {},
            ["error"],
        ),
        ("recompute-settings", {**MEGATRON, f"{OVERRIDE}.recompute_method": "uniform"}, {}, ["warning"]),
        ("recompute-settings", {**MEGATRON, f"{OVERRIDE}.recompute_granularity": "selective"}, {}, []),
        ("expert-dispatcher", {**MEGATRON, f"+{OVERRIDE}.moe_token_dispatcher_type": "flex"}, {}, []),
        (
            "expert-dispatcher",
            {**MEGATRON, f"+{OVERRIDE}.moe_enable_deepep": "True"},
            {"model": "Qwen3-30B-A3B"},
            ["error"],
        ),
        ("megatron-bridge", {**MEGATRON, f"{R}.name": "sglang"}, {"device": "ascend-a2"}, ["warning"]),
        (
            "megatron-bridge",
            {**MEGATRON, f"{R}.name": "sglang", f"{M}.vanilla_mbridge": "True"},
            {"device": "ascend-a2"},
            [],
        ),
        ("megatron-bridge", {**MEGATRON, f"{R}.name": "sglang"}, {"device": "h100"}, []),
        ("lora-rank", {"actor_rollout_ref.model.lora_rank": 513}, {}, ["error"]),
        ("lora-of-other-engine", {**LORA_RANK, "model_engine": "megatron"}, {}, ["error"]),
        ("lora-of-other-engine", {**LORA_RANK, "actor_rollout_ref.model.lora.rank": 16}, {}, []),
        ("lora-of-other-engine", {"actor_rollout_ref.model.lora.rank": 16, "model_engine": "megatron"}, {}, []),
        ("lora-of-other-engine", {"actor_rollout_ref.model.lora.rank": 16}, {"release": "0.8.0"}, ["error"]),
        (
            "lora-rank",
            {"actor_rollout_ref.model.lora_rank": 513, "actor_rollout_ref.model.lora.merge": "True"},
            {},
            [],
        ),
        ("mtp-layers", {**MEGATRON, "actor_rollout_ref.model.mtp.enable": "True"}, {"model": None}, []),
        ("pools-need-sizes", {"trainer.v1.trainer_mode": "separate_async"}, {}, ["error"]),
        (
            "pools-need-sizes",
            {
                "reward.reward_model.enable_resource_pool": "True",
                "reward.reward_model.nnodes": 1,
                "reward.reward_model.n_gpus_per_node": 2,
                "reward.reward_model.rollout.tensor_model_parallel_size": 4,
            },
            {},
            ["error"],
        ),
        ("distillation-pool", {"distillation.enabled": "True"}, {}, ["error"]),
        ("distillation-pool", {"distillation.enabled": "True", "distillation.nnodes": 1}, {}, []),
        (
            "distillation-pool",
            {
                "distillation.enabled": "True",
                "distillation.nnodes": 1,
                "+distillation.teacher_models.teacher_model.inference.pipeline_model_parallel_size": 3,
            },
            {},
            ["error"],
        ),
        ("fused-kernels-unused", {"actor_rollout_ref.model.use_fused_kernels": "True"}, {}, []),
    ],
)
def test_sizes(rule: str, overrides: dict[str, object], given: dict[str, Any], severities: list[str]) -> None:
    assert [finding.severity for finding in findings(rule, subject(overrides, **given))] == severities


REFERENCE = f"{F}.megatron.override_transformer_config"
SPLIT_94 = {
    **MEGATRON,
    f"{A}.use_kl_loss": "True",
    f"{M}.pipeline_model_parallel_size": 16,
    f"+{OVERRIDE}.num_layers_in_first_pipeline_stage": 5,
    f"+{OVERRIDE}.num_layers_in_last_pipeline_stage": 5,
}


@pytest.mark.parametrize(
    ("settings", "severities"),
    [
        ({}, []),  # the reference follows the actor
        ({f"+{REFERENCE}.use_flash_attn": "True"}, ["error"]),
        ({REFERENCE: "{use_flash_attn: True}"}, ["error"]),
        ({f"+{REFERENCE}.use_flash_attn": "True", f"{A}.use_kl_loss": "False"}, []),  # no reference is built
        ({f"++{REFERENCE}.num_layers_in_first_pipeline_stage": 5}, ["warning"]),  # it has a split of its own
        (
            {
                f"++{REFERENCE}.num_layers_in_first_pipeline_stage": 5,
                f"++{REFERENCE}.num_layers_in_last_pipeline_stage": 5,
            },
            [],
        ),
    ],
)
def test_what_the_reference_loses(settings: dict[str, object], severities: list[str]) -> None:
    launch = subject({**SPLIT_94, **settings}, model="Qwen3-235B-A22B", nodes=16, devices=16)
    assert [finding.severity for finding in findings("reference-settings-replaced", launch)] == severities


def test_recomputation_is_no_loss_to_the_reference() -> None:
    settings = {
        **MEGATRON,
        f"{A}.use_kl_loss": "True",
        f"{OVERRIDE}.recompute_granularity": "full",
        f"+{REFERENCE}.use_flash_attn": "True",
    }
    assert findings("reference-settings-replaced", subject(settings)) == []


def test_workers_of_0_7_build_the_reference_with_the_settings_of_the_actor() -> None:
    settings = {**SPLIT_94, f"+{REFERENCE}.use_flash_attn": "True", "model_engine": None}
    launch = subject(settings, release="0.7.1", flags=("--config-name=ppo_megatron_trainer",))
    assert findings("reference-settings-replaced", launch) == []


def test_a_reference_that_nobody_builds_needs_no_bridge() -> None:
    off = {"model_engine": "megatron", "actor_rollout_ref.ref.megatron.use_mbridge": False}
    assert not findings("megatron-bridge", subject(off))
    assert findings("megatron-bridge", subject({**off, "actor_rollout_ref.actor.use_kl_loss": True}))


@pytest.mark.parametrize(
    ("release", "device", "overrides", "severities"),
    [
        ("0.8.0", "h100", {}, ["error"]),
        ("0.8.0", "h100", {"actor_rollout_ref.model.use_remove_padding": False}, []),
        ("0.9.1", "h100", {}, []),
        ("0.9.1", "ascend-a3", {}, ["warning"]),
        ("0.9.1", "ascend-a3", {f"+{OVERRIDE}.use_ascend_gdn": True}, []),
    ],
)
def test_packed_linear_attention_under_megatron(
    release: str, device: str, overrides: dict[str, object], severities: list[str]
) -> None:
    launched = subject(
        {"model_engine": "megatron", **overrides}, model="Qwen3.5-35B-A3B", device=device, release=release
    )
    assert [one.severity for one in findings("gated-delta-net-packing", launched)] == severities


def test_between_two_releases_the_megatron_that_takes_packed_sequences_may_be_there_already() -> None:
    between = replace(load_schema("0.8.0"), release="0.8.0.dev")
    launched = subject({"model_engine": "megatron"}, model="Qwen3.5-35B-A3B", release="0.8.0", schema=between)
    assert [one.severity for one in findings("gated-delta-net-packing", launched)] == ["warning"]


@pytest.mark.parametrize(
    ("release", "context", "message"),
    [
        ("0.8.0", 2, "Megatron-Core 0.16"),
        ("0.9.1", 2, None),
        ("0.9.1", 3, "x context_parallel_size 3 = 3 does not divide"),
    ],
)
def test_split_linear_attention_under_megatron(release: str, context: int, message: str | None) -> None:
    sizes = {"model_engine": "megatron", "actor_rollout_ref.actor.megatron.context_parallel_size": context}
    launched = subject(sizes, model="Qwen3.5-35B-A3B", device="h100", devices=6, release=release)
    shown = [one.message for one in findings("gated-delta-net-context", launched)]
    assert shown == [] if message is None else len(shown) == 1 and message in shown[0]


def test_shared_experts_overlap_with_flex_from_0_9_on() -> None:
    flex = {f"+{OVERRIDE}.moe_token_dispatcher_type": "flex", f"+{OVERRIDE}.moe_shared_expert_overlap": True}
    for release, count in (("0.8.0", 1), ("0.9.1", 0)):
        launched = subject({"model_engine": "megatron", **flex}, model="DeepSeek-V3", release=release)
        assert len(findings("expert-dispatcher", launched)) == count


def test_chunks_of_layers_are_cut_by_the_megatron_of_later_gpu_images() -> None:
    chunks = {
        "model_engine": "megatron",
        f"+{OVERRIDE}.recompute_granularity": "full",
        f"+{OVERRIDE}.recompute_method": "uniform",
        f"+{OVERRIDE}.recompute_num_layers": 5,
    }
    for release, device, count in (("0.8.0", "h100", 1), ("0.9.1", "h100", 0), ("0.9.1", "ascend-a3", 1)):
        assert len(findings("recompute-chunks", subject(chunks, device=device, release=release))) == count


@pytest.mark.parametrize(
    ("processes", "size", "finds"), [(8, 1, True), (1, 1, False), (8, -1, False), ("gpu", 1, False)]
)
def test_supervised_training_on_several_devices_reduces_no_gradient_with_size_one(
    processes: object, size: int, finds: bool
) -> None:
    script = f"torchrun --nproc_per_node={processes} -m verl.trainer.sft_trainer engine=fsdp engine.fsdp_size={size}\n"
    assert bool(found("gradients-not-reduced", script)) is finds


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((2, 5, None), f"set {M}.pipeline_model_parallel_size to 1, 2 or 4, or set num_layers_in_first_"),
        ((2, 5, 2), f"set {M}.pipeline_model_parallel_size to 2 or 4, or set num_layers_in_first_"),
        ((4, 4, 5), f"set {M}.virtual_pipeline_model_parallel_size to 2, 3, 4, 6, 12 or null"),
        ((16, 5, 7), "set num_layers_in_first_pipeline_stage and _last_, or other parallel sizes"),
    ],
)
def test_the_pipeline_size_to_write_instead_fits_layers_and_devices(
    sizes: tuple[int, int, int | None], expected: str
) -> None:
    names = ("tensor_model_parallel_size", "pipeline_model_parallel_size", "virtual_pipeline_model_parallel_size")
    settings = MEGATRON | {f"{M}.{name}": size for name, size in zip(names, sizes, strict=True) if size is not None}
    (finding,) = findings("pipeline-layers", subject(settings, model="Qwen3-30B-A3B"))
    assert finding.help is not None
    assert finding.help.startswith(expected)
