"""Batch sizes: the same numbers are right or wrong depending on engine, trainer and release."""

from typing import Any

import pytest

from tests.rules.factory import findings, subject

A, R = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
STATIC = {
    f"{A}.use_dynamic_bsz": "False",
    f"{R}.log_prob_micro_batch_size_per_gpu": 1,
    f"{A}.ppo_micro_batch_size_per_gpu": 1,
}
INTERLEAVED = {
    **STATIC,
    "model_engine": "megatron",
    f"{A}.megatron.pipeline_model_parallel_size": 4,
    f"{A}.megatron.virtual_pipeline_model_parallel_size": 3,
    f"{A}.ppo_mini_batch_size": 64,
    f"{A}.ppo_micro_batch_size_per_gpu": 32,
}


@pytest.mark.parametrize(
    ("rule", "overrides", "given", "severities"),
    [
        # mini-batch over ranks
        ("mini-batch-dp-divisible", {f"{A}.ppo_mini_batch_size": 60}, {}, ["error"]),
        ("mini-batch-dp-divisible", {f"{A}.ppo_mini_batch_size": 60, f"{R}.n": 2}, {}, []),
        ("mini-batch-dp-divisible", {f"{A}.ppo_mini_batch_size": 60}, {"release": "0.7.1"}, ["warning"]),
        ("mini-batch-dp-divisible", {f"{A}.ppo_mini_batch_size": 60, "algorithm.adv_estimator": "gae"}, {}, ["error"]),
        ("mini-batch-dp-divisible", {f"{A}.ppo_mini_batch_size": "${oc.env:MINI}"}, {}, []),
        # micro-batches: 256 x 5 / 8 = 160 = 2 x 80
        (
            "mini-batch-micro-divisible",
            {**STATIC, f"{A}.ppo_mini_batch_size": 256, f"{R}.n": 5, f"{A}.ppo_micro_batch_size_per_gpu": 80},
            {},
            [],
        ),
        ("mini-batch-micro-divisible", {**STATIC, f"{A}.ppo_micro_batch_size_per_gpu": 64}, {}, ["error"]),
        ("mini-batch-micro-divisible", {f"{A}.ppo_micro_batch_size_per_gpu": 64}, {}, []),
        ("mini-batch-micro-divisible", {f"{A}.ppo_micro_batch_size_per_gpu": 64}, {"release": "0.7.1"}, ["error"]),
        # 64 / 2 / 32 = 1 micro-batch for groups of 4, the pipeline size
        ("vpp-micro-batch-count", INTERLEAVED, {}, ["error"]),
        (
            "vpp-micro-batch-count",
            {**INTERLEAVED, f"+{A}.megatron.override_transformer_config.microbatch_group_size_per_vp_stage": 6},
            {},
            [],
        ),
        # V0 asserts, V1 fills up
        ("train-batch-mini-multiple", {"data.train_batch_size": 384, "trainer.use_v1": "False"}, {}, ["error"]),
        ("train-batch-mini-multiple", {"data.train_batch_size": 384}, {}, ["warning"]),
        ("train-batch-mini-multiple", {"data.train_batch_size": 32}, {}, ["warning"]),
        ("train-batch-mini-multiple", {"data.train_batch_size": 32, **STATIC}, {}, []),  # mini-batch-gt-train-batch
        ("train-batch-mini-multiple", {"data.train_batch_size": 384}, {"release": "0.7.1"}, []),
        ("train-batch-mini-multiple", {"data.train_batch_size": 512}, {}, []),
        # static: all devices; dynamic: ranks, and only V0
        (
            "train-batch-divisible",
            {**STATIC, "data.train_batch_size": 260, f"{A}.ppo_mini_batch_size": 4},
            {},
            ["error"],
        ),
        ("train-batch-divisible", {"data.train_batch_size": 260}, {}, []),
        ("train-batch-divisible", {"data.train_batch_size": 260, "trainer.use_v1": "False"}, {}, ["error"]),
        # dynamic batches: the check at start is skipped, V1 fills up
        ("mini-batch-gt-train-batch", {"data.train_batch_size": 128}, {}, []),
        ("mini-batch-gt-train-batch", {"data.train_batch_size": 128, "trainer.use_v1": "False"}, {}, ["error"]),
        ("mini-batch-gt-train-batch", {**STATIC, "data.train_batch_size": 128}, {}, ["error"]),
        # log-probabilities of a V1 batch are computed for the rows it is filled up to: 96 -> 256 rows, 32 a rank
        (
            "logprob-micro-divisible",
            {**STATIC, "data.train_batch_size": 96, f"{R}.log_prob_micro_batch_size_per_gpu": 32},
            {},
            [],
        ),
        (
            "logprob-micro-divisible",
            {
                **STATIC,
                "data.train_batch_size": 96,
                f"{R}.log_prob_micro_batch_size_per_gpu": 32,
                "trainer.use_v1": "False",
            },
            {},
            ["error"],
        ),
        # agent loop workers
        ("agent-workers-divide-batch", {"data.train_batch_size": 4, "trainer.use_v1": "False"}, {}, ["error"]),
        ("agent-workers-divide-batch", {"data.train_batch_size": 4}, {}, []),
        ("agent-workers-divide-batch", {"data.train_batch_size": 4, f"{R}.n": 2}, {"release": "0.8.0"}, []),
        # the old key alone passes the check at start; the legacy workers read it
        (
            "micro-batch-missing",
            {**STATIC, f"{A}.ppo_micro_batch_size_per_gpu": "null", f"{A}.ppo_micro_batch_size": 8},
            {},
            ["error"],
        ),
        (
            "micro-batch-missing",
            {**STATIC, f"{A}.ppo_micro_batch_size_per_gpu": "null", f"{A}.ppo_micro_batch_size": 8},
            {"release": "0.7.1"},
            [],
        ),
        ("micro-batch-missing", {**STATIC, f"{A}.use_kl_loss": "True"}, {}, ["error"]),
        ("micro-batch-missing", STATIC, {"entry_point": "verl.trainer.main_generation_server"}, []),
        # the critic's key per device follows the old one
        (
            "micro-batch-both-set",
            {**STATIC, "algorithm.adv_estimator": "gae", "critic.ppo_micro_batch_size": 8},
            {},
            ["error"],
        ),
        ("micro-batch-both-set", {f"{A}.ppo_micro_batch_size": 8, f"{A}.ppo_micro_batch_size_per_gpu": 8}, {}, []),
        ("dynamic-bsz-mismatch", {f"{R}.log_prob_use_dynamic_bsz": "False"}, {}, ["error"]),
        ("dynamic-bsz-mismatch", {f"{R}.log_prob_use_dynamic_bsz": "False"}, {"release": "0.7.1"}, []),
        ("unused-batch-size", {f"{A}.ppo_micro_batch_size_per_gpu": 8}, {}, ["info"]),
        ("unused-batch-size", {**STATIC, f"{A}.ppo_max_token_len_per_gpu": 8192}, {}, ["info"]),
        ("unused-batch-size", {f"{A}.ppo_max_token_len_per_gpu": 8192}, {}, []),
        ("gen-batch-multiple", {"data.gen_batch_size": 96}, {}, ["error"]),
        ("gen-batch-multiple", {"data.gen_batch_size": 96, "algorithm.filter_groups.enable": "True"}, {}, []),
        ("gen-batch-multiple", {"data.gen_batch_size": 96, "trainer.v1.trainer_mode": "colocate_async"}, {}, []),
    ],
)
def test_batch_sizes(rule: str, overrides: dict[str, object], given: dict[str, Any], severities: list[str]) -> None:
    assert [finding.severity for finding in findings(rule, subject(overrides, **given))] == severities


