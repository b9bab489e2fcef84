"""Names that verl does not know, companions that are missing, checkpoints and profilers."""

from collections.abc import Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from lint.launch.compose import compose
from lint.rules.control import missing_companion, unknown_choice, value_out_of_range
from lint.rules.hydra import key_not_read
from lint.rules.tables import keys_beside, rows_beside
from lint.schema.load import load as load_schema
from tests.launch.witness import launch
from tests.rules.factory import findings, subject
from tests.rules.pipeline import found

A, R = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"
FINE_TUNING = launch("torchrun", "-m", "verl.trainer.sft_trainer")
MEGATRON, RECOMPUTE = {"model_engine": "megatron"}, f"{A}.megatron.override_transformer_config.recompute"


def rows(module: ModuleType) -> tuple[Mapping[str, Any], ...]:
    """The table beside a rule."""
    return rows_beside(str(module.__file__))


@pytest.mark.parametrize(
    ("rule", "overrides", "given", "severities"),
    [
        ("unknown-choice", {"trainer.logger": "[console,wandb,swanlb]"}, {}, ["error"]),
        ("unknown-choice", {"trainer.logger": "[console,rl_insight]"}, {"release": "0.8.0"}, ["error"]),
        ("unknown-choice", {"trainer.logger": "[console,rl_insight]"}, {"release": "0.9.1"}, []),
        ("unknown-choice", {f"{A}.kl_loss_type": "low_var_kl+"}, {}, []),
        ("unknown-choice", {"algorithm.use_kl_in_reward": True, "algorithm.kl_ctrl.type": "linear"}, {}, ["error"]),
        ("unknown-choice", {"algorithm.use_kl_in_reward": True, "algorithm.kl_ctrl.type": "adaptive"}, {}, []),
        ("unknown-choice", {"algorithm.kl_ctrl.type": "linear"}, {}, []),  # no controller is made
        ("unknown-choice", {"reward.reward_manager.name": "prime"}, {}, ["error"]),
        ("unknown-choice", {**MEGATRON, f"{RECOMPUTE}_granularity": "fully"}, {}, ["error"]),
        (
            "unknown-choice",
            {**MEGATRON, f"{RECOMPUTE}_granularity": "full", f"{RECOMPUTE}_method": "even"},
            {},
            ["error"],
        ),
        ("unknown-choice", {**MEGATRON, f"{RECOMPUTE}_method": "even"}, {}, []),
        ("value-out-of-range", {f"{A}.optim.lr": "1e6"}, {}, ["warning"]),
        ("value-out-of-range", {f"{A}.optim.lr": "-1e-6"}, {}, ["error"]),
        ("value-out-of-range", {f"{A}.optim.lr": "1e-4", f"{A}.optim.lr_warmup_steps_ratio": 0.1}, {}, []),
        ("value-out-of-range", {f"{A}.optim.lr_warmup_steps_ratio": 10}, {}, ["warning"]),
        ("value-out-of-range", {f"{A}.kl_loss_coef": -0.001}, {}, ["warning"]),
        ("value-out-of-range", {f"{R}.temperature": 0}, {}, ["warning"]),
        ("count-too-small", {f"{A}.ppo_epochs": 0}, {}, ["error"]),
        ("missing-companion", {"reward.custom_reward_function.name": "score"}, {}, ["warning"]),
        (
            "missing-companion",
            {"reward.custom_reward_function.name": "score", "reward.custom_reward_function.path": "/r.py"},
            {},
            [],
        ),
        (
            "checkpoint-contents",
            {f"{A}.checkpoint.save_contents": "[hf_model]", "trainer.save_freq": 5},
            {},
            ["warning"],
        ),
        ("checkpoint-contents", {f"{A}.checkpoint.save_contents": "[hf_model]"}, {}, []),
        (
            "checkpoint-contents",
            {**MEGATRON, f"{A}.checkpoint.save_contents": "[hf_model]", "trainer.save_freq": 5},
            {},
            [],
        ),
        (
            "unknown-choice",
            {"reward.reward_manager.name": "mine", "reward.reward_manager.source": "importlib"},
            {},
            [],
        ),
        ("unknown-choice", {f"{A}.policy_loss.loss_mode": "dro"}, {"release": "0.8.0"}, ["error"]),
        ("unknown-choice", {f"{A}.strategy": "fsdp3"}, {}, ["error"]),
        ("unknown-choice", {f"{A}.strategy": "fsdp2"}, {}, []),
        ("unknown-choice", {f"{A}.strategy": "fsdp_turbo"}, {"release": "0.9.1"}, []),
        ("unknown-choice", {f"{A}.strategy": "fsdp_turbo"}, {"release": "0.9.0"}, ["error"]),
        ("unknown-choice", {"critic.strategy": "fdsp"}, {"release": "0.7.1"}, ["error"]),
        ("unknown-choice", {f"+{A}.fsdp_config.mixed_precision.param_dtype": "bf61"}, {}, ["error"]),
        ("unknown-choice", {f"+{A}.fsdp_config.mixed_precision.param_dtype": "bf16"}, {}, []),
        ("unknown-choice", {f"+{A}.fsdp_config.mixed_precision.reduce_dtype": 16}, {}, []),
        ("unknown-choice", {f"{A}.fsdp_config.model_dtype": "bf-16"}, {}, ["error"]),
        ("unknown-choice", {f"{R}.dtype": "bfloat61"}, {}, ["error"]),
        ("unknown-choice", {f"{R}.dtype": "bfloat61", f"{R}.name": "trtllm"}, {}, []),
        ("unknown-choice", {f"{R}.load_format": "safetensor"}, {}, ["error"]),
        ("unknown-choice", {f"{R}.load_format": "safetensors"}, {}, []),
        ("unknown-choice", {f"{R}.load_format": "hf"}, {}, []),
        ("unknown-choice", {f"{R}.load_format": "mine"}, {}, ["warning"]),  # a plugin of vLLM may bring it
        ("unknown-choice", {f"{R}.load_format": "layered", f"{R}.name": "sglang"}, {}, []),
        ("unknown-choice", {"+actor_rollout_ref.model.override_config.attn_implementation": "sdpa"}, {}, []),
        ("unknown-choice", {"+actor_rollout_ref.model.override_config.attn_implementation": "me/kernel"}, {}, []),
        (
            "unknown-choice",
            {"+actor_rollout_ref.model.override_config.attn_implementation": "flash_attention_22"},
            {},
            ["error"],
        ),
        ("count-too-small", {f"{R}.val_kwargs.n": 0}, {}, ["error"]),
        ("count-too-small", {f"{R}.val_kwargs.n": 0, "trainer.val_before_train": False}, {}, []),
        (
            "count-too-small",
            {f"{R}.val_kwargs.n": 0, "trainer.val_before_train": False, "trainer.test_freq": 5},
            {},
            ["error"],
        ),
        ("value-out-of-range", {f"{R}.top_p": 10}, {}, ["error"]),
        ("value-out-of-range", {f"{R}.top_p": 0}, {}, ["error"]),
        ("value-out-of-range", {f"{R}.top_p": 1}, {}, []),
        ("value-out-of-range", {f"{R}.top_k": -5}, {}, ["error"]),
        ("value-out-of-range", {f"{R}.top_k": -1}, {}, []),
        ("value-out-of-range", {f"{R}.top_k": -5, f"{R}.name": "trtllm"}, {}, []),  # not read in
        ("value-out-of-range", {f"{R}.temperature": -0.5}, {}, ["error"]),
        ("value-out-of-range", {f"{R}.temperature": 0, "trainer.val_only": True}, {}, []),
        ("value-out-of-range", {f"{R}.val_kwargs.temperature": -1}, {}, ["error"]),
        ("value-out-of-range", {f"{R}.val_kwargs.top_p": 7, "trainer.val_before_train": False}, {}, []),
        ("value-out-of-range", {f"{A}.clip_ratio_high": 28}, {}, ["warning"]),
        ("value-out-of-range", {f"{A}.clip_ratio_high": 0.28}, {}, []),
        ("missing-companion", {f"{A}.clip_ratio_c": 1.0}, {}, ["error"]),
        ("missing-companion", {f"{A}.policy_loss.loss_mode": "dro"}, {}, ["error"]),
        ("missing-companion", {f"{A}.policy_loss.loss_mode": "dro", f"{A}.policy_loss.dro_beta": 0.1}, {}, []),
        ("missing-companion", {"algorithm.adv_estimator": "gdpo"}, {}, ["error"]),
        ("missing-companion", {"algorithm.adv_estimator": "gdpo", "+algorithm.gdpo_reward_keys": "[a,b]"}, {}, []),
        ("missing-companion", {"trainer.resume_mode": "resume_path"}, {}, ["error"]),
        ("missing-companion", {"trainer.resume_from_path": "False"}, {}, []),
        ("missing-companion", {"trainer.resume_from_path": "checkpoints/"}, {}, ["warning"]),
        (
            "missing-companion",
            {"trainer.resume_mode": "resume_path", "trainer.resume_from_path": "ckpt/global_step_40"},
            {},
            [],
        ),
        (
            "missing-companion",
            {"custom_reward_function.path": "reward.py"},
            {"release": "0.8.0"},
            ["error"],
        ),
        ("missing-companion", {"actor_rollout_ref.rollout.mode": "async"}, {"release": "0.6.1"}, ["warning"]),
        (
            "missing-companion",
            {"actor_rollout_ref.rollout.mode": "async", "data.return_raw_chat": "True"},
            {"release": "0.6.1"},
            [],
        ),
        ("missing-companion", {"data.return_raw_chat": "False"}, {"release": "0.7.1"}, []),  # no longer read
        ("checkpoint-contents", {f"{A}.checkpoint.save_contents": "[model]"}, {}, []),
        ("no-checkpoint", {"trainer.total_training_steps": 10}, {}, []),
        ("no-checkpoint", {"trainer.total_training_steps": 1000}, {}, ["info"]),
        ("no-checkpoint", {"trainer.save_freq": 10}, {}, []),
        ("checkpoints-fill-disk", {"trainer.save_freq": 10}, {"model": "Qwen3-0.6B"}, []),
        ("checkpoints-fill-disk", {"trainer.save_freq": 10}, {"model": "Qwen3-32B"}, ["info"]),
        (
            "checkpoints-fill-disk",
            {"trainer.save_freq": 10, "actor_rollout_ref.model.lora.rank": 16},
            {"model": "Qwen3-32B"},
            [],
        ),
        ("profiler-settings", {f"{A}.profiler.tool_config.npu.contents": "[npu,gpu]"}, {}, ["error"]),
        ("profiler-settings", {f"{A}.profiler.tool_config.torch.contents": "[cuda,cpu]"}, {}, []),
        ("profiler-settings", {f"{A}.profiler.enable": "True"}, {}, ["info"]),
    ],
)
def test_run_control(rule: str, overrides: dict[str, object], given: dict[str, Any], severities: list[str]) -> None:
    assert [finding.severity for finding in findings(rule, subject(overrides, **given))] == severities


