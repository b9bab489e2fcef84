"""Lengths, budgets and contexts."""

from typing import Any

import pytest

from tests.rules.factory import findings, subject

A, R, F = "actor_rollout_ref.actor", "actor_rollout_ref.rollout", "actor_rollout_ref.ref"
LONG = {"data.max_prompt_length": 8192, "data.max_response_length": 32768}  # 40960 = the context of Qwen3
PACKED = {"actor_rollout_ref.model.use_remove_padding": "True"}


@pytest.mark.parametrize(
    ("rule", "overrides", "given", "severities"),
    [
        ("token-budget", {**LONG}, {}, ["error"]),
        ("token-budget", {**LONG, f"{A}.ppo_max_token_len_per_gpu": 40960}, {}, []),
        ("token-budget", {**LONG, f"{A}.use_dynamic_bsz": "False"}, {}, []),
        # the budget counts per device of a sequence; one token too few is too few
        (
            "token-budget",
            {**LONG, **PACKED, f"{A}.ppo_max_token_len_per_gpu": 5120, f"{A}.ulysses_sequence_parallel_size": 8},
            {},
            [],
        ),
        (
            "token-budget",
            {**LONG, **PACKED, f"{A}.ppo_max_token_len_per_gpu": 5119, f"{A}.ulysses_sequence_parallel_size": 8},
            {},
            ["error"],
        ),
        # the reference does not follow the engine's key: its split is 1 while the budget was made for 4
        (
            "token-budget",
            {
                **LONG,
                **PACKED,
                f"{A}.ppo_max_token_len_per_gpu": 10240,
                f"{A}.fsdp_config.ulysses_sequence_parallel_size": 4,
                f"{A}.use_kl_loss": "True",
            },
            {},
            ["error"],
        ),
        # no sequence is longer than the rollout's context
        ("token-budget", {**LONG, f"{R}.max_model_len": 16384}, {}, []),
        (
            "token-budget",
            {
                **LONG,
                "model_engine": "megatron",
                f"{A}.megatron.context_parallel_size": 4,
                f"{A}.ppo_max_token_len_per_gpu": 10240,
            },
            {},
            [],
        ),
        # the critic has its own budget, of which the key in the config is not told
        ("critic-token-budget", {**LONG, "algorithm.adv_estimator": "gae"}, {}, ["error"]),
        ("critic-token-budget", {**LONG}, {}, []),
        (
            "critic-token-budget",
            {**LONG, "algorithm.adv_estimator": "gae", "+critic.ppo_infer_max_token_len_per_gpu": 40960},
            {},
            [],
        ),
        (
            "critic-token-budget",
            {**LONG, "algorithm.adv_estimator": "gae", "critic.fsdp.ulysses_sequence_parallel_size": 2, **PACKED},
            {},
            [],
        ),
        ("max-model-len-short", {**LONG, f"{R}.max_model_len": 16384}, {}, ["warning"]),
        ("max-model-len-short", {**LONG, f"{R}.max_model_len": 8192}, {}, ["error"]),
        ("max-model-len-short", {**LONG, f"{R}.max_model_len": 40960}, {}, []),
        ("max-model-len-short", {**LONG, f"{R}.max_model_len": 40960, f"{R}.name": "sglang"}, {}, ["info"]),
        ("max-model-len-short", {**LONG}, {"model": "Qwen2.5-7B-Instruct"}, ["warning"]),
        ("max-model-len-short", {**LONG}, {"model": None}, []),
        ("max-model-len-exceeds-model", {f"{R}.max_model_len": 40961}, {}, ["error"]),
        ("max-model-len-exceeds-model", {f"{R}.max_model_len": 40960}, {}, []),
        (
            "max-model-len-exceeds-model",
            {
                f"{R}.max_model_len": 65536,
                "+actor_rollout_ref.model.override_config.max_position_embeddings": 65536,
            },
            {},
            [],
        ),
        ("batched-tokens-lt-seqs", {f"{R}.max_num_batched_tokens": 512}, {"release": "0.8.0"}, ["error"]),
        ("batched-tokens-lt-seqs", {f"{R}.max_num_batched_tokens": 512}, {"release": "0.9.1"}, []),
        ("batched-tokens-lt-model-len", {f"{R}.enable_chunked_prefill": "False"}, {}, ["error"]),
        ("batched-tokens-lt-model-len", {f"{R}.enable_chunked_prefill": "False"}, {"release": "0.9.0"}, ["info"]),
        (
            "batched-tokens-lt-model-len",
            {f"{R}.enable_chunked_prefill": "False", f"{R}.max_model_len": 2048},
            {},
            [],
        ),
        ("batched-tokens-lt-model-len", {f"{R}.max_num_batched_tokens": 512}, {"release": "0.6.1"}, ["error"]),
        (
            "batched-tokens-lt-model-len",
            {f"{R}.max_num_batched_tokens": 512, f"{R}.enable_chunked_prefill": "False"},
            {"release": "0.6.1"},
            ["error"],
        ),
        ("batched-tokens-lt-model-len", {f"{R}.enable_chunked_prefill": "False"}, {"release": "0.6.1"}, []),
        (
            "batched-tokens-lt-model-len",
            {f"{R}.max_num_batched_tokens": 512, f"{R}.mode": "async"},
            {"release": "0.6.1"},
            [],
        ),
        ("batched-tokens-lt-model-len", {f"{R}.max_num_batched_tokens": 512}, {"release": "0.7.1"}, []),
        ("kv-cache-one-request", {}, {"device": "ascend-a2"}, []),
        (
            "kv-cache-one-request",
            {f"{R}.gpu_memory_utilization": 0.6},
            {"device": "ascend-a2", "model": "Qwen3-30B-A3B-Instruct-2507"},
            ["error"],
        ),
        (
            "kv-cache-one-request",
            {f"{R}.gpu_memory_utilization": 0.6},
            {"model": "Qwen3-30B-A3B-Instruct-2507"},
            [],
        ),
        (
            "kv-cache-one-request",
            {f"{R}.gpu_memory_utilization": 0.6, f"{R}.data_parallel_size": "${oc.env:REPLICAS}"},
            {"device": "ascend-a2", "model": "Qwen3-30B-A3B-Instruct-2507"},
            [],  # the experts are divided by a number that is not known
        ),
        ("rollout-length-shadow", {f"{R}.response_length": 512}, {}, []),
        ("rollout-length-shadow", {f"{R}.response_length": 513}, {}, ["warning"]),
    ],
)
def test_lengths(rule: str, overrides: dict[str, object], given: dict[str, Any], severities: list[str]) -> None:
    assert [finding.severity for finding in findings(rule, subject(overrides, **given))] == severities


