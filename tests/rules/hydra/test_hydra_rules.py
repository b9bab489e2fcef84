"""The rules about Hydra, on whole scripts: what they name, where, and what their fixes write."""

import pytest

from lint.findings import Finding
from tests.rules.pipeline import found, lines, repaired

HEAD = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm"


def only(rule: str, script: str) -> Finding:
    """The one finding of a rule in a script."""
    findings = found(rule, script)
    assert len(findings) == 1, [one.message for one in findings]
    return findings[0]


# ------------------------------------------------------------------------------------------------- unknown-key


def test_an_unknown_key_names_the_nearest_one() -> None:
    finding = only("unknown-key", f"{HEAD} trainer.total_epoch=3")
    assert finding.key == "trainer.total_epoch"
    assert finding.value == "3"
    assert finding.help == "did you mean trainer.total_epochs?"


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("actor_rolout_ref.actor.optim.lr", "actor_rollout_ref.actor.optim.lr"),
        ("actor_rollout_ref.actor.lr", "actor_rollout_ref.actor.optim.lr"),
        ("actor_rollout_ref.actor.model_engine", "model_engine"),
        ("algorithm.gama", "algorithm.gamma"),
        ("rollout.gpu_memory_utilization", None),
        ("trainer.qwerty", None),
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


# ---------------------------------------------------------------------------------------------------- prefixes


def test_a_missing_plus_is_written() -> None:
    script = f"{HEAD} actor_rollout_ref.actor.megatron.override_transformer_config.x=1 model_engine=megatron"
    assert repaired("missing-plus", script) == script.replace("actor_rollout_ref.actor.m", "+actor_rollout_ref.actor.m")


def test_a_field_that_the_config_leaves_out_needs_a_plus() -> None:
    script = f"{HEAD} actor_rollout_ref.actor.rollout_n=4"
    finding = found("missing-plus", script) + found("unknown-key", script)
    assert len(finding) <= 1


def test_a_key_of_a_dict_that_the_config_leaves_out_needs_a_plus() -> None:
    key = "actor_rollout_ref.actor.fsdp_config.mixed_precision.reduce_dtype"
    script = f"{HEAD} {key}=bf16"
    assert only("missing-plus", script).help == f"write +{key}"
    assert found("unknown-key", script) == []
    assert only("missing-plus", f"{HEAD} +{key.replace('reduce', 'param')}=bf16 {key}=bf16").help == f"write +{key}"


@pytest.mark.parametrize("prefix", ["+"])
def test_a_needless_plus_is_dropped(prefix: str) -> None:
    script = f"{HEAD} {prefix}trainer.total_epochs=3"
    assert repaired("needless-plus", script) == f"{HEAD} trainer.total_epochs=3"


def test_a_plus_in_an_array_is_dropped_there() -> None:
    script = f'ARGS=("+trainer.total_epochs=${{E:-3}}")\n{HEAD} "${{ARGS[@]}}"\n'
    assert repaired("needless-plus", script) == script.replace('"+', '"')


def test_a_second_plus_for_the_same_new_key_is_needless() -> None:
    finding = only("needless-plus", f"{HEAD} +trainer.mine=3 +trainer.mine=4")
    assert "set further up" in finding.message
    assert len(finding.related) == 1


@pytest.mark.parametrize("word", ["++trainer.total_epochs=3", "+trainer.total_training_steps=3", "+trainer.mine=1"])
def test_hydra_takes_these_prefixes(word: str) -> None:
    for rule in ("needless-plus", "missing-plus", "unknown-key", "moved-key"):
        assert found(rule, f"{HEAD} {word}") == []


# -------------------------------------------------------------------------------------------------- other words


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("'trainer.total epochs=3'", "Hydra cannot read it from ` epochs=3` on"),
        ("trainer.total_epochs", "a word without `=` is not an override"),
        ("trainer.default_local_dir=~x/y", "Hydra cannot read it from `~x/y` on"),
        ("'trainer.logger=[console'", "Hydra cannot read it"),
        ("\\ ", "a word without `=`"),
    ],
)
def test_what_is_no_override_says_why(word: str, message: str) -> None:
    assert message in only("override-syntax", f"{HEAD} {word}").message


