"""Settings that the engine does not read, and those that keep too much in memory."""

from typing import Any

import pytest

from lint.rules.offload import role_key_unread
from lint.rules.tables import rows_beside
from tests.rules.factory import findings, subject

A, R = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
PADDED = {"actor_rollout_ref.model.use_remove_padding": "False"}
STATIC = {f"{A}.use_dynamic_bsz": "False", f"{R}.log_prob_micro_batch_size_per_gpu": 1}
ULYSSES = f"{A}.fsdp_config.ulysses_sequence_parallel_size"


@pytest.mark.parametrize(
    ("rule", "overrides", "given", "severities"),
    [
        # 0.7 reads the role's keys, 0.8 only the engine's, 0.9 lets the engine's follow again
        ("role-key-unread", {f"{A}.entropy_checkpointing": "True"}, {"release": "0.7.1"}, []),
        ("role-key-unread", {f"{A}.entropy_checkpointing": "True"}, {"release": "0.8.0"}, ["warning"]),
        ("role-key-unread", {ULYSSES: 4}, {"release": "0.7.1"}, ["warning"]),
        ("role-key-unread", {ULYSSES: 4, f"{A}.ulysses_sequence_parallel_size": 4}, {"release": "0.7.1"}, []),
        ("role-key-unread", {ULYSSES: 4, "trainer.use_legacy_worker_impl": "disable"}, {"release": "0.7.1"}, []),
        ("role-key-unread", {ULYSSES: 4}, {"release": "0.8.0"}, []),
        ("role-key-unread", {f"{A}.entropy_checkpointing": "True"}, {"release": "0.9.0"}, []),
        ("role-key-unread", {f"{A}.use_torch_compile": "False"}, {"release": "0.9.1"}, ["warning"]),
        (
            "role-key-unread",
            {f"{A}.use_torch_compile": "False", f"{A}.fsdp_config.use_torch_compile": "False"},
            {"release": "0.9.1"},
            [],
        ),
        ("role-key-unread", {f"{A}.use_torch_compile": "False", "model_engine": "megatron"}, {}, []),
        ("role-key-unread", {f"{A}.grad_clip": 0.5}, {}, ["warning"]),
        ("role-key-unread", {f"{A}.grad_clip": 1.0}, {}, []),
        ("role-key-unread", {f"{A}.grad_clip": 0.5, f"{A}.optim.clip_grad": 0.5}, {}, []),
        ("role-key-unread", {f"{A}.grad_clip": 0.5, f"+{A}.optim.grad_clip": 0.5}, {}, []),
        ("role-key-unread", {"critic.grad_clip": 0.5}, {}, []),
        (
            "role-key-unread",
            {f"{A}.use_torch_compile": "False", f"{A}.strategy": "fsdp_turbo"},
            {"release": "0.9.1"},
            ["warning"],
        ),
        # from 0.8 on the role's strategy is written over the engine's
        ("role-key-unread", {f"{A}.fsdp_config.strategy": "fsdp2"}, {"release": "0.9.1"}, ["warning"]),
        ("role-key-unread", {f"{A}.fsdp_config.strategy": "fsdp2"}, {"release": "0.7.1"}, []),
        (
            "role-key-unread",
            {f"{A}.fsdp_config.strategy": "fsdp2", f"{A}.strategy": "fsdp2"},
            {"release": "0.9.1"},
            [],
        ),
        ("role-key-unread", {"actor_rollout_ref.ref.fsdp_config.strategy": "fsdp2"}, {"release": "0.9.1"}, []),
        (
            "role-key-unread",
            {"actor_rollout_ref.ref.fsdp_config.strategy": "fsdp2", f"{A}.use_kl_loss": "True"},
            {"release": "0.9.1"},
            ["warning"],
        ),
        ("entropy-chunking-unused", {f"{A}.entropy_from_logits_with_chunking": "True"}, {}, []),
        ("clip-grad-positive", {f"{A}.optim.clip_grad": -1}, {}, ["error"]),
        ("clip-grad-positive", {f"{A}.optim.clip_grad": 0}, {"release": "0.7.1"}, []),
        ("clip-grad-positive", {f"{A}.grad_clip": 0}, {"release": "0.7.1"}, ["error"]),
        ("clip-grad-positive", {f"{A}.optim.clip_grad": 0, "model_engine": "megatron"}, {}, []),
        ("padded-logits", {**PADDED, **STATIC, f"{A}.ppo_micro_batch_size_per_gpu": 2}, {}, []),
        (
            "padded-logits",
            {**PADDED, **STATIC, f"{A}.ppo_micro_batch_size_per_gpu": 2, "data.max_response_length": 8192},
            {},
            ["warning"],
        ),
        (
            "offload-without-effect",
            {f"{A}.use_kl_loss": "True", "actor_rollout_ref.ref.fsdp_config.param_offload": "False"},
            {},
            ["info"],
        ),
        ("offload-without-effect", {f"{A}.fsdp_config.param_offload": "True"}, {}, []),
        ("offload-without-effect", {f"{A}.fsdp_config.offload_policy": "True"}, {}, ["info"]),  # FSDP1 has none
        ("offload-without-effect", {f"{A}.fsdp_config.offload_policy": "True", f"{A}.strategy": "fsdp2"}, {}, []),
        ("tiled-mlp", {"actor_rollout_ref.model.tiled_mlp.enabled": "True"}, {"release": "0.7.1"}, ["error"]),
    ],
)
def test_offload(rule: str, overrides: dict[str, object], given: dict[str, Any], severities: list[str]) -> None:
    assert [finding.severity for finding in findings(rule, subject(overrides, **given))] == severities


def test_every_pair_of_keys_exists_in_some_release() -> None:
    trees = [subject(release=release).config for release in ("0.7.1", "0.8.0", "0.9.1")]
    trees += [subject({"model_engine": engine}, release="0.9.0").config for engine in ("megatron", "veomni")]
    for row in rows_beside(role_key_unread.__file__):
        assert any(tree.get(row["key"]) is not None and tree.get(row["read"]) is not None for tree in trees), row["key"]


def test_a_frozen_base_may_have_sixteen_bits() -> None:
    low = {"actor_rollout_ref.actor.fsdp_config.model_dtype": "bfloat16"}
    assert findings("sixteen-bit-weights", subject(low))
    assert not findings("sixteen-bit-weights", subject({**low, "actor_rollout_ref.model.lora_rank": 32}))