def test_a_path_that_is_not_read_is_dropped_or_names_one_step() -> None:
    found = findings("missing-companion", subject({"trainer.resume_from_path": "checkpoints/"}))
    assert "global_step_N" in str(found[0].help)


@pytest.mark.parametrize(
    ("overrides", "fixed"),
    [
        ({"trainer.resume_mode": "resume"}, False),  # resume_path wants a folder, of which nothing is said
        ({"trainer.resume_mode": "resume", "trainer.resume_from_path": "ckpt/global_step_40"}, True),
        ({"trainer.resume_mode": "disabled"}, True),
        ({f"{A}.policy_loss.loss_mode": "drro"}, False),
    ],
)
def test_no_fix_makes_a_setting_that_lacks_its_companion(overrides: dict[str, object], fixed: bool) -> None:
    said = findings("unknown-choice", subject(overrides))
    assert [finding.fix is not None for finding in said] == [fixed]


def test_a_list_inside_quotes_is_unquoted_not_replaced() -> None:
    found = findings("unknown-choice", subject({"trainer.logger": "'[console,wandb]'"}))
    assert "quote the whole list once" in str(found[0].help)


def test_a_recipe_may_register_names_of_its_own() -> None:
    launched = subject({"algorithm.adv_estimator": "mine", "+actor_rollout_ref.model.external_lib": "my.library"})
    assert [finding.confidence for finding in findings("unknown-choice", launched)] == ["low"]


