"""Without kernels for attention and loss, torch's own operators store what those never do."""

from __future__ import annotations

from lint.memory.inputs import MemoryInputs
from lint.memory.phases import moments
from lint.memory.terms import Component
from tests.memory.launches import ACTOR, inputs
from tests.rules.factory import subject

ATTENTION = "+actor_rollout_ref.model.override_config.attn_implementation"
PACKED: dict[str, object] = {
    "actor_rollout_ref.model.use_remove_padding": True,
    f"{ACTOR}.ppo_micro_batch_size_per_gpu": 1,
    f"{ACTOR}.strategy": "fsdp2",
}


def launch(
    settings: dict[str, object] | None = None,
    model: str = "Qwen3.5-9B",
    device: str = "h100",
    release: str = "0.9.1",
) -> MemoryInputs:
    return inputs(subject({**PACKED, **(settings or {})}, model=model, device=device, release=release), 4096)


def of_update(launched: MemoryInputs, component: Component) -> int:
    found = [moment for moment in moments(launched, "expected") if moment.phase == "update_actor"]
    return max(moment.components.get(component, 0) for moment in found)


def test_gpu_images_have_no_kernel_for_linear_attention_and_ascend_images_do() -> None:
    assert not launch().kernels.linear_attention
    assert any("flash-linear-attention" in line for line in launch().assumptions)
    assert launch(device="ascend-a3").kernels.linear_attention


def test_a_sequence_can_only_be_split_with_that_kernel() -> None:
    split: dict[str, object] = {f"{ACTOR}.ulysses_sequence_parallel_size": 2}
    assert launch(split).kernels.linear_attention
    assert not launch(split, release="0.8.0").kernels.linear_attention  # before 0.9.0 nothing asked for it


def test_other_models_need_none() -> None:
    assert launch(model="Qwen3-8B").kernels.linear_attention


def test_linear_attention_in_torch_takes_17500_bytes_for_each_token_and_value_head() -> None:
    without = launch()
    heads = without.model.linear_attention
    assert heads is not None
    tokens = without.actor.batches.expected.update_tokens
    more = of_update(without, "activations") - of_update(launch(device="ascend-a3"), "activations")
    assert more > 17500 * tokens * heads.value_heads  # and the Ascend image fuses other operators


def test_attention_of_torch_means_that_flash_attn_is_not_installed() -> None:
    with_it, without = launch(model="Qwen3-8B"), launch({ATTENTION: "sdpa"}, model="Qwen3-8B")
    assert with_it.kernels.cross_entropy
    assert not without.kernels.cross_entropy
    logits = without.actor.batches.expected.update_tokens * without.model.vocabulary_size
    assert of_update(without, "logits") - of_update(with_it, "logits") == 4 * logits


def test_the_environment_turns_off_the_cross_entropy_of_flash_attn_from_0_9_on() -> None:
    def kernel(release: str) -> bool:
        environment = {"VERL_DISABLE_FLASH_ATTN_CE": "1"}
        launched = subject(PACKED, model="Qwen3-8B", device="h100", release=release, environment=environment)
        return inputs(launched).kernels.cross_entropy

    assert not kernel("0.9.0")
    assert kernel("0.8.0")


def test_eager_attention_stores_the_scores_of_all_tokens_with_each_other() -> None:
    eager = launch({ATTENTION: "eager"}, model="Qwen3-8B")
    tokens = eager.actor.batches.expected.update_tokens
    scores = tokens**2 * eager.model.attention_heads
    more = of_update(eager, "activations") - of_update(launch(model="Qwen3-8B"), "activations")
    assert abs(more - 12.5 * scores) < 0.01 * scores


def test_padded_samples_are_scored_each_for_itself() -> None:
    padded: dict[str, object] = {"actor_rollout_ref.model.use_remove_padding": False}
    eager, flash = launch({**padded, ATTENTION: "eager"}, model="Qwen3-8B"), launch(padded, model="Qwen3-8B")
    batches = eager.actor.batches
    assert 0 < batches.update.padded < batches.expected.update_tokens
    scores = batches.expected.update_tokens * batches.update.padded * eager.model.attention_heads
    assert abs(of_update(eager, "activations") - of_update(flash, "activations") - 12.5 * scores) < 0.01 * scores


PADDED: dict[str, object] = {"actor_rollout_ref.model.use_remove_padding": False}
ENTROPY: dict[str, object] = {f"{ACTOR}.entropy_coeff": 0.001}
HOT: dict[str, object] = {"actor_rollout_ref.rollout.temperature": 0.8}


def bytes_per_logit(release: str, *settings: dict[str, object], device: str = "h100", model: str = "Qwen3-8B") -> float:
    """At the end of the model in a training step, without entropy in the loss unless the settings say so."""
    merged: dict[str, object] = {f"{ACTOR}.entropy_coeff": 0.0}
    for some in settings:
        merged.update(some)
    launched = launch(merged, model=model, device=device, release=release)
    logits = launched.actor.batches.expected.update_tokens * launched.model.vocabulary_size
    return of_update(launched, "logits") / logits


def test_padded_logits_are_sliced_by_the_workers_of_0_7_and_joined_by_the_engine() -> None:
    assert bytes_per_logit("0.7.1", PADDED) == 3  # the response's half, copied
    assert bytes_per_logit("0.8.0", PADDED) == bytes_per_logit("0.9.1", PADDED) == 6  # and a gradient of all samples
    assert bytes_per_logit("0.9.0", PADDED) == 6  # the scaled copy: in the forward pass only
    assert bytes_per_logit("0.9.0", PADDED, device="ascend-a3") == 8


def test_dividing_a_view_of_the_logits_in_place_takes_eight_bytes_of_each_before_0_9() -> None:
    assert bytes_per_logit("0.7.1") == bytes_per_logit("0.8.0") == 8
    assert bytes_per_logit("0.8.0", ENTROPY) == bytes_per_logit("0.8.0", device="ascend-a3") == 8
    assert bytes_per_logit("0.9.0") == bytes_per_logit("0.9.1", HOT) == 4  # divided into a copy
    assert bytes_per_logit("0.9.1") == 2  # a temperature of 1 divides nothing
    assert bytes_per_logit("0.9.0", device="ascend-a3") == 6


def test_what_logits_were_scaled_from_is_gone_when_entropy_and_loss_write_their_gradients() -> None:
    assert bytes_per_logit("0.9.0", ENTROPY) == bytes_per_logit("0.9.1", ENTROPY) == 6
    sdpa: dict[str, object] = {ATTENTION: "sdpa"}
    assert bytes_per_logit("0.9.0", ENTROPY, sdpa) == bytes_per_logit("0.9.1", ENTROPY, sdpa) == 8


def test_chunks_of_entropy_in_the_loss_are_all_kept_unless_they_are_compiled() -> None:
    chunks: dict[str, object] = {f"{ACTOR}.fsdp_config.entropy_from_logits_with_chunking": True, **ENTROPY}
    single: dict[str, object] = {**chunks, f"{ACTOR}.fsdp_config.entropy_from_logits_chunk_size": 1 << 20}
    assert bytes_per_logit("0.9.1", chunks) == 6
    assert bytes_per_logit("0.9.1", chunks, device="ascend-a3") == 16
    assert bytes_per_logit("0.9.1", single, device="ascend-a3") == 30
