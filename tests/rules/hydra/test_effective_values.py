"""Settings that another one overrides, replaces or leaves without a reader."""

from dataclasses import replace

import pytest

from lint.schema.load import load as load_schema
from tests.rules.factory import findings, subject
from tests.rules.hydra.scripts import HEAD, only
from tests.rules.pipeline import found, lines

# -------------------------------------------------------------------------------------------------- duplicates


def test_two_values_in_one_list_are_reported_at_the_first() -> None:
    script = f"{HEAD} \\\n  trainer.total_epochs=3 \\\n  trainer.total_epochs=4\n"
    assert lines("duplicate-override", script) == [2]


def test_one_value_given_twice_is_worth_a_remark() -> None:
    script = f"{HEAD} \\\n  trainer.total_epochs=3 \\\n  trainer.total_epochs=3\n"
    assert only("duplicate-override", script).severity == "info"


@pytest.mark.parametrize(
    ("script", "line"),
    [
        (f'A=(trainer.total_epochs=3)\nA+=(trainer.total_epochs=4)\n{HEAD} "${{A[@]}}"', 2),
        (f'A=(trainer.total_epochs=3)\n{HEAD} "${{A[@]}}" trainer.total_epochs=4', 2),
        (f'A=(\ntrainer.total_epochs=4\n)\nB=(\ntrainer.total_epochs=3\n)\n{HEAD} "${{B[@]}}" "${{A[@]}}"', 2),
    ],
)
def test_a_later_list_takes_a_value_over_in_every_launch(script: str, line: int) -> None:
    finding = only("duplicate-override", script)
    assert finding.confidence == "medium"
    assert f"trainer.total_epochs is set to 3 here and to 4 in line {line}: 4 counts" == finding.message


@pytest.mark.parametrize(
    "script",
    [
        f'A=(trainer.total_epochs=3)\n[[ $LONG ]] && A+=(trainer.total_epochs=4)\n{HEAD} "${{A[@]}}"',
        f'A=(trainer.total_epochs=3)\n{HEAD} "${{A[@]}}" trainer.total_epochs=4\n{HEAD} "${{A[@]}}"',
        f'A=(~trainer.total_epochs)\n{HEAD} "${{A[@]}}" +trainer.total_epochs=4',
        f"{HEAD} trainer.total_epochs=3 trainer.total_epochs=$UNKNOWN",
    ],
)
def test_a_value_that_counts_in_some_launch_may_be_changed_in_another(script: str) -> None:
    assert found("duplicate-override", script) == []


def test_turns_of_a_loop_are_one_finding() -> None:
    script = f"for n in 3 4 5; do\n{HEAD} \\\n trainer.total_epochs=$n \\\n trainer.total_epochs=4\ndone"
    assert only("duplicate-override", script).message.startswith("trainer.total_epochs is set to 3 here and to 4")


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


def test_a_key_below_a_number_makes_a_node_of_it() -> None:
    finding = only("node-replaced", f"{HEAD} +trainer.logger_options.x=1 +trainer.nnodes.x=1")
    assert finding.message == (
        "trainer.nnodes is 1 in verl 0.9.1, no node: trainer.nnodes.x below it replaces the value"
    )


@pytest.mark.parametrize("override", ["+actor_rollout_ref.model.lora_adapter_path.x=1", "+data.mine.x=1"])
def test_a_key_below_nothing_is_left_alone(override: str) -> None:
    assert found("node-replaced", f"{HEAD} {override}") == []


def test_a_choice_of_a_group_is_no_text_over_a_node() -> None:
    script = "torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer engine=megatron optim=megatron"
    assert found("node-replaced", script) == []


# --------------------------------------------------------------------------- interpolation-unresolved, key-not-read


