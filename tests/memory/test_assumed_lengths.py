"""Where nobody says how long samples are, their length is spread as in other runs, and only where it matters."""

from __future__ import annotations

import pytest

from lint.memory.inputs import MemoryInputs
from lint.memory.lengths import usual_sequences
from lint.memory.phases import OF_LENGTHS, moments
from lint.memory.reading import read_inputs
from lint.memory.report import assumptions
from lint.memory.terms import Moment, Term
from lint.memory.verdict import predict
from tests.memory.launches import ACTOR, ROLLOUT, inputs
from tests.rules.factory import subject

COUNTED: dict[str, object] = {
    "data.train_files": "unheard-of.parquet",
    "data.train_batch_size": 128,
    "data.max_prompt_length": 1024,
    "data.max_response_length": 7168,
    f"{ACTOR}.ppo_mini_batch_size": 64,
    f"{ACTOR}.ppo_micro_batch_size_per_gpu": 8,
    f"{ROLLOUT}.log_prob_micro_batch_size_per_gpu": 8,
    f"{ROLLOUT}.name": "vllm",
    f"{ACTOR}.use_dynamic_bsz": False,
    f"{ROLLOUT}.log_prob_use_dynamic_bsz": False,
    "actor_rollout_ref.model.use_remove_padding": True,
}
FULL: dict[str, object] = {
    **COUNTED,
    f"{ROLLOUT}.n": 64,
    f"{ACTOR}.use_dynamic_bsz": True,
    f"{ACTOR}.ppo_max_token_len_per_gpu": 8192,
    f"{ROLLOUT}.log_prob_use_dynamic_bsz": True,
    f"{ROLLOUT}.log_prob_max_token_len_per_gpu": 8192,
}


def launched(values: dict[str, object], release: str = "0.9.1") -> MemoryInputs:
    return inputs(subject(values, device="h100", release=release))


def varied(found: MemoryInputs) -> set[str]:
    """The phases that are computed with several lengths."""
    return {moment.phase for moment in moments(found, "expected") if moment.others}


def spread(found: MemoryInputs) -> float:
    """Bytes of the update with the longest of these lengths over those with the shortest."""
    update = next(one for one in moments(found, "expected", "update_actor") if one.stage == "logits")
    sizes = [other.expected for other in update.others]
    return max(sizes) / min(sizes)


def test_a_number_of_samples_takes_what_their_length_makes_of_it() -> None:
    assert varied(launched(COUNTED)) == {"old_log_prob", "update_actor"}
    assert spread(launched(COUNTED)) > 2


def test_full_token_budgets_hold_about_the_same_whatever_the_length_is() -> None:
    assert spread(launched(FULL)) < 1.1


def test_samples_that_are_padded_to_the_limits_are_of_no_other_length() -> None:
    padded: dict[str, object] = {**COUNTED, "actor_rollout_ref.model.use_remove_padding": False}
    assert varied(launched(padded, "0.7.1")) == set()


def test_samples_that_are_padded_to_the_longest_vary_with_its_prompt_alone() -> None:
    padded: dict[str, object] = {**COUNTED, "actor_rollout_ref.model.use_remove_padding": False}
    assert 1.03 < spread(launched(padded)) < 1.15


def test_what_the_rollout_holds_does_not_depend_on_it() -> None:
    assert not varied(launched(COUNTED)) - set(OF_LENGTHS)


def test_a_length_that_is_given_is_the_only_one() -> None:
    given = read_inputs(subject(COUNTED, device="h100", release="0.9.1"), 4000)
    assert isinstance(given, MemoryInputs)
    assert varied(given) == set()


def test_the_chance_is_the_mean_over_the_lengths() -> None:
    def taking(size: int) -> Moment:
        return Moment("update_actor", "logits", (Term("logits", size),))

    moment = Moment("update_actor", "logits", (Term("logits", 20),), tuple(map(taking, (10, 15, 20, 30, 60))))
    assert [moment.exceeds(capacity) for capacity in (5, 25, 50, 100)] == [1.0, 0.4, 0.2, 0.0]
    assert moment.low == 10
    assert moment.expected < moment.high <= 60


