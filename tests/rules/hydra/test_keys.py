"""Keys that a release does not have, or has under another name, or for another engine."""

from dataclasses import replace

import pytest

from tests.rules.factory import findings, subject
from tests.rules.hydra.scripts import HEAD, only
from tests.rules.pipeline import found, lines, repaired

# ------------------------------------------------------------------------------------------------- unknown-key


def test_an_unknown_key_names_the_nearest_one() -> None:
    finding = only("unknown-key", f"{HEAD} trainer.total_epoch=3")
    assert finding.key == "trainer.total_epoch"
    assert finding.value == "3"
    assert finding.help == "did you mean trainer.total_epochs?"


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("trainer.val_freq", "trainer.test_freq"),
        ("actor_rollout_ref.rollout.max_tokens", "data.max_response_length"),
        ("actor_rolout_ref.actor.optim.lr", "actor_rollout_ref.actor.optim.lr"),
        ("actor_rollout_ref.actor.lr", "actor_rollout_ref.actor.optim.lr"),
        ("actor_rollout_ref.actor.model_engine", "model_engine"),
        ("algorithm.gama", "algorithm.gamma"),
        ("rollout.gpu_memory_utilization", None),
        ("trainer.qwerty", None),
        ("actor_rollout_ref.actor.clip_cov_ratio", "actor_rollout_ref.actor.policy_loss.clip_cov_ratio"),
        ("actor_rollout_ref.actor.loss_mode", "actor_rollout_ref.actor.policy_loss.loss_mode"),
        ("reward_model.param_offload", None),
    ],
)
def test_only_a_likely_key_is_suggested(key: str, nearest: "str | None") -> None:
    finding = only("unknown-key", f"{HEAD} {key}=1")
    assert finding.help is not None
    assert (f"did you mean {nearest}?" == finding.help) is (nearest is not None)


def test_the_finding_stands_where_the_override_is_written() -> None:
    script = f'ARGS=(\n    trainer.nnodes=1\n    trainer.total_epoch=3\n)\n{HEAD} "${{ARGS[@]}}"\n'
    assert lines("unknown-key", script) == [3]


def test_a_renaming_to_the_nearest_key_is_a_suggestion_only() -> None:
    script = f"{HEAD} trainer.total_epoch=3"
    finding = only("unknown-key", script)
    assert finding.fix is not None
    assert not finding.fix.safe
    assert repaired("unknown-key", script) == script


def test_a_key_inside_a_dict_is_checked_too() -> None:
    finding = only("unknown-key", f"{HEAD} 'trainer={{nnodes:1,total_epoch:2}}'")
    assert finding.key == "trainer.total_epoch"
    assert finding.fix is None


# --------------------------------------------------------------------------------------------------- moved-key


def test_a_renamed_key_says_where_it_went_and_since_when() -> None:
    script = f"{HEAD} actor_rollout_ref.rollout.update_weights_bucket_megabytes=512"
    finding = only("moved-key", script)
    assert "it moved in 0.7.1 (verl ef6eaa05d, #5031)" in finding.message
    new = "actor_rollout_ref.rollout.checkpoint_engine.update_weights_bucket_megabytes"
    assert finding.help == f"write {new}"
    assert repaired("moved-key", script) == f"{HEAD} {new}=512"


def test_a_key_below_a_renamed_node_moves_with_it() -> None:
    script = f"{HEAD} critic.model.fsdp_config.param_offload=True"
    assert repaired("moved-key", script) == f"{HEAD} critic.fsdp.param_offload=True"


def test_a_key_that_moved_twice_gets_its_present_name() -> None:
    finding = only("moved-key", f"{HEAD} actor_rollout_ref.rollout.skip_rollout=True")
    assert finding.help == "write skip.rollout.enable"
    assert finding.fix is not None
    assert not finding.fix.safe


def test_a_removed_key_says_since_when() -> None:
    finding = only("moved-key", f"{HEAD} trainer.use_legacy_worker_impl=disable")
    assert "removed in 0.8.0 (verl 044bbba27, #6067)" in finding.message
    assert finding.fix is None


def test_a_key_of_a_newer_release_names_that_release() -> None:
    head = f"# recipe-lint: release=0.8.0\n{HEAD}"
    finding = only("moved-key", f"{head} trainer.use_v1=True")
    assert finding.message.endswith("0.9.0 and 0.9.1 have it")


def test_a_key_that_had_another_name_in_the_release_gets_that() -> None:
    finding = only("moved-key", f"# recipe-lint: release=0.7.1\n{HEAD} critic.fsdp.param_offload=True")
    assert finding.help == "write critic.model.fsdp_config.param_offload"
    assert finding.fix is not None
    assert not finding.fix.safe


def test_a_release_that_has_the_old_key_is_content_with_it() -> None:
    head = f"# recipe-lint: release=0.7.1\n{HEAD}"
    assert found("moved-key", f"{head} critic.model.fsdp_config.param_offload=True") == []


# ------------------------------------------------------------------------------------------------ wrong-engine


