"""The memory rules: what needs no calibration is an error, a risk is a warning, unknown ground says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from lint.findings import Finding
from lint.memory.checks import apart
from lint.memory.terms import GIB, Moment
from lint.rules.registry import load
from lint.subject.subject import Subject
from tests.memory.launches import ACTOR, BEFORE, ROLLOUT, story
from tests.rules.factory import findings, subject

SHARE, SPLIT = f"{ROLLOUT}.gpu_memory_utilization", f"{ROLLOUT}.tensor_model_parallel_size"
OFFLOAD = {f"{ACTOR}.fsdp_config.param_offload": True, f"{ACTOR}.fsdp_config.optimizer_offload": True}
BUCKET = f"{ROLLOUT}.checkpoint_engine.update_weights_bucket_megabytes"
FOUR_GIB = {BUCKET: 4096}


def with_options(rule: str, launched: Subject, options: Mapping[str, object]) -> list[Finding]:
    chosen = load(rule)
    return list(chosen.check(replace(launched, options={**chosen.options, **options})))


# ------------------------------------------------------------------------------------------------- unknown ground


@pytest.mark.parametrize("rule", ["device-memory", "host-memory", "kv-cache-too-small", "memory-utilization-ceiling"])
def test_without_a_model_or_a_device_nothing_is_said(rule: str) -> None:
    assert findings(rule, subject({SHARE: 0.95}, device=None)) == []
    assert findings(rule, subject({SHARE: 0.95}, model=None, device="ascend-a2")) == []


def test_an_engine_that_is_not_modelled_is_not_judged() -> None:
    refused = {"model_engine": "torchtitan", "actor_rollout_ref.actor.torchtitan.pipeline_parallel_size": 2}
    launched = subject(refused, model="Qwen3-235B-A22B", device="ascend-a2")
    assert findings("device-memory", launched) == []


# ---------------------------------------------------------------------------------------------------- device-memory


def test_rollout_weights_above_their_share_are_an_error() -> None:
    launched = subject({**OFFLOAD, SPLIT: 2, SHARE: 0.4}, model="Qwen2.5-72B", device="h100", nodes=16)
    (error,) = [one for one in findings("device-memory", launched) if one.severity == "error"]
    assert (error.phase, error.key) == ("init", SHARE)
    assert "init needs 67.7 GiB per device, the rollout's share has 31.7 GiB" in error.message


def test_buckets_that_fill_the_device_are_told_where_their_size_is_written() -> None:
    launched = subject({**OFFLOAD, SPLIT: 2, SHARE: 0.5, BUCKET: 4096 << 20}, device="ascend-a2")  # bytes, not MiB
    (finding,) = findings("device-memory", launched)
    assert (finding.phase, finding.key) == ("update_weights", BUCKET)
    assert "with update_weights_bucket_megabytes 4294967296 and tensor_model_parallel_size 2" in finding.message


def test_states_that_do_not_fit_the_devices_are_an_error() -> None:
    launched = subject({**OFFLOAD, SPLIT: 8, SHARE: 0.4}, model="Qwen2.5-72B", device="h100")
    errors = [one for one in findings("device-memory", launched) if one.severity == "error"]
    (static,) = [one for one in errors if one.phase == "update_actor"]
    # 72.7 billion x (4 parameters + 4 gradients + 8 moments) bytes over 8 devices
    assert "update_actor needs 135.4 GiB per device, h100 has 79.2 GiB" in static.message


def test_what_trainer_and_rollout_keep_together_is_an_error() -> None:
    launched = subject({SHARE: 0.85, SPLIT: 2}, model="Qwen3-14B", device="h100")
    (error,) = [one for one in findings("device-memory", launched) if one.severity == "error"]
    assert error.phase == "generate"
    assert "0.85 x 79.2 GiB for the rollout and 20.6 GiB that the trainer keeps" in error.message


def test_sizes_that_look_the_same_get_a_digit_more() -> None:
    assert apart(61.02 * GIB, 60.96 * GIB) == ("61.02 GiB", "60.96 GiB")
    assert apart(62 * GIB, 61 * GIB) == ("62.0 GiB", "61.0 GiB")


def test_a_share_that_fits_is_named_where_no_other_change_helps() -> None:
    kept = {f"{ACTOR}.fsdp_config.optimizer_offload": False}
    launched = subject({**OFFLOAD, **FOUR_GIB, **kept, SHARE: 0.95}, device="ascend-a2")
    (error,) = [one for one in findings("device-memory", launched) if one.severity == "error"]
    assert error.help == f"write {SHARE}=0.8 or less"


def test_offload_ends_it() -> None:
    launched = subject({**OFFLOAD, SHARE: 0.85, SPLIT: 2}, model="Qwen3-14B", device="h100")
    assert findings("device-memory", launched) == []


def test_megatron_that_cannot_wrap_its_model_fails_at_init() -> None:
    launched = subject(
        {"model_engine": "megatron", f"{ACTOR}.megatron.param_offload": True},
        model="Qwen3-30B-A3B",
        device="ascend-a2",
    )
    (error,) = [one for one in findings("device-memory", launched) if one.phase == "init"]
    assert error.severity == "error"
    assert "x (2 + 2 + 4) bytes" in error.message


def test_a_name_that_only_resembles_a_model_lowers_the_confidence() -> None:
    launched = subject({**OFFLOAD, SPLIT: 2, SHARE: 0.4}, model="Qwen2.5-72B-mine", device="h100", nodes=16)
    (error,) = [one for one in findings("device-memory", launched) if one.severity == "error"]
    assert error.confidence == "medium"


def test_a_risk_names_what_packs_the_phase() -> None:
    """Eager entropy on NPU: 18 bytes per logit of 24 x 1284 tokens x 151936."""
    launched = subject(
        {
            **OFFLOAD,
            **FOUR_GIB,
            "data.max_prompt_length": 2048,
            "data.max_response_length": 2048,
            f"{ACTOR}.use_dynamic_bsz": "False",
            f"{ACTOR}.ppo_micro_batch_size_per_gpu": 1,
            f"{ROLLOUT}.log_prob_micro_batch_size_per_gpu": 24,
            f"{ROLLOUT}.tensor_model_parallel_size": 2,
            "data.train_files": "gsm8k.parquet",
            "actor_rollout_ref.model.path": "Qwen/Qwen3-8B",
        },
        device="ascend-a2",
    )
    (risk,) = findings("device-memory", launched)
    assert (risk.severity, risk.phase) == ("warning", "old_log_prob")
    assert risk.key == f"{ROLLOUT}.log_prob_micro_batch_size_per_gpu"
    assert risk.help is not None
    assert "entropy_from_logits_with_chunking=True" in risk.help


def with_chance(monkeypatch: pytest.MonkeyPatch, phase: str, chance: float) -> list[Finding]:
    """What is found if one phase exceeds the device with this chance, however much of it the rollout may fill."""

    def exceeds(moment: Moment, capacity: int) -> float:
        pools = moment.components.get("kv_cache", 0) > 12 * GIB
        return chance if moment.phase == phase and (pools or phase != "generate") else 0.0

    monkeypatch.setattr(Moment, "exceeds", exceeds)
    launched = subject({**OFFLOAD, SHARE: 0.6, SPLIT: 1}, device="ascend-a2")
    return [*findings("device-memory", launched), *findings("memory-utilization-ceiling", launched)]


@pytest.mark.parametrize(
    ("chance", "severity"), [(0.97, "warning"), (0.05, "warning"), (0.049, "info"), (0.02, "info")]
)
@pytest.mark.parametrize("phase", ["generate", "update_actor"])
def test_how_much_is_made_of_a_risk_is_a_matter_of_its_chance(
    monkeypatch: pytest.MonkeyPatch, phase: str, chance: float, severity: str
) -> None:
    (found,) = with_chance(monkeypatch, phase, chance)
    assert (found.rule, found.severity) == (
        "memory-utilization-ceiling" if phase == "generate" else "device-memory",
        severity,
    )


def test_below_the_least_chance_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert with_chance(monkeypatch, "update_actor", 0.019) == []
    assert with_chance(monkeypatch, "generate", 0.019) == []


# -------------------------------------------------------------------------------------- memory-utilization-ceiling


def test_a_team_sets_ceilings_by_model_size() -> None:
    table = {"ceilings": {"8B": 0.85, "80B": 0.6}}
    (finding,) = with_options("memory-utilization-ceiling", story(BEFORE), table)
    assert finding.message == "gpu_memory_utilization 0.8 is above 0.6 (the settings allow models up to 80B 0.6)"
    assert finding.help == f"write {SHARE}=0.6 or less"


def test_the_smallest_fitting_size_of_the_table_counts() -> None:
    table = {"ceilings": {"8B": 0.85, "80B": 0.6}}
    small = subject({SHARE: 0.8}, device="ascend-a2")  # Qwen3-8B has 8.19 billion parameters
    assert with_options("memory-utilization-ceiling", small, table) == []


def test_a_model_above_every_size_of_the_table_is_not_judged_by_it() -> None:
    assert with_options("memory-utilization-ceiling", story(BEFORE), {"ceilings": {"8B": 0.5}}) == []


def test_without_a_table_the_ceiling_is_derived_and_says_from_what() -> None:
    launched = subject({**OFFLOAD, **FOUR_GIB, SHARE: 0.95, SPLIT: 2}, device="ascend-a2")
    (finding,) = findings("memory-utilization-ceiling", launched)
    assert "derived from" in finding.message
    assert "outside torch" in finding.message
    assert finding.phase == "generate"


@pytest.mark.parametrize(
    ("share", "advice"), [(80, [f"write {SHARE}=0.8"]), (-1, ["write a number above 0 and up to 1"]), (1.0, [])]
)
def test_a_percentage_is_no_share(share: float, advice: list[str]) -> None:
    launched = subject({**OFFLOAD, **FOUR_GIB, SHARE: share, SPLIT: 2}, device="ascend-a2")
    assert [one.help for one in findings("utilization-not-a-share", launched)] == advice
    assert findings("device-memory", launched) == []


def test_a_share_that_is_measured_to_work_is_below_it() -> None:
    """Qwen3-8B PPO runs nightly with 0.9 on 910B (verl-ascend-recipe baseline/a2)."""
    launched = subject({**OFFLOAD, **FOUR_GIB, SHARE: 0.9, SPLIT: 1, f"{ROLLOUT}.max_num_seqs": 64}, device="ascend-a2")
    assert findings("memory-utilization-ceiling", launched) == []


def test_a_share_between_two_steps_of_the_ceiling_is_fine_where_it_is_safe() -> None:
    def said(share: float) -> list[Finding]:
        launched = subject({**OFFLOAD, **FOUR_GIB, SHARE: share, SPLIT: 2}, device="ascend-a2")
        return findings("memory-utilization-ceiling", launched)

    assert said(0.92) == []  # exceeds the device with 1 %
    assert len(said(0.95)) == 1  # with 18 %


# ------------------------------------------------------------------------------------------------------ host-memory


def test_the_team_states_the_memory_of_its_nodes() -> None:
    assert findings("host-memory", story(BEFORE)) == []  # the memory of an Ascend node is not known
    (finding,) = with_options("host-memory", story(BEFORE), {"host_memory_gib": 768})
    assert finding.severity == "error"  # 780 GiB of offloaded tensors alone
    assert "one node needs 980.4 GiB of host memory, it has 768.0 GiB: rollout weights 595" in finding.message
    (finding,) = with_options("host-memory", story(BEFORE), {"host_memory_gib": 900})
    assert finding.severity == "warning"  # only with the processes
    assert with_options("host-memory", story(BEFORE), {"host_memory_gib": 1024}) == []


# ----------------------------------------------------------------------------------------------- kv-cache-too-small


def test_a_teacher_whose_weights_leave_nothing() -> None:
    teacher = "distillation.teacher_models.teacher_model"
    launched = subject(
        {
            "distillation.enabled": True,
            "distillation.n_gpus_per_node": 4,
            f"{teacher}.model_path": "Qwen/Qwen3-32B",
            f"{teacher}.inference.name": "vllm",
            f"{teacher}.inference.tensor_model_parallel_size": 2,
            f"{teacher}.inference.gpu_memory_utilization": 0.4,
        },
        model="Qwen3-8B",
        device="h100",
    )
    (finding,) = findings("kv-cache-too-small", launched)
    assert finding.message.startswith("the kv cache of the teacher holds a sequence of 0 tokens")
    assert f"write {teacher}.inference.tensor_model_parallel_size=4" in (finding.help or "")


def test_a_cache_for_less_than_one_sequence() -> None:
    launched = story({**BEFORE, SHARE: 0.65, f"{ROLLOUT}.max_num_batched_tokens": 22528})
    (finding,) = findings("kv-cache-too-small", launched)
    assert finding.message.startswith("the kv cache of the rollout holds a sequence of 0 tokens, one has up to 22528")
    assert "weights 37.2 GiB - activations" in finding.message
