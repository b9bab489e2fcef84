"""Weights on their way to the rollout: the bucket, and the engines."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from lint.findings import Finding
from tests.rules.factory import findings, subject

BUCKET = "actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes"
BACKEND = "actor_rollout_ref.rollout.checkpoint_engine.backend"


def bucket(release: str, device: str, overrides: Mapping[str, object] | None = None, **given: Any) -> list[Finding]:
    model = given.pop("model", "Qwen3-8B")  # 151936 x 4096: 2374 MiB in fp32, 1187 MiB in bf16
    return findings("weight-bucket-too-small", subject(overrides, release=release, device=device, model=model, **given))


def test_0_7_1_asserts_on_every_device() -> None:
    for device in ("h100", "ascend-a2"):
        (finding,) = bucket("0.7.1", device)
        assert finding.severity == "error"
        assert "151936 x 4096 x 4 bytes = 2374 MiB, more than update_weights_bucket_megabytes 2048" in finding.message
        assert finding.help == f"write {BUCKET}=3072"


def test_a_checkout_from_before_the_bucket_casts_what_it_sends() -> None:
    launched = subject({}, release="0.7.1", device="h100", model="Qwen3-8B")
    assert launched.composition is not None
    shown = set(launched.composition.schema.behaviours) - {"bucket_is_a_limit"}
    schema = replace(launched.composition.schema, behaviours=tuple(shown))
    assert not findings(
        "weight-bucket-too-small", replace(launched, composition=replace(launched.composition, schema=schema))
    )


def test_later_releases_assert_where_device_memory_cannot_be_shared() -> None:
    assert not bucket("0.9.0", "h100")
    (finding,) = bucket("0.9.0", "ascend-a3")
    assert (finding.severity, finding.confidence) == ("info", "medium")


def test_what_is_sent_in_half_precision_fits() -> None:
    assert not bucket("0.8.0", "ascend-a2"), "0.8.0 casts to bfloat16"
    assert not bucket("0.7.1", "h100", {"trainer.use_legacy_worker_impl": "disable"}), "as the engine workers of 0.7.1"
    half = {"actor_rollout_ref.actor.fsdp_config.model_dtype": "bfloat16"}
    assert not bucket("0.9.0", "ascend-a2", half)
    assert not bucket("0.7.1", "h100", half)


def test_a_bucket_that_is_large_enough() -> None:
    assert not bucket("0.7.1", "h100", {BUCKET: 2374})
    assert bucket("0.7.1", "h100", {BUCKET: 2373})


def test_sglang_and_unknown_models_are_left_alone() -> None:
    assert not bucket("0.7.1", "h100", {"actor_rollout_ref.rollout.name": "sglang"})
    assert not bucket("0.7.1", "h100", model=None)


def test_an_adapter_alone_is_small() -> None:
    lora = {"actor_rollout_ref.model.lora_rank": 32}
    assert not bucket("0.7.1", "h100", {**lora, "actor_rollout_ref.rollout.load_format": "safetensors"})
    assert bucket("0.7.1", "h100", lora), "with load_format dummy the base weights are sent once"


@pytest.mark.parametrize(
    ("backend", "release", "finds"),
    [
        ("hccl", "0.9.0", True),
        ("nccl", "0.9.0", False),
        ("naive", "0.7.1", False),
        ("delta_sharded", "0.8.0", True),
        ("delta_sharded", "0.9.0", False),
    ],
)
def test_engines_by_release(backend: str, release: str, finds: bool) -> None:
    assert bool(findings("checkpoint-backend", subject({BACKEND: backend}, release=release))) is finds


def test_a_module_of_ones_own_may_register_an_engine() -> None:
    own = {BACKEND: "mine", "actor_rollout_ref.rollout.checkpoint_engine.custom_backend_module": "my.engine"}
    assert not findings("checkpoint-backend", subject(own, release="0.9.0"))


def test_the_kimi_engine_on_npus_needs_a_variable() -> None:
    kimi = {BACKEND: "kimi_ckpt_engine"}
    enabled = {"HCCL_INTRA_ROCE_ENABLE": "1"}
    assert findings("kimi-engine-npu", subject(kimi, device="ascend-a3"))
    assert not findings("kimi-engine-npu", subject(kimi, device="ascend-a3", environment=enabled))
    assert not findings("kimi-engine-npu", subject(kimi, device="h100"))


def test_an_engine_between_pools_where_there_is_one_pool() -> None:
    nccl = {BACKEND: "nccl"}
    assert findings("checkpoint-backend-colocated", subject(nccl))
    assert not findings("checkpoint-backend-colocated", subject({BACKEND: "naive"}))
    separate = {**nccl, "trainer.use_v1": True, "trainer.v1.trainer_mode": "separate_async"}
    assert not findings("checkpoint-backend-colocated", subject(separate))