def test_a_reference_to_a_key_is_no_variable() -> None:
    kept = "'trainer.default_local_dir=/c/${trainer.project_name}/${oc.env:USER}' '+data.x=${.y}'"
    assert found("interpolation-unresolved", f"{HEAD} {kept}") == []
    assert only("interpolation-unresolved", f"{HEAD} 'trainer.project_name=${{NAME}}'").key == "trainer.project_name"


@pytest.mark.parametrize(
    ("value", "resolver", "help"),
    [
        ("${nosuch:x}", "nosuch", "if nosuch is a variable of bash, write double quotes"),
        ("a-${NNODES:-1}", "NNODES", "if NNODES is a variable of bash, write double quotes"),
        ("${oc.evn:HOME}", "oc.evn", "did you mean oc.env?"),
    ],
)
def test_a_resolver_that_nothing_registers(value: str, resolver: str, help: str) -> None:
    finding = only("interpolation-unresolved", f"{HEAD} 'trainer.project_name={value}'")
    assert finding.message.startswith(f"trainer.project_name asks the resolver {resolver},")
    assert finding.help == help
    imports = "export VERL_USE_EXTERNAL_MODULES=mine\n"
    assert found("interpolation-unresolved", f"{imports}{HEAD} 'trainer.project_name={value}'") == []


def test_a_resolver_that_the_code_of_a_checkout_registers_is_known_to_it() -> None:
    given = {"trainer.project_name": "${half:4}"}
    fork = replace(load_schema("0.9.1"), date=None, registered=("half",))
    assert findings("interpolation-unresolved", subject(given, schema=fork)) == []
    assert findings("interpolation-unresolved", subject(given)) != []


@pytest.mark.parametrize(
    "value", ["${oc.env:USER}", "${now:%Y}", "${hydra:job.name}", "${oc.select:trainer.device,cpu}"]
)
def test_resolvers_of_omegaconf_and_hydra(value: str) -> None:
    assert found("interpolation-unresolved", f"{HEAD} 'trainer.project_name={value}'") == []


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
    ("word", "meant"),
    [
        ("ray_kwargs.ray_init.runtime_env.env_var.NAME", "ray_kwargs.ray_init.runtime_env.env_vars.NAME"),
        ("ray_kwargs.ray_init.runtime_env.env_vars.NAME", None),
        ("ray_kwargs.ray_init.runtime_env.plugin_of_mine", None),
        (
            "actor_rollout_ref.actor.fsdp_config.mixed_precision.param_dtyp",
            "actor_rollout_ref.actor.fsdp_config.mixed_precision.param_dtype",
        ),
        ("actor_rollout_ref.actor.fsdp_config.mixed_precision.reduce_dtype", None),
    ],
)
def test_nodes_that_take_any_key_of_which_few_are_read(word: str, meant: str | None) -> None:
    helps = [finding.help for finding in found("added-key-misspelled", f"{HEAD} +{word}=x")]
    assert helps == ([] if meant is None else [f"write {meant} if that is meant"])


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
    finding = only("override-syntax", f"{HEAD} 'trainer.experiment_name=npu}}'")
    assert "nothing opens the `}` here" in finding.message
    assert str(finding.help).startswith("remove the }")


def test_a_key_is_set_twice_in_a_program_of_unknown_config() -> None:
    head = "python3 -m recipe.mine.main_mine data.truncation=left"
    assert only("duplicate-override", f"{head} trainer.nnodes=2 data.truncation=left").severity == "info"
    assert only("duplicate-override", f"{head} data.truncation=right").severity == "warning"
    assert found("duplicate-override", f"SIDE=$(cat side)\n{head} data.truncation=$SIDE") == []


def test_an_added_key_that_other_trainers_have_is_another_one_here() -> None:
    finding = only("added-key-misspelled", f"{HEAD} +trainer.max_steps=100")
    assert finding.help == "write trainer.total_training_steps if that is meant"
    assert found("added-key-misspelled", f"{HEAD} +trainer.max_steps=9 trainer.total_training_steps=100") == []
    assert found("added-key-misspelled", f"{HEAD} +mine.max_steps=9") == []