@pytest.mark.parametrize("values", [COUNTED, FULL])
def test_rules_come_to_the_same_verdict_without_the_ranges(values: dict[str, object]) -> None:
    for release in ("0.7.1", "0.9.1"):
        found = launched(values, release)
        assert predict(found).probability == pytest.approx(predict(found, ranges=False).probability, abs=1e-3)


def ranged(values: dict[str, object]) -> set[str]:
    """The phases that rules compute with several lengths."""
    return {moment.phase for moment in predict(launched(values), ranges=False).moments if moment.others}


def test_rules_compute_the_phases_alone_that_the_longest_samples_could_fill() -> None:
    assert ranged(COUNTED) == set()
    assert ranged({**COUNTED, f"{ROLLOUT}.n": 8, f"{ACTOR}.ppo_micro_batch_size_per_gpu": 32}) == {"update_actor"}


def test_padded_samples_within_a_budget_may_take_most_where_they_are_short() -> None:
    padded = {**FULL, f"{ROLLOUT}.n": 1, "actor_rollout_ref.model.use_remove_padding": False}
    batches = launched(padded).actor.batches
    assert batches.expected.log_prob_tokens > batches.worst.log_prob_tokens  # several of them fill a budget together
    assert ranged(padded) >= {"old_log_prob", "update_actor"}


def test_the_output_says_what_the_assumption_changes() -> None:
    padded: dict[str, object] = {**COUNTED, "actor_rollout_ref.model.use_remove_padding": False}
    assert any(
        line.startswith("that length is assumed; with the others") and "update_actor" in line
        for line in assumptions(predict(launched(COUNTED)))
    )
    assert any("would change no phase" in line for line in assumptions(predict(launched(padded, "0.7.1"))))


@pytest.mark.parametrize(
    ("model", "thinks"),
    [
        ("Qwen/Qwen3-8B", True),
        ("Qwen/Qwen3-4B-Instruct-2507", False),
        ("Qwen/Qwen3-VL-8B-Thinking", True),
        ("Qwen/Qwen2.5-7B-Instruct", False),
    ],
)
def test_models_that_write_out_their_reasoning_write_longer_samples(model: str, thinks: bool) -> None:
    tokens, _, why = usual_sequences("gsm8k/train.parquet", model, 4096, 2048)
    assert tokens == (1284 if thinks else 360), why


@pytest.mark.parametrize("model", ["openai/gpt-oss-20b", "DeepSeek-R1-Distill-Qwen-7B"])
def test_how_much_models_of_another_family_than_the_measured_one_reason_is_not_known(model: str) -> None:
    """They may write as little as models that do not reason, or more than Qwen3."""
    tokens, possible, _ = usual_sequences("gsm8k/train.parquet", model, 4096, 2048)
    assert (tokens, possible) == (685, (304, 358, 685, 1252, 1560))


@pytest.mark.parametrize(
    ("model", "asked", "tokens"),
    [
        ("Qwen3-8B", {"+data.apply_chat_template_kwargs.enable_thinking": False}, 360),
        ("Qwen3-8B", {"+data.apply_chat_template_kwargs.enable_thinking": True}, 1284),
        ("gpt-oss-20b", {"+data.apply_chat_template_kwargs.reasoning_effort": "low"}, 360),
        ("gpt-oss-20b", {"+data.apply_chat_template_kwargs.reasoning_effort": "high"}, 685),
    ],
)
def test_a_script_may_tell_a_model_not_to_write_out_its_reasoning(
    model: str, asked: dict[str, object], tokens: int
) -> None:
    values = {**COUNTED, "data.train_files": "gsm8k/train.parquet", "actor_rollout_ref.model.path": model, **asked}
    assert inputs(subject(values, model=model, device="h100")).actor.batches.sequence == tokens