def test_a_placeholder_is_not_to_be_quoted() -> None:
    assert only("override-syntax", f"{HEAD} 'trainer.default_local_dir=<path_to_ckpts>/x'").help == (
        "write the site's value in place of the placeholder"
    )


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("trainer.nnodes=2,", "drop the comma: blanks alone stand between overrides"),
        ("trainer.nnodes=2#two", "put a blank before the #, if a comment is meant"),
        ("'trainer.default_local_dir=\"a\"#b'", "quote the value for Hydra, too"),
    ],
)
def test_what_stands_behind_a_value_is_named(word: str, advice: str) -> None:
    assert str(only("override-syntax", f"{HEAD} {word}").help).startswith(advice)


@pytest.mark.parametrize("path", ["/data", "$HOME"])
def test_a_blank_ends_a_list_whatever_is_known_of_it(path: str) -> None:
    finding = only("override-syntax", f"{HEAD} data.train_files=[{path}/a.parquet, {path}/b.parquet]")
    assert finding.help == "quote the whole list, or leave out the blanks in it: 'data.train_files=[...]'"
    for whole in (f'"data.train_files=[{path}/a.parquet, {path}/b.parquet]"', f"data.train_files=[{path}/a,{path}/b]"):
        assert found("override-syntax", f"{HEAD} {whole}") == []


@pytest.mark.parametrize("words", ["trainer.nnodes = 2", "trainer.nnodes: 2", "trainer.nnodes"])
def test_a_word_of_an_array_is_reported_in_the_array(words: str) -> None:
    assert lines("override-syntax", f'ARGS=(\n    {words}\n)\n{HEAD} "${{ARGS[@]}}"\n') == [2]


def test_blanks_around_the_equals_sign_are_one_finding() -> None:
    assert "trainer.total_epochs" in only("override-syntax", f"{HEAD} trainer.total_epochs = 3").message


def test_a_blank_inside_a_key_is_mended() -> None:
    script = f"{HEAD} actor rollout_ref.rollout.n=8 trainer nnodes=2\n"
    assert "blank inside the key actor_rollout_ref.rollout.n" in found("override-syntax", script)[0].message
    assert repaired("override-syntax", script) == f"{HEAD} actor_rollout_ref.rollout.n=8 trainer.nnodes=2\n"
    assert found("unknown-key", script) == []


@pytest.mark.parametrize("written", ["trainer.nnodes = 2", "trainer.nnodes =2", "trainer.nnodes= 2"])
def test_blanks_around_the_equals_sign_are_taken_away(written: str) -> None:
    assert repaired("override-syntax", f"{HEAD} {written} a.b=1") == f"{HEAD} trainer.nnodes=2 a.b=1"


def test_values_with_a_comma_are_taken_for_a_sweep() -> None:
    finding = only("sweep-without-multirun", f"{HEAD} trainer.logger=console,wandb")
    assert finding.help == "write 'trainer.logger=[console,wandb]' for a list"
    assert found("sweep-without-multirun", f"{HEAD} trainer.logger=console,wandb --multirun") == []


def test_a_wrong_option_names_the_nearest() -> None:
    assert only("config-group", f"{HEAD} model_engine=megatrom").help == "did you mean model_engine=megatron?"
    finding = only("config-group", f"{HEAD} model@actor_rollout_ref.models=hf_model")
    assert "model@actor_rollout_ref.model" in (finding.help or "")


def test_an_option_of_other_releases_names_them() -> None:
    assert only("config-group", f"{HEAD} model_engine=mindspeed").message.endswith("0.8.0 and 0.9.0 have it")


def test_an_option_of_a_package_that_is_not_known_here_is_no_error() -> None:
    script = f"{HEAD} 'hydra.searchpath=[pkg://other.config]' actor@actor_rollout_ref.actor=other_actor"
    assert [finding.severity for finding in found("config-group", script)] in ([], ["info"])