def test_keys_of_another_engine_are_one_finding() -> None:
    keys = "actor_rollout_ref.actor.megatron.param_offload=True actor_rollout_ref.ref.megatron.param_offload=True"
    finding = only("wrong-engine", f"{HEAD} {keys}")
    assert finding.help == "add model_engine=megatron"
    assert len(finding.related) == 1
    assert found("unknown-key", f"{HEAD} {keys}") == []
    assert found("wrong-engine", f"{HEAD} model_engine=megatron {keys}") == []


def test_an_engine_chosen_at_a_key_that_does_not_exist_is_one_finding() -> None:
    keys = "actor_rollout_ref.actor.model_engine=megatron actor_rollout_ref.actor.megatron.param_offload=True"
    assert only("unknown-key", f"{HEAD} {keys}").help == "did you mean model_engine?"
    assert found("wrong-engine", f"{HEAD} {keys}") == []


def test_engines_of_the_sft_trainer_are_known() -> None:
    head = "torchrun -m verl.trainer.sft_trainer"
    finding = only("wrong-engine", f"{head} engine.tensor_model_parallel_size=2")
    assert finding.help == "add engine=megatron"


@pytest.mark.parametrize(
    ("flags", "advice"),
    [
        ("model_engine=megatron", "leave it out, or start with model_engine=dp"),
        ("", "add model_engine=megatron"),
    ],
)
def test_an_engine_that_was_chosen_is_not_called_the_mistake(flags: str, advice: str) -> None:
    key = "fsdp_config.param_offload" if flags else "megatron.param_offload"
    assert only("wrong-engine", f"{HEAD} {flags} actor_rollout_ref.actor.{key}=True").help == advice


def test_one_key_of_another_engine_in_a_recipe_of_this_engine_has_a_twin_here() -> None:
    node = "actor_rollout_ref.actor.fsdp_config"
    own = f"{node}.fsdp_size=8 {node}.optimizer_offload=True {node}.reshard_after_forward=True"
    finding = only("wrong-engine", f"{HEAD} {own} actor_rollout_ref.actor.megatron.param_offload=True")
    assert str(finding.help).startswith(f"write {node}.param_offload: {node}.")
    finding = only("wrong-engine", f"{HEAD} {own} actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2")
    assert str(finding.help).startswith("leave actor_rollout_ref.actor.megatron.tensor_model_parallel_size out: ")


# ------------------------------------------------------------------------- programs that are not verl's, or do not run


@pytest.mark.parametrize(
    ("flag", "advice"),
    [("--trainer.nnodes=2", "write trainer.nnodes=2"), ("--nproc=2", "leave --nproc=2 out")],
)
def test_an_override_written_as_a_flag_loses_its_dashes(flag: str, advice: str) -> None:
    assert only("unrecognized-argument", f"{HEAD} {flag}").help == advice


def test_a_program_that_is_not_known_to_be_driven_by_hydra_may_have_any_flag() -> None:
    assert not found("unrecognized-argument", "python3 -m mine.evaluate --config a.yaml run.backend=sglang")
    assert only("unrecognized-argument", "python3 -m recipe.mine.main --config a.yaml trainer.nnodes=2")


def test_another_program_may_do_without_a_value() -> None:
    launched = subject({"actor_rollout_ref.rollout.name": None})
    mine = replace(launched, launch=replace(launched.launch, entry_point="mine.main"))
    assert [one.severity for one in findings("mandatory-value-missing", launched)] == ["error"]
    assert [one.severity for one in findings("mandatory-value-missing", mine)] == ["warning"]


def test_a_config_that_is_only_printed_may_lack_values() -> None:
    assert found("mandatory-value-missing", "python3 -m verl.trainer.main_ppo trainer.nnodes=2")
    assert not found("mandatory-value-missing", "python3 -m verl.trainer.main_ppo --cfg job trainer.nnodes=2")


def test_a_placeholder_for_a_config_folder_is_one_error() -> None:
    script = f"{HEAD} '--config-path=<your_path>/config' --config-name=mine data.train_files='<your_path>/train'"
    assert not found("unknown-config", script)


def test_the_config_of_another_program_may_lay_out_engines_in_its_own_way() -> None:
    strategy = {"actor_rollout_ref.actor.strategy": "veomni"}
    assert findings("strategy-of-other-engine", subject(strategy))
    launched = subject(strategy)
    mine = replace(launched, launch=replace(launched.launch, entry_point="mine.main"))
    assert not findings("strategy-of-other-engine", mine)


@pytest.mark.parametrize("flag", ["--config-name=ppo_megatron", "--config-path=confg", "--config-name ppo_megatron"])
def test_the_word_that_names_no_config_is_shown(flag: str) -> None:
    script = f"python3 -m verl.trainer.main_ppo {flag} actor_rollout_ref.rollout.name=vllm"
    finding = only("unknown-config", script)
    assert script[finding.span.start : finding.span.end] == flag.rpartition(" ")[2]


def test_a_key_of_the_other_trainer_names_the_one_that_it_ends_with() -> None:
    start = "torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer"
    assert only("unknown-key", f"{start} actor_rollout_ref.actor.optim.lr=1e-5").help == "did you mean optim.lr?"
    assert found("wrong-engine", f"{start} actor_rollout_ref.actor.optim.lr=1e-5") == []
