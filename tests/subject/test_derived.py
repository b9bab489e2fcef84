"""Sizes as verl derives them, per engine, role and release."""

import pytest

from lint.subject import derived
from lint.versions import version
from tests.rules.factory import subject

ACTOR, REF = derived.ACTOR, derived.REF
PACKED = {"actor_rollout_ref.model.use_remove_padding": "True"}
MEGATRON = {"model_engine": "megatron"}


@pytest.mark.parametrize(
    ("release", "numbers"),
    [("0.9.1", (0, 9, 1)), ("v0.8.0", (0, 8, 0)), ("0.10.0.dev", (0, 10, 0)), ("1.0rc1", (1, 0))],
)
def test_versions_compare_by_their_digits(release: str, numbers: tuple[int, ...]) -> None:
    assert version(release) == numbers


def test_data_parallel_ranks_are_devices_over_the_sequence_split() -> None:
    split = subject({**PACKED, f"{ACTOR}.ulysses_sequence_parallel_size": 4}, nodes=2)
    assert derived.data_parallel(split) == 4
    assert derived.data_parallel(split, "ref") == 4


def test_the_reference_follows_only_the_role_key_of_the_actor() -> None:
    split = subject({**PACKED, f"{ACTOR}.fsdp_config.ulysses_sequence_parallel_size": 4})
    assert derived.sequence_parallel(split) == 4
    assert derived.sequence_parallel(split, "ref") == 1


def test_the_critic_reads_the_key_of_its_engine_from_0_8_on() -> None:
    settings = {"algorithm.adv_estimator": "gae", "critic.ulysses_sequence_parallel_size": 2}
    assert derived.sequence_parallel(subject(settings, release="0.9.1"), "critic") == 1
    assert derived.sequence_parallel(subject(settings, release="0.7.1"), "critic") == 2


def test_megatron_divides_by_tensor_pipeline_and_context() -> None:
    sizes = {"tensor_model": 2, "pipeline_model": 2, "context": 2}
    launched = subject(
        {**MEGATRON, **{f"{ACTOR}.megatron.{name}_parallel_size": n for name, n in sizes.items()}}, nodes=2
    )
    assert derived.data_parallel(launched) == 2
    assert derived.sequence_parallel(launched) == 2


def test_experts_take_the_dense_tensor_size_when_their_own_is_null() -> None:
    launched = subject({**MEGATRON, f"{ACTOR}.megatron.tensor_model_parallel_size": 4})
    assert derived.expert_tensor_parallel(launched) == 4


@pytest.mark.parametrize(
    ("release", "settings", "expected"),
    [
        ("0.9.1", {}, "v1"),
        ("0.9.1", {"trainer.use_v1": "False"}, "v0"),
        ("0.8.0", {}, "v0"),
    ],
)
def test_the_trainer_generation(release: str, settings: dict[str, str], expected: str) -> None:
    assert derived.generation(subject(settings, release=release)) == expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"algorithm.adv_estimator": "gae"}, True),
        ({"algorithm.adv_estimator": "grpo"}, False),
        ({"algorithm.adv_estimator": "grpo", "critic.enable": "True"}, True),
    ],
)
def test_a_critic_is_built_for_gae_or_when_asked_for(settings: dict[str, str], expected: bool) -> None:
    assert derived.needs_critic(subject(settings)) is expected


def test_with_lora_the_actor_is_its_own_reference() -> None:
    settings = {f"{ACTOR}.use_kl_loss": "True"}
    assert derived.builds_reference(subject(settings)) is True
    assert derived.builds_reference(subject({**settings, "actor_rollout_ref.model.lora_rank": 32})) is False


def test_separate_async_has_a_pool_for_the_rollout() -> None:
    settings = {
        "trainer.v1.trainer_mode": "separate_async",
        "actor_rollout_ref.rollout.nnodes": 3,
        "actor_rollout_ref.rollout.n_gpus_per_node": 4,
    }
    assert derived.rollout_pool(subject(settings, nodes=1, devices=8)) == (3, 4)
    assert derived.rollout_pool(subject(nodes=2, devices=8)) == (2, 8)


def test_a_program_that_only_generates_trains_nothing() -> None:
    generating = subject(entry_point="verl.trainer.main_generation_server")
    assert not derived.trains(generating)
    assert derived.needs_critic(generating) is None
    assert derived.samples(generating) is None


def test_a_checkout_of_main_is_told_by_its_keys() -> None:
    launched = subject(release="0.9.0")
    assert derived.at_least(launched, "0.9.0")
    assert not derived.at_least(launched, "0.9.1")