def test_the_older_reward_keys_count_where_verl_moves_them_over() -> None:
    older = "+reward_model.reward_kwargs"
    settings = {
        f"{older}.overlong_buffer_cfg.enable": "True",
        f"{older}.overlong_buffer_cfg.len": 256,
        "reward_model.reward_manager": "dapo",
    }
    for given, release, severities in (
        (settings, "0.8.0", ["error"]),
        ({**settings, f"{older}.max_resp_len": 512}, "0.8.0", []),
        (settings, "0.9.1", []),
    ):
        found = findings("overlong-buffer", subject(given, release=release))
        assert [finding.severity for finding in found] == severities


def test_one_override_that_decides_two_budgets_is_found_once() -> None:
    launched = subject({**LONG, f"{A}.ppo_max_token_len_per_gpu": 16384})
    (finding,) = findings("token-budget", launched)
    assert finding.message == (
        "update_actor: ppo_max_token_len_per_gpu 16384 x sequence split 1 = 16384 tokens, "
        "but a sequence may have 8192 + 32768 = 40960"
    )
    assert finding.help == f"set {A}.ppo_max_token_len_per_gpu to at least 40960"


def test_the_penalty_for_overlong_responses_needs_lengths_that_fit() -> None:
    buffer = "+reward.reward_kwargs.overlong_buffer_cfg"
    settings = {f"{buffer}.enable": "True", f"{buffer}.len": 256, "reward.reward_manager.name": "dapo"}
    limit = "+reward.reward_kwargs.max_resp_len"
    for given, severities in (
        (settings, ["error"]),
        ({**settings, limit: 128}, ["error"]),
        ({**settings, limit: 1024}, ["warning"]),
        ({**settings, limit: 512}, []),
        ({**settings, limit: 512, "reward.reward_manager.name": "naive"}, ["warning"]),
        ({**settings, f"{buffer}.enable": "False"}, []),
    ):
        assert [finding.severity for finding in findings("overlong-buffer", subject(given))] == severities
