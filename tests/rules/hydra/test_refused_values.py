"""What comes to light behind Hydra's back: fields and values that verl refuses or ignores."""

from dataclasses import replace

import pytest

from lint.rules.hydra import value_type
from lint.rules.tables import rows_beside
from lint.schema.load import load
from tests.rules.factory import findings, subject
from tests.rules.hydra.scripts import HEAD, only
from tests.rules.pipeline import found

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
        ("trainer.nnodes=abc", "is the text 'abc', not an integer"),
        ("actor_rollout_ref.rollout.temperature=hot", "is the text 'hot', not a number"),
        ("actor_rollout_ref.rollout.max_model_len=long", "is the text 'long', not an integer or null"),
        ("trainer.total_training_steps=many", "is the text 'many', not an integer or null"),
        (
            "trainer.save_freq=after_each_epoch",
            "is the text 'after_each_epoch', not an integer",
        ),  # PPO compares it with 0
        ("data.train_batch_size=1e3", "is 1000.0, not an integer"),
        ("actor_rollout_ref.actor.ppo_mini_batch_size=32.0", "is 32.0, not an integer"),
        ("trainer.default_hdfs_dir=None", "is the text 'None', which is not null"),
        ("actor_rollout_ref.rollout.max_model_len=None", "is the text 'None', which is not null"),
        ("actor_rollout_ref.rollout.n=1.5", "is 1.5, not an integer"),
        ("actor_rollout_ref.rollout.n=True", "is True, a boolean that counts as 1, not an integer"),
        ("actor_rollout_ref.actor.optim.lr=True", "is True, a boolean that counts as 1, not a number"),
        ("actor_rollout_ref.actor.ppo_mini_batch_size=False", "is False, a boolean that counts as 0, not an integer"),
        ("trainer.save_freq=True", "is True, a boolean that counts as 1, not an integer"),
        ("trainer.nnodes=true", "is True, a boolean that counts as 1, not an integer"),
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
        "algorithm.gamma=\\${algorithm.lam}",
        "algorithm.rollout_correction.rollout_is_threshold=0.5_4.0",
        "trainer.nnodes=$NNODES",
        "trainer.total_training_steps=null",
        "trainer.esi_redundant_time=30.0",
        "trainer.experiment_name=None",
        "trainer.test_freq=False",  # never, as 0
    ],
)
def test_values_that_may_be_right(word: str) -> None:
    assert found("value-type", f"{HEAD} {word}") == []


ACTOR, ROLLOUT = "actor_rollout_ref.actor", "actor_rollout_ref.rollout"


@pytest.mark.parametrize(
    ("overrides", "severity"),
    [
        ({"trainer.nnodes": "abc"}, "error"),
        ({"trainer.n_gpus_per_node": 8.5}, "error"),
        ({f"{ACTOR}.optim.lr": "le-6"}, "error"),
        ({f"{ACTOR}.ppo_micro_batch_size_per_gpu": "two", f"{ACTOR}.use_dynamic_bsz": "False"}, "error"),
        ({f"{ACTOR}.ppo_micro_batch_size_per_gpu": "two"}, "warning"),  # not read with dynamic batches
        ({f"{ROLLOUT}.tensor_model_parallel_size": "two"}, "error"),
        ({f"{ROLLOUT}.checkpoint_engine.update_weights_bucket_megabytes": "4096MB"}, "error"),
        ({f"{ROLLOUT}.gpu_memory_utilization": "70%"}, "error"),
        ({"trainer.nnodes": "True"}, "warning"),  # one node, silently
        ({f"{ACTOR}.ppo_mini_batch_size": 32.0}, "warning"),
        ({"trainer.total_epochs": "many"}, "warning"),
    ],
)
def test_a_type_with_which_the_run_certainly_ends_is_an_error(overrides: dict[str, object], severity: str) -> None:
    assert [one.severity for one in findings("value-type", subject(overrides))] == [severity]


def test_the_origin_of_a_wrong_value_is_shown() -> None:
    finding = only("value-type", f"NODES=abc\n{HEAD} trainer.nnodes=$NODES")
    assert [one.message for one in finding.related] == ["value of NODES comes from here"]


def test_every_key_of_the_table_exists_and_names_its_source() -> None:
    trees = [subject({"model_engine": engine}).config for engine in ("dp", "megatron")]
    for row in rows_beside(value_type.__file__):
        assert row["because"]
        assert row["source"]
        assert all(any(tree.get(key) is not None for tree in trees) for key in row["keys"])


def test_the_sft_trainer_knows_one_word_for_a_frequency() -> None:
    start = "torchrun -m verl.trainer.sft_trainer trainer.test_freq="
    assert found("value-type", f"{start}after_each_epoch") == []
    assert found("value-type", f"{start}each_epoch")


def test_only_the_last_value_of_a_key_is_judged() -> None:
    script = f"{HEAD} actor_rollout_ref.actor.use_kl_loss=off actor_rollout_ref.actor.use_kl_loss=True"
    assert found("value-type", script) == []


def test_a_value_that_a_dataclass_refuses_names_the_allowed_ones() -> None:
    finding = only("value-not-allowed", f"{HEAD} actor_rollout_ref.actor.loss_agg_mode=token-means")
    assert "allows token-mean, token-sum" in finding.message
    assert finding.help == "did you mean token-mean?"


def test_nothing_enforces_a_literal_when_the_config_is_read() -> None:
    launch = f"{HEAD} model_engine=torchtitan actor_rollout_ref.actor.torchtitan.reshard_after_forward=sometimes"
    finding = only("value-not-allowed", launch)
    assert (finding.severity, finding.message.endswith("allows default, always, never")) == ("warning", True)


def test_a_mandatory_value_is_missed() -> None:
    assert only("mandatory-value-missing", "python3 -m verl.trainer.main_ppo trainer.nnodes=1").message.startswith(
        "actor_rollout_ref.rollout.name is mandatory"
    )
    assert found("mandatory-value-missing", f"{HEAD} trainer.nnodes=1") == []
    assert found("mandatory-value-missing", "torchrun -m verl.trainer.sft_trainer trainer.nnodes=1") == []


def test_an_empty_value_from_a_variable_is_the_variables_mistake() -> None:
    assert found("value-type", f"{HEAD} data.train_batch_size= ")
    joined = f"ray job submit --no-wait -- {HEAD} data.train_batch_size=$batch_size"
    assert found("value-type", f"{HEAD} data.train_batch_size=$batch_size") == []
    assert found("value-type", joined) == []


def test_a_fork_may_read_a_name_where_its_own_default_is_false() -> None:
    """MemAgent's verl has `recurrent.enable: False` and takes the name of a configuration for it."""
    release = load("0.9.1")
    folder = "verl/trainer/config"
    file = release.folders[folder]["ppo_trainer"]
    fork = replace(
        release,
        date=None,
        folders={
            **release.folders,
            folder: {
                **release.folders[folder],
                "ppo_trainer": replace(file, body={**file.body, "recurrent": {"enable": False}}),
            },
        },
    )
    launched = subject({"recurrent.enable": "memory", "trainer.val_only": "memory"}, schema=fork)
    assert [finding.key for finding in findings("value-type", launched)] == ["trainer.val_only"]