def test_a_module_of_another_release_names_its_successor() -> None:
    finding = only("unknown-entry-point", "python3 -m verl.trainer.main_ppo_sync actor_rollout_ref.rollout.name=vllm")
    assert finding.message == "verl 0.9.1 has no module verl.trainer.main_ppo_sync (0.8.0 has)"
    assert finding.help == "start verl.trainer.main_ppo"


def test_a_misspelt_module_is_no_module_of_somebody_else() -> None:
    finding = only("unknown-entry-point", "python3 -m verl.trainer.main_pp0 actor_rollout_ref.rollout.name=vllm")
    assert finding.help == "start verl.trainer.main_ppo"
    assert found("unknown-entry-point", "python3 -m verl.trainer.main_ppo_v0 actor_rollout_ref.rollout.name=vllm") == []


# ---------------------------------------------------------------------------------------------- behind Hydra's back


def test_a_field_that_a_dataclass_has_not_is_named_with_its_class() -> None:
    finding = only("rejected-field", f"{HEAD} +actor_rollout_ref.actor.policy_loss.tau_pos=1.0")
    assert "PolicyLossConfig of verl 0.9.1 has no field tau_pos" in finding.message
    assert finding.help == "write actor_rollout_ref.actor.tau_pos"
    assert finding.note is not None
    assert "verl/workers/config/actor.py" in finding.note


@pytest.mark.parametrize(
    "words",
    [
        "+actor_rollout_ref.actor.rollout_n=4",  # a field that the config leaves out
        "+actor_rollout_ref.rollout.engine_kwargs.vllm.mine=1",  # handed on to vLLM
        "+critic.mine=1 algorithm.adv_estimator=grpo",  # no critic is built
        "+actor_rollout_ref.ref.mine=1 algorithm.adv_estimator=grpo",  # nor a reference
        "+algorithm.mine=1",  # its dataclass is never made
        "+trainer.mine=1",  # has none
    ],
)
def test_added_keys_that_nothing_rejects(words: str) -> None:
    assert found("rejected-field", f"{HEAD} {words}") == []


def test_parts_that_run_reject_what_they_do_not_know() -> None:
    assert found("rejected-field", f"{HEAD} +critic.mine=1 algorithm.adv_estimator=gae")
    assert found("rejected-field", f"{HEAD} +actor_rollout_ref.ref.mine=1 actor_rollout_ref.actor.use_kl_loss=True")


def test_legacy_reward_keys_are_ignored_by_some_entry_points() -> None:
    script = f"{HEAD} custom_reward_function.path=reward.py"
    finding = only("ignored-key", script)
    assert finding.help == "write reward.custom_reward_function.path"
    assert finding.fix is not None
    assert not finding.fix.safe
    assert found("ignored-key", f"# recipe-lint: release=0.8.0\n{script}") == []
    assert (
        found("ignored-key", script.replace("trainer.main_ppo", "experimental.fully_async_policy.fully_async_main"))
        == []
    )
    assert found("ignored-key", f"{HEAD} custom_reward_function.path=null") == []


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("actor_rollout_ref.actor.use_kl_loss=off", "is the text 'off', not a boolean"),
        ("actor_rollout_ref.rollout.enforce_eager=16", "is 16, not a boolean"),
        ("actor_rollout_ref.actor.ppo_mini_batch_size=", "is the text '', not an integer"),
        ("actor_rollout_ref.actor.ppo_mini_batch_size=64GB", "is the text '64GB', not an integer"),
        ("actor_rollout_ref.actor.optim.lr=le-6", "is the text 'le-6', not a number"),
        ("trainer.total_epochs='1 5'", "is the text '1 5', not an integer"),
        ("data.train_batch_size=1e3", "is 1000.0, not an integer"),
        ("actor_rollout_ref.actor.ppo_mini_batch_size=32.0", "is 32.0, not an integer"),
        ("trainer.default_hdfs_dir=None", "is the text 'None', which is not null"),
        ("actor_rollout_ref.rollout.max_model_len=None", "is the text 'None', which is not null"),
        ("actor_rollout_ref.rollout.n=1.5", "is 1.5, not an integer"),
    ],
)
def test_values_of_the_wrong_type(word: str, message: str) -> None:
    assert message in only("value-type", f'{HEAD} "{word}"').message


