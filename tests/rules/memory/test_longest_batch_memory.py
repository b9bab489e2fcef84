"""What is said of micro-batches of the longest samples, and when nothing is."""

from __future__ import annotations

import re

import pytest

from lint.findings import Finding
from lint.memory.phases import fullest, moments
from lint.memory.verdict import with_length
from lint.rules.memory import longest_batch_memory
from tests.memory.launches import ACTOR, ROLLOUT, inputs
from tests.rules.factory import findings, subject

LONG: dict[str, object] = {
    "data.train_files": "gsm8k.parquet",
    "data.train_batch_size": 128,
    "data.max_prompt_length": 1024,
    "data.max_response_length": 15360,
    "actor_rollout_ref.model.use_remove_padding": True,
    f"{ACTOR}.use_dynamic_bsz": "False",
    f"{ACTOR}.ppo_mini_batch_size": 128,
    f"{ACTOR}.ppo_micro_batch_size_per_gpu": 16,
    f"{ACTOR}.fsdp_config.param_offload": True,
    f"{ACTOR}.fsdp_config.optimizer_offload": True,
    f"{ROLLOUT}.log_prob_micro_batch_size_per_gpu": 2,
}


def found(**more: object) -> list[Finding]:
    return findings("longest-batch-memory", subject({**LONG, **more}, model="Qwen2.5-7B", device="h100"))


def test_the_length_it_names_is_where_the_phase_stops_to_fit() -> None:
    (said,) = found()
    assert (said.severity, said.phase, said.key) == ("info", "update_actor", "data.max_response_length")
    stated = re.search(r"fail from about (\d+) on", said.message)
    assert stated is not None
    launched = inputs(subject(LONG, model="Qwen2.5-7B", device="h100"))

    def expected(tokens: int) -> int:
        return fullest(moments(with_length(launched, tokens), "expected"), "update_actor").expected

    breaking = int(stated.group(1))
    assert expected(breaking) > launched.device.memory_bytes > expected(round(0.9 * breaking))


def test_with_what_it_offers_the_longest_samples_fit() -> None:
    eight = {f"{ACTOR}.ppo_micro_batch_size_per_gpu": 8}
    (said,) = found(**eight)
    assert said.help is not None
    assert said.help.startswith(f"write {ACTOR}.ppo_micro_batch_size_per_gpu=4, and the longest samples fit")
    assert found(**{**eight, f"{ACTOR}.ppo_micro_batch_size_per_gpu": 4}) == []


def test_nothing_is_said_where_the_longest_fit_or_the_expected_do_not() -> None:
    assert found(**{f"{ACTOR}.ppo_micro_batch_size_per_gpu": 1}) == []
    crowded = {f"{ACTOR}.fsdp_config.fsdp_size": 1, f"{ACTOR}.fsdp_config.param_offload": False}
    assert found(**crowded) == []
    assert findings("device-memory", subject({**LONG, **crowded}, model="Qwen2.5-7B", device="h100"))


def test_no_length_is_named_where_only_the_limit_itself_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longest_batch_memory, "breaking_length", lambda inputs, phase: inputs.actor.batches.longest)
    (said,) = found(**{"data.train_files": "geo3k.parquet"})
    assert said.message.endswith("it is expected to fail where all are that long")


def test_nothing_is_said_of_a_length_that_short_prompts_do_not_reach() -> None:
    """A question of GSM8K has about 105 tokens: a limit of 15,360 on prompts makes no sample longer."""
    limits = {"data.max_prompt_length": 15360, "data.max_response_length": 1024}
    (said,) = found(**limits, **{"data.train_files": "geo3k.parquet"})  # prompts of any length
    assert re.search(r"from about \d{4,} on", said.message)
    assert found(**limits) == []