def test_every_row_of_the_tables_names_its_source_and_its_moment() -> None:
    assert all(row["source"] and row["moment"] for row in rows(unknown_choice))
    assert all(row["source"] and row["because"] for row in (*rows(missing_companion), *rows(value_out_of_range)))


def test_every_key_of_the_tables_exists_in_some_release() -> None:
    """A key that no release has would make its row silent for ever; nodes for other software take any key."""
    engines: tuple[dict[str, str], ...] = ({}, {"model_engine": "megatron"}, {"model_engine": "veomni"})
    trees = [subject(given, release=release).config for release in ("0.8.0", "0.9.1") for given in engines]
    trees += [subject(release="0.7.1").config, compose(FINE_TUNING, load_schema("0.9.1")).config]
    keys = {row["key"] for row in (*rows(unknown_choice), *rows(missing_companion)) if not row.get("absent")}
    keys |= {key for row in (*rows(missing_companion), *rows(key_not_read)) for key in row.get("when", {})}
    keys |= keys_beside(str(key_not_read.__file__))
    keys |= {key for row in rows(value_out_of_range) for key in (*row["keys"], *row.get("when", {}))}
    known = {key for key in keys if any(tree.get(key) or any(tree.below(key)) for tree in trees)}
    assert {key for key in keys - known if ".override_" not in key} == set()


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"reward.reward_manager.source": "importlib"}, "reward.reward_manager.source"),
        ({"trainer.default_hdfs_dir": "hdfs://x", "trainer.use_v1": False}, "trainer.default_hdfs_dir"),
        (
            {
                "model_engine": "megatron",
                "actor_rollout_ref.actor.use_kl_loss": True,
                "actor_rollout_ref.ref.megatron.use_dist_checkpointing": True,
            },
            "actor_rollout_ref.ref.megatron.use_dist_checkpointing",
        ),
    ],
)
def test_a_missing_companion_is_reported_at_what_needs_it(given: dict[str, object], key: str) -> None:
    assert [finding.key for finding in findings("missing-companion", subject(given))] == [key]