def test_the_message_does_the_arithmetic_and_names_the_nearest_sizes() -> None:
    (finding,) = findings(
        "mini-batch-dp-divisible", subject({f"{A}.ppo_mini_batch_size": 100, f"{R}.n": 5}, nodes=8, devices=8)
    )
    assert finding.message == (
        "actor ppo_mini_batch_size 100 x n 5 = 500 responses over 64 data parallel ranks (64 devices) leaves 52"
    )
    assert finding.help == f"set {A}.ppo_mini_batch_size to a multiple of 64: 64 or 128"


def test_a_finding_stands_where_the_size_is_decided() -> None:
    launched = subject({"critic.enable": "True", f"{A}.ppo_mini_batch_size": 60})
    (finding,) = findings("mini-batch-dp-divisible", launched)
    source = launched.sources[finding.span.path]
    assert source.text[finding.span.start : finding.span.end] == f"{A}.ppo_mini_batch_size=60"


def test_sizes_that_are_not_read_are_told_apart_by_role() -> None:
    keys = (f"{A}.ppo_micro_batch_size_per_gpu", f"{R}.log_prob_micro_batch_size_per_gpu")
    (finding,) = findings("unused-batch-size", subject(dict.fromkeys(keys, 2)))
    assert "actor.ppo_micro_batch_size_per_gpu 2, rollout.log_prob_micro_batch_size_per_gpu 2" in finding.message
    assert finding.help is not None
    assert finding.help.endswith("count instead")


def test_the_most_agent_workers_that_divide_the_batch_are_advised() -> None:
    (finding,) = findings(
        "agent-workers-divide-batch", subject({"data.train_batch_size": 14, "trainer.use_v1": "False"})
    )
    assert finding.help == f"add {R}.agent.num_workers=7"


def test_what_is_refused_is_not_filled_up() -> None:
    refused = {
        "data.train_batch_size": 12,
        "actor_rollout_ref.actor.ppo_mini_batch_size": 12,
        "actor_rollout_ref.rollout.n": 1,
        "actor_rollout_ref.actor.use_dynamic_bsz": False,
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": 1,
    }
    launched = subject(refused)
    assert findings("train-batch-divisible", launched)
    assert not findings("train-batch-mini-multiple", launched)


def test_the_padding_of_a_part_names_the_parts() -> None:
    launched = subject(
        {
            "trainer.v1.trainer_mode": "separate_async",
            "data.train_batch_size": 32,
            "actor_rollout_ref.rollout.n": 8,
            "actor_rollout_ref.actor.ppo_mini_batch_size": 16,
        }
    )
    (finding,) = findings("train-batch-mini-multiple", launched)
    assert "x n 8 / parameter_sync_step 4 (default): the 64 rows" in finding.message
    assert finding.help == "use a data.train_batch_size of 64"
