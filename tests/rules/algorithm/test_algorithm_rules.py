"""Estimators, losses, KL and correction."""

from dataclasses import replace
from typing import Any

import pytest

from lint.schema.load import load
from tests.rules.factory import findings, subject

A, R = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
CORRECTION, FILTER = "algorithm.rollout_correction", "algorithm.filter_groups"


@pytest.mark.parametrize(
    ("rule", "overrides", "given", "severities"),
    [
        ("group-of-one", {}, {}, ["warning"]),
        ("group-of-one", {"algorithm.adv_estimator": "grpo_passk"}, {}, ["error"]),
        ("group-of-one", {"algorithm.adv_estimator": "reinforce_plus_plus"}, {}, []),
        ("group-of-one", {"distillation.enabled": "True"}, {}, []),
        ("group-of-one", {f"{R}.n": 8}, {}, []),
        ("group-of-one", {f"+{R}.n_agent": 5}, {}, []),
        ("group-of-one", {"+agent_grpo.n": 2}, {}, []),
        ("clip-ratio-shadowed", {f"{A}.clip_ratio": 0.2}, {}, []),
        ("clip-ratio-shadowed", {f"{A}.clip_ratio": 0.1, f"{A}.clip_ratio_low": 0.1}, {}, ["warning"]),
        ("clip-ratio-shadowed", {f"{A}.clip_ratio_low": 0.28, f"{A}.clip_ratio_high": 0.2}, {}, ["warning"]),
        ("clip-ratio-shadowed", {f"{A}.clip_ratio_low": 0.2, f"{A}.clip_ratio_high": 0.28}, {}, []),
        ("clip-ratio-shadowed", {f"{A}.clip_ratio_low": 10, f"{A}.clip_ratio_high": 0.2}, {}, []),
        ("gspo-settings", {f"{A}.clip_ratio_high": 0.2}, {}, []),
        (
            "gspo-settings",
            {f"{A}.policy_loss.loss_mode": "gspo", f"{A}.clip_ratio_high": 0.0004, f"{A}.loss_agg_mode": "token-mean"},
            {"release": "0.9.0"},
            ["info"],
        ),
        (
            "gspo-settings",
            {f"{A}.policy_loss.loss_mode": "gspo", f"{A}.clip_ratio_high": 0.0004, f"{A}.loss_agg_mode": "token-mean"},
            {"release": "0.9.1"},
            [],
        ),
        ("kl-settings", {f"{A}.use_kl_loss": "True", "algorithm.use_kl_in_reward": "True"}, {}, ["warning"]),
        ("kl-settings", {f"{A}.kl_loss_coef": 0.001}, {}, ["info"]),
        ("kl-settings", {f"{A}.kl_loss_coef": 0}, {}, []),
        (
            "kl-settings",
            {
                "algorithm.use_kl_in_reward": "True",
                "algorithm.kl_ctrl.type": "adaptive",
                "algorithm.kl_ctrl.horizon": 0,
            },
            {},
            ["error"],
        ),
        ("critic-presence", {"algorithm.adv_estimator": None, f"{R}.n": 8}, {}, ["warning"]),
        ("critic-presence", {"algorithm.adv_estimator": None}, {}, []),
        ("critic-presence", {"algorithm.adv_estimator": None, f"{R}.n": 8, "critic.optim.lr": 1e-5}, {}, []),
        ("critic-presence", {"critic.optim.lr": 1e-5, "critic.strategy": "fsdp2"}, {}, ["info"]),
        ("critic-presence", {"algorithm.adv_estimator": "gae", f"{A}.strategy": "fsdp2"}, {}, ["warning"]),
        ("rollout-correction", {f"{CORRECTION}.rollout_is": "token"}, {"release": "0.8.0"}, ["warning"]),
        ("rollout-correction", {f"{CORRECTION}.bypass_mode": "True"}, {"release": "0.8.0"}, ["error"]),
        ("rollout-correction", {f"{CORRECTION}.rollout_is": "token"}, {"release": "0.9.1"}, []),
        ("rollout-correction", {f"{CORRECTION}.rollout_rs": "token_k1"}, {}, ["error"]),
        (
            "rollout-correction",
            {f"{CORRECTION}.rollout_rs": "'token_k1,seq_max_k2'", f"{CORRECTION}.rollout_rs_threshold": 2.0},
            {},
            [],
        ),
        (
            "rollout-correction",
            {
                f"{CORRECTION}.rollout_rs": "'token_k1,seq_max_k2'",
                f"{CORRECTION}.rollout_rs_threshold": "'1_2,3,4'",
            },
            {},
            ["error"],
        ),
        ("rollout-correction", {f"{CORRECTION}.rollout_rs": "token_k9"}, {}, ["error"]),
        ("filter-groups", {f"{FILTER}.enable": "True"}, {"release": "0.9.1"}, []),  # metric is reward by default
        ("filter-groups", {f"{FILTER}.enable": "True", "trainer.use_v1": "False"}, {}, ["warning"]),
        ("filter-groups", {f"{FILTER}.enable": "True", f"{FILTER}.metric": "null"}, {"release": "0.9.1"}, ["error"]),
        (
            "filter-groups",
            {
                f"{FILTER}.enable": "True",
                f"{FILTER}.metric": "null",
                "trainer.v1.sampler.custom_sampler.path": "mine.py",
            },
            {"release": "0.9.1"},
            [],
        ),
        ("filter-groups", {f"+{FILTER}.enable": "True"}, {"release": "0.8.0"}, ["warning"]),
        ("filter-groups", {f"{FILTER}.enable": "True", f"{FILTER}.max_num_gen_batches": 10}, {}, ["warning"]),
    ],
)
def test_algorithms(rule: str, overrides: dict[str, object], given: dict[str, Any], severities: list[str]) -> None:
    assert [finding.severity for finding in findings(rule, subject(overrides, **given))] == severities


@pytest.mark.parametrize(
    ("estimator", "actor", "critic", "severities"),
    [
        ("gae", "Qwen3-8B", "meta-llama/Llama-3.1-8B", ["error"]),
        ("gae", "Llama-3.1-8B-Instruct", "Qwen/Qwen3-8B", ["warning"]),
        ("gae", "Qwen2.5-7B", "Qwen/Qwen2.5-0.5B", []),  # another padding
        ("gae", "Qwen3-8B", "/models/mine", []),
        ("grpo", "Qwen3-8B", "meta-llama/Llama-3.1-8B", []),
    ],
)
def test_a_critic_of_another_vocabulary(estimator: str, actor: str, critic: str, severities: list[str]) -> None:
    launched = subject({"algorithm.adv_estimator": estimator, "critic.model.path": critic}, model=actor)
    assert [one.severity for one in findings("critic-vocabulary", launched)] == severities


def test_a_critic_without_a_path_is_the_default_model() -> None:
    (finding,) = findings("critic-vocabulary", subject({"algorithm.adv_estimator": "gae"}))
    assert finding.message.startswith("the critic deepseek-llm-7b-chat (default) knows 102400 tokens")
    assert not findings("critic-vocabulary", subject({"algorithm.adv_estimator": None}))


def test_a_fork_whose_main_ppo_filters_groups_is_believed() -> None:
    schema = load("0.8.0")
    filters = replace(schema, behaviours=(*schema.behaviours, "main_ppo_filters_groups"))
    override = {f"+{FILTER}.enable": "True"}
    assert findings("filter-groups", subject(override, schema=schema))
    assert not findings("filter-groups", subject(override, schema=filters))