def test_a_v1_trainer_resumes_beside_a_hdfs_folder() -> None:
    assert findings("missing-companion", subject({"trainer.default_hdfs_dir": "hdfs://x"})) == []


def test_off_policy_limits_may_be_switched_off() -> None:
    assert findings("missing-companion", subject({"trainer.v1.sampler.max_off_policy_threshold": "null"})) == []


def test_a_folder_below_tmp_is_fine_on_one_node() -> None:
    given = {"trainer.default_local_dir": "/tmp/c", "trainer.save_freq": 5}
    assert findings("checkpoint-local-disk", subject(given)) == []
    assert len(findings("checkpoint-local-disk", subject(given, nodes=2))) == 1


@pytest.mark.parametrize("name", ["trainer.default_local_dir", "trainer.project_name", "trainer.experiment_name"])
def test_any_name_tells_checkpoints_apart(name: str) -> None:
    assert findings("shared-checkpoint-folder", subject({"trainer.save_freq": 5, name: "mine"})) == []
    assert findings("shared-checkpoint-folder", subject({name: "mine"})) == []


REWARD = "python3 -m verl.trainer.main_ppo reward.custom_reward_function.path="


@pytest.mark.parametrize(
    ("script", "gaps"),
    [
        (f"{REWARD}rewards/mth.py", ["rewards of this checkout holds no mth.py"]),
        (f"{REWARD}rewards/old/math.py", ["rewards of this checkout holds no old"]),
        (f"{REWARD}rewards/math.py", []),
        (f"{REWARD}/home/me/rewards/mth.py", []),  # of the machine
        (f"{REWARD}recipe/mine/reward.py", []),  # of another repository, which is put there
        (f"cat >rewards/mth.py <<<'def f(): ...'\n{REWARD}rewards/mth.py", []),
        (f"cd $HOME\n{REWARD}rewards/mth.py", []),
        (f"{REWARD}pkg://rewards.mth", []),
    ],
)
def test_files_that_the_checkout_does_not_hold(script: str, gaps: list[str]) -> None:
    beside = {"rewards/math.py": "", "other/x.py": ""}
    said = [one.message for one in found("named-file-missing", f"{script}\n", beside=beside)]
    assert said == [f"reward.custom_reward_function.path: {gap}: verl ends when it opens the file" for gap in gaps]