@pytest.mark.parametrize(
    "word",
    [
        "actor_rollout_ref.actor.use_kl_loss=true",
        "actor_rollout_ref.actor.use_kl_loss=1",
        "actor_rollout_ref.rollout.n=8",
        "actor_rollout_ref.rollout.top_p=1",
        "trainer.test_freq=after_each_epoch",
        "algorithm.rollout_correction.rollout_is_threshold=0.5_4.0",
        "trainer.nnodes=$NNODES",
        "trainer.total_training_steps=null",
        "trainer.esi_redundant_time=30.0",
        "trainer.experiment_name=None",
    ],
)
def test_values_that_may_be_right(word: str) -> None:
    assert found("value-type", f"{HEAD} {word}") == []


def test_only_the_last_value_of_a_key_is_judged() -> None:
    script = f"{HEAD} actor_rollout_ref.actor.use_kl_loss=off actor_rollout_ref.actor.use_kl_loss=True"
    assert found("value-type", script) == []


def test_a_value_that_a_dataclass_refuses_names_the_allowed_ones() -> None:
    finding = only("value-not-allowed", f"{HEAD} actor_rollout_ref.actor.loss_agg_mode=token-means")
    assert "allows token-mean, token-sum" in finding.message
    assert finding.help == "did you mean token-mean?"


def test_a_mandatory_value_is_missed() -> None:
    assert only("mandatory-value-missing", "python3 -m verl.trainer.main_ppo trainer.nnodes=1").message.startswith(
        "actor_rollout_ref.rollout.name is mandatory"
    )
    assert found("mandatory-value-missing", f"{HEAD} trainer.nnodes=1") == []
    assert found("mandatory-value-missing", "torchrun -m verl.trainer.sft_trainer trainer.nnodes=1") == []


# -------------------------------------------------------------------------------------------------- duplicates


def test_two_values_in_one_list_are_reported_at_the_first() -> None:
    script = f"{HEAD} \\\n  trainer.total_epochs=3 \\\n  trainer.total_epochs=4\n"
    assert lines("duplicate-override", script) == [2]


def test_one_value_given_twice_is_worth_a_remark() -> None:
    script = f"{HEAD} \\\n  trainer.total_epochs=3 \\\n  trainer.total_epochs=3\n"
    assert only("duplicate-override", script).severity == "info"


@pytest.mark.parametrize(
    "script",
    [
        f'A=(trainer.total_epochs=3)\nA+=(trainer.total_epochs=4)\n{HEAD} "${{A[@]}}"',
        f'A=(trainer.total_epochs=3)\n{HEAD} "${{A[@]}}" trainer.total_epochs=4',
        f'A=(\ntrainer.total_epochs=3\n)\nB=(\ntrainer.total_epochs=4\n)\n{HEAD} "${{A[@]}}" "${{B[@]}}"',
        f"{HEAD} trainer.total_epochs=3 trainer.total_epochs=$UNKNOWN",
    ],
)
def test_a_later_list_may_change_an_earlier_one(script: str) -> None:
    assert found("duplicate-override", script) == []


# ---------------------------------------------------------------------------------------------- node-replaced


def test_a_text_over_a_node_names_the_key_below() -> None:
    finding = only("node-replaced", f"{HEAD} ++reward.reward_manager=dapo")
    assert finding.help == "write reward.reward_manager.name=dapo"


@pytest.mark.parametrize(
    "override",
    [
        "data.custom_cls=null",
        "reward.reward_manager={name:dapo}",
        "reward.reward_manager=${oc.env:MANAGER}",
        "reward.reward_manager=$MANAGER",
        "model_engine=megatron",
        "trainer.logger=[console]",
        "++actor_rollout_ref.actor.megatron.override_ddp_config=none",  # no node of this engine
    ],
)
def test_nodes_that_stay_nodes_or_were_none(override: str) -> None:
    assert found("node-replaced", f"{HEAD} '{override}'" if "oc.env" in override else f"{HEAD} {override}") == []


def test_a_choice_of_a_group_is_no_text_over_a_node() -> None:
    script = "torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer engine=megatron optim=megatron"
    assert found("node-replaced", script) == []


