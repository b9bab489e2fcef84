"""The model against published measurements, each error pinned: a change that worsens one must say why."""

from __future__ import annotations

import pytest

from lint.memory.calibration.labels import labels, undecidable_labels, workflow_labels
from lint.memory.calibration.measured import comparisons

LARGEST_ERROR = {  # per cent, of prediction over measurement
    "gspo-qwen3-8b": 1.1,
    "gspo-qwen3-8b-deferred": -0.2,
    "ppo-qwen3-8b": 3.0,
    "grpo-qwen3-vl-8b": -5.4,
    "lora-qwen3-8b": -0.3,
    "gmpo-qwen2.5-7b": 0.0,
    "dppo-qwen3-30b": 0.0,
    "r3-qwen3-30b": 0.0,
    "mtp-mimo-7b": -4.1,
    "dapo-moonlight-16b": -1.2,
    "gspo-qwen3-30b": -1.8,
    "grpo-qwen3-30b-sglang": 0.8,
    "grpo-deepseek-v3": -1.2,
    "host-deepseek-v3": -6.4,
    "weights-qwen3-next-tp4": -0.2,
    "weights-qwen3-next-tp8": -0.2,
    "weights-qwen3-30b": 0.0,
    "weights-llama-8b-tp1": 0.0,
    "weights-llama-8b-tp2": 0.0,
    "kv-qwen3-235b": 1.1,
    "kv-qwen3-next": -0.4,
    "device-qwen3-next": 4.5,
    "sapo-30b-micro-1": 4.1,
    "sapo-30b-micro-2": 2.1,
    "sapo-30b-dynamic": 2.5,
    "sapo-30b-8": 3.2,
    "one-step-qwen3.5-4b-l20": -7.2,
    "ppo-qwen2.5-0.5b-4090": 0.2,
    "ppo-qwen2.5-0.5b-4090-4": 0.4,
    "ifrlvr-qwen3-1.7b": 1.6,
}
ROWS = {row.name: row for row in comparisons()}
LABELS = {label.name: label for label in labels()}
WORKFLOWS = workflow_labels()


def test_every_row_has_a_pin() -> None:
    assert set(ROWS) == set(LARGEST_ERROR)


@pytest.mark.parametrize("name", LARGEST_ERROR)
def test_a_row_is_predicted_as_closely_as_before(name: str) -> None:
    assert 100 * ROWS[name].error == pytest.approx(LARGEST_ERROR[name], abs=0.1)


def test_blind_rows_are_within_three_per_cent_on_average() -> None:
    blind = [abs(row.error) for row in ROWS.values() if row.tag == "B"]
    assert len(blind) == 18
    assert sum(blind) / len(blind) < 0.03


def missed(*, blind: bool) -> set[str]:
    return {name for name, label in LABELS.items() if label.blind is blind and label.failed and not label.flagged}


def alarms(*, blind: bool, at_limit: bool) -> set[str]:
    chosen = (label for label in LABELS.values() if label.blind is blind and label.at_limit is at_limit)
    return {label.name for label in chosen if not label.failed and label.flagged}


def count(*, blind: bool, failed: bool) -> int:
    return sum(label.blind is blind and label.failed is failed for label in LABELS.values())


def test_thirty_four_of_forty_one_failures_that_were_looked_at_are_found() -> None:
    assert count(blind=False, failed=True) == 41
    long_samples = {"oom-35b-h200-sp2", "oom-35b-h200-sp4"}
    asynchronous = {"oom-async-76dc", "oom-async-6b62"}
    others = {"oom-2865", "oom-14b-40g-tp8", "oom-vl-235b-a100"}
    assert missed(blind=False) == long_samples | asynchronous | others


def test_of_those_that_worked_twelve_are_flagged_beside_launches_at_their_limit() -> None:
    """Thirteen were blind until they showed what the engines of older code do, or that they were miswritten."""
    assert count(blind=False, failed=False) == 95
    others = {"works-qwen3.5-27b-16", "practice-30b-21", "works-vl-235b-0.97", "works-9b-h200-4"}
    older = {"works-azr-7b", "works-azr-14b", "works-deepscaler-1.5b-8k", "works-luffy-7b", "works-one-shot-1.5b"}
    others |= {"works-multiturn-vl-3b-8", "works-sdar-search-3b", "works-simplerl-7b"}
    assert alarms(blind=False, at_limit=False) == others | older
    lora = {"works-lora-14b", "works-lora-32b", "works-lora-0.5b", "works-lora-1.5b", "works-35b-lora-layered"}
    tuned = {"works-7b-h800", "works-14b-h800", "works-72b-h800", "works-searchr1-grpo-7b", "works-tinyzero-4090"}
    assert alarms(blind=False, at_limit=True) == lora | tuned