@pytest.mark.parametrize(
    ("given", "size"),
    [
        ({}, "366 GiB"),  # 32.76e9 x 12
        ({"model_engine": "megatron"}, "427 GiB"),  # x 14
        ({"actor_rollout_ref.actor.checkpoint.save_contents": "[model]"}, "122 GiB"),  # x 4
    ],
)
def test_the_size_of_a_checkpoint_is_that_of_its_engine(given: dict[str, object], size: str) -> None:
    found = findings("checkpoints-fill-disk", subject({"trainer.save_freq": 10, **given}, model="Qwen3-32B"))
    assert [size in one.message for one in found] == [True]


def test_a_name_that_a_checkout_registers_is_known_to_it() -> None:
    loss = "actor_rollout_ref.actor.policy_loss.loss_mode"
    fork = replace(load_schema("0.9.1"), date=None, registered=("mine", "gspo"))
    for name, count in (("mine", 0), ("mein", 1)):
        assert len(findings("unknown-choice", subject({loss: name}, schema=fork))) == count
    assert len(findings("unknown-choice", subject({loss: "mine"}))) == 1


@pytest.mark.parametrize(
    ("name", "environment", "expected"),
    [
        ("separate_asyn", {}, [("error", "high")]),
        ("agent_sync", {}, [("warning", "medium")]),  # of a plugin, perhaps
        ("agent_sync", {"VERL_USE_EXTERNAL_MODULES": "agents.trainer"}, [("warning", "low")]),
    ],
)
def test_a_name_that_is_like_none_of_verls_may_come_from_a_plugin(
    name: str, environment: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    launched = subject({"trainer.v1.trainer_mode": name}, environment=environment)
    assert [(one.severity, one.confidence) for one in findings("unknown-choice", launched)] == expected


@pytest.mark.parametrize(
    ("rule", "overrides"),
    [
        (
            "tool-parser",
            {
                "actor_rollout_ref.rollout.multi_turn.enable": "True",
                "actor_rollout_ref.rollout.multi_turn.format": "mine",
            },
        ),
        ("checkpoint-backend", {"actor_rollout_ref.rollout.checkpoint_engine.backend": "mine"}),
    ],
)
def test_modules_that_verl_is_told_to_import_may_register_any_name(rule: str, overrides: dict[str, object]) -> None:
    assert findings(rule, subject(overrides))
    assert not findings(rule, subject(overrides, environment={"VERL_USE_EXTERNAL_MODULES": "mine"}))