# --------------------------------------------------------------------------- interpolation-unresolved, key-not-read


def test_a_reference_to_a_key_is_no_variable() -> None:
    kept = "'trainer.default_local_dir=/c/${trainer.project_name}/${oc.env:USER}' '+data.x=${.y}'"
    assert found("interpolation-unresolved", f"{HEAD} {kept}") == []
    assert only("interpolation-unresolved", f"{HEAD} 'trainer.project_name=${{NAME}}'").key == "trainer.project_name"


def test_a_misspelt_reference_names_the_key_that_is_meant() -> None:
    finding = only("interpolation-unresolved", f"{HEAD} 'trainer.default_local_dir=/c/${{trainer.experiment_nam}}'")
    assert finding.help == "did you mean ${trainer.experiment_name}?"


@pytest.mark.parametrize("value", ["600", "null"])
def test_a_key_without_a_reader_may_say_what_is_so_anyway(value: str) -> None:
    assert found("key-not-read", f"{HEAD} actor_rollout_ref.nccl_timeout={value}") == []


def test_the_legacy_workers_read_what_the_engine_does_not() -> None:
    script = f"# recipe-lint: release=0.7.1\n{HEAD} actor_rollout_ref.nccl_timeout=7200"
    assert found("key-not-read", script) == []
    assert len(found("key-not-read", f"{script} trainer.use_legacy_worker_impl=disable")) == 1


def test_batch_sizes_of_a_critic_count_only_if_one_is_built() -> None:
    size = "critic.ppo_micro_batch_size_per_gpu=1"
    assert found("key-not-read", f"{HEAD} algorithm.adv_estimator=grpo {size}") == []
    finding = only("key-not-read", f"{HEAD} algorithm.adv_estimator=gae {size}")
    assert "32768" in finding.message
    assert finding.help is not None
    assert "+critic.ppo_infer_max_token_len_per_gpu=N" in finding.help


def test_settings_of_another_policy_loss_are_only_a_remark() -> None:
    key = "actor_rollout_ref.actor.policy_loss"
    assert only("key-not-read", f"{HEAD} {key}.kl_cov_ratio=0.1").severity == "info"
    assert found("key-not-read", f"{HEAD} {key}.kl_cov_ratio=0.1 {key}.loss_mode=kl_cov") == []


@pytest.mark.parametrize(
    "key", ["data.my_own_key", "trainer.n_env_gpus_per_node", "data.train_files_2", "data.min_response_length"]
)
def test_an_added_key_of_another_name_is_no_slip(key: str) -> None:
    assert found("added-key-misspelled", f"{HEAD} +{key}=1") == []


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("actor_rollout_ref.actor.strategy=megatron", 1),
        ("actor_rollout_ref.actor.strategy=fsdp2", 0),
        ("model_engine=megatron actor_rollout_ref.actor.strategy=fsdp", 1),
        ("critic.strategy=megatron algorithm.adv_estimator=grpo", 0),
        ("critic.strategy=megatron algorithm.adv_estimator=gae", 1),
    ],
)
def test_a_strategy_needs_the_settings_of_its_engine(words: str, count: int) -> None:
    assert len(found("strategy-of-other-engine", f"{HEAD} {words}")) == count


def test_a_name_of_one_word_is_shown_with_the_node_above_it() -> None:
    finding = only("unknown-choice", f"{HEAD} reward.reward_manager.name=dappo")
    assert finding.message.startswith("reward_manager.name knows no 'dappo'")


def test_a_brace_that_nothing_opens_is_named() -> None:
    assert only("override-syntax", f"{HEAD} 'trainer.experiment_name=npu}}'").help == "remove the } that nothing opens"


def test_a_key_is_set_twice_in_a_program_of_unknown_config() -> None:
    head = "python3 -m recipe.mine.main_mine data.truncation=left"
    assert only("duplicate-override", f"{head} trainer.nnodes=2 data.truncation=left").severity == "info"
    assert only("duplicate-override", f"{head} data.truncation=right").severity == "warning"
    assert found("duplicate-override", f"SIDE=$(cat side)\n{head} data.truncation=$SIDE") == []