def test_forty_five_of_fifty_three_blind_failures_are_found() -> None:
    """Those that were missed are what is looked at next, so this share is no estimate: first looks are."""
    assert count(blind=True, failed=True) == 53
    apart = {"oom-fully-async-7041", "oom-fully-async-6784", "oom-fully-async-5791"}
    megatron = {"oom-nightly-qwen3-30b-r3", "oom-235b-npu-65ee", "oom-1649-0.6"}
    assert missed(blind=True) == apart | megatron | {"oom-3090-unfused", "practice-grpo-7b-5"}


def test_of_the_blind_launches_that_worked_twelve_are_flagged_beside_three_at_their_limit() -> None:
    assert count(blind=True, failed=False) == 106
    others = {"works-4090-quickstart-1", "works-slides-16k", "works-tulu-32768", "works-tau2-offload"}
    others |= {"works-colocate-7d65", "works-swe-4b-lora-4090"}
    older = {"works-azr-3b", "works-rl-factory-4b", "works-rl-factory-8b", "works-torl-8192", "works-30b-96gb-4"}
    older |= {"works-dapo-30b-single-node"}
    assert alarms(blind=True, at_limit=False) == others | older
    assert all(LABELS[name].older for name in older)
    bench = {"works-bench-4b-colocate", "works-bench-4b-apart-4-4", "works-bench-4b-apart-2-6"}
    assert alarms(blind=True, at_limit=True) == bench


def test_of_code_that_is_read_four_failures_in_five_are_found_and_one_success_in_ten_is_flagged() -> None:
    """Older code is read with the keys of 0.6.1, and by what it does as far as that is known (`code` of a row)."""
    read = [label for label in LABELS.values() if not label.older]
    failed = [label for label in read if label.failed]
    worked = [label for label in read if not label.failed and not label.at_limit]
    assert (sum(label.flagged for label in failed), len(failed)) == (56, 69)
    assert (sum(label.flagged for label in worked), len(worked)) == (10, 110)


def test_seventeen_launches_are_not_decided_by_their_scripts() -> None:
    """They are counted apart, whatever the model says of them."""
    assert {one.name: one.flagged for one in undecidable_labels()} == {
        "oom-vl-32b-2459": False,
        "oom-sft-vl-2b": True,
        "oom-colocate-7d65": False,
        "oom-3124": False,
        "works-32b-h20-megatron": False,
        "oom-async-bb27": False,
        "works-fully-async-6784": False,
        "oom-bench-9b-resident": False,
        "works-bench-b200-27b": True,
        "works-bench-b200-4b-65k": True,
        "oom-lightllm-32768": True,
        "oom-lightllm-40960": True,
        "works-lightllm-20480": True,
        "oom-l20-4b-ppo-12": False,
        "oom-drgrpo-65536": True,
        "oom-5137-0.85": True,
        "works-5137-0.6": True,
    }
    assert all(one.undecidable for one in undecidable_labels())


def test_six_launches_of_workflows_are_flagged_five_of_which_were_looked_at() -> None:
    """165 were first looked at, 19 of them flagged; see lint/memory/README.md for what was wrong."""
    assert len(WORKFLOWS) == 157
    assert sum(not label.blind for label in WORKFLOWS) == 19
    assert {label.name for label in WORKFLOWS if label.flagged} == {
        "1dda039b9-e2e_ppo_trainer_megatron_vllm_2-323",
        "v0.7.1-e2e_ppo_grpo_trainer_trtllm-239",
        "v0.7.1-e2e_ppo_trainer_megatron_vllm_2-285",
        "v0.6.1-e2e_ppo_trainer_megatron_vllm_2-385",
        "v0.6.1-e2e_ppo_trainer_megatron_sglang_2-168",
        "v0.6.1-e2e_ppo_trainer_megatron_vllm_2-202",
    }


def test_no_launch_of_a_workflow_fails_a_check_or_is_called_certain_to_fail() -> None:
    assert max(label.probability for label in WORKFLOWS) < 0.55


def test_all_that_is_called_certain_did_fail() -> None:
    assert {label.name for label in LABELS.values() if label.probability >= 0.95 and not label.failed} == set()


def test_an_engine_that_somebody_served_has_no_trainer_beside_it() -> None:
    alone = [label for label in LABELS.values() if label.group == "engine alone"]
    assert len(alone) == 9
    terms = [term for label in alone for term in label.moment.terms]
    assert {term.component for term in terms}.isdisjoint({"parameters", "optimizer", "gradients"})
    assert not any("trainer" in term.note for term in terms)
