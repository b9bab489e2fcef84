"""Settings that only a run could tell, or of the wrong kind: nothing is computed from what may be otherwise."""

from __future__ import annotations

import pytest

from lint.bash.files import NoFiles
from lint.checking.examination import Request
from lint.checking.linter import understand
from lint.files.sources import Files
from lint.memory.inputs import MemoryInputs, NotEnough
from lint.memory.reading import read_inputs
from lint.settings import ScriptSettings
from lint.text import Source
from tests.memory.launches import ACTOR, ROLLOUT, inputs
from tests.memory.test_reading import launched, reasons
from tests.rules.factory import subject

MODEL = "actor_rollout_ref.model"
FSDP = f"python3 -m verl.trainer.main_ppo {MODEL}.path=Qwen/Qwen3-8B {ROLLOUT}.name=vllm data.train_files=gsm8k"
MEGATRON = f"{FSDP} model_engine=megatron"
OPTIMIZER = f"{ACTOR}.optim.override_optimizer_config"
TRANSFORMER = f"{ACTOR}.megatron.override_transformer_config"
TEACHER = "distillation.teacher_models.mathematics"


@pytest.mark.parametrize(
    "key",
    [
        f"{ROLLOUT}.tensor_model_parallel_size",
        f"{ROLLOUT}.gpu_memory_utilization",
        f"{ROLLOUT}.max_model_len",
        f"{ROLLOUT}.n",
        "data.train_batch_size",
        f"{ACTOR}.ppo_mini_batch_size",
        f"{ACTOR}.ppo_micro_batch_size_per_gpu",
        f"{ACTOR}.ulysses_sequence_parallel_size",
        f"{ACTOR}.fsdp_config.ulysses_sequence_parallel_size",
        f"{ACTOR}.fsdp_config.fsdp_size",
        f"{ACTOR}.use_kl_loss",
        f"{MODEL}.lora_rank",
        f"{MODEL}.lora.rank",
        "algorithm.adv_estimator",
        "critic.enable",
        "trainer.use_v1",
        "trainer.v1.trainer_mode",
    ],
)
def test_a_size_or_choice_that_only_a_run_knows_is_not_taken_for_its_default(key: str) -> None:
    assert reasons(launched(f"{FSDP} {key}=$(read_it)")).startswith(f"{key} is not known before a run")


@pytest.mark.parametrize(
    "key",
    [
        f"{ACTOR}.megatron.tensor_model_parallel_size",
        f"{ACTOR}.megatron.expert_tensor_parallel_size",
        f"{ACTOR}.megatron.virtual_pipeline_model_parallel_size",
        f"+{TRANSFORMER}.recompute_granularity",
        f"+{TRANSFORMER}.num_layers_in_first_pipeline_stage",
        f"+{OPTIMIZER}.optimizer_cpu_offload",
        f"+{OPTIMIZER}.optimizer_offload_fraction",
    ],
)
def test_so_are_those_of_megatron(key: str) -> None:
    assert f"{key.removeprefix('+')} is not known before a run" in reasons(launched(f"{MEGATRON} {key}=$(read_it)"))


def test_what_no_size_follows_from_may_be_unknown() -> None:
    found = read_inputs(launched(f"{MEGATRON} +{TRANSFORMER}.moe_router_dtype=$(read_it) trainer.project_name=$(date)"))
    assert isinstance(found, MemoryInputs)


def test_an_estimator_is_not_asked_for_where_the_critic_is_said() -> None:
    found = read_inputs(launched(f"{FSDP} algorithm.adv_estimator=$(read_it) critic.enable=False"))
    assert isinstance(found, MemoryInputs)


def test_samples_of_a_micro_batch_are_not_asked_for_where_tokens_bound_it() -> None:
    values = f"{ACTOR}.use_dynamic_bsz=True {ACTOR}.ppo_micro_batch_size_per_gpu=$(read_it)"
    assert isinstance(read_inputs(launched(f"{FSDP} {values}")), MemoryInputs)


@pytest.mark.parametrize(("written", "shown"), [("", "''"), ("eight", "'eight'"), ("8.0", "8.0"), ("True", "True")])
def test_a_size_that_is_no_number_is_not_taken_for_its_default(written: str, shown: str) -> None:
    key = f"{ROLLOUT}.tensor_model_parallel_size"
    assert reasons(launched(f"{FSDP} {key}={written}")) == f"{key} is {shown}, not a whole number"


def test_a_number_of_hundreds_of_digits_is_no_size() -> None:
    huge, key = "1" + "0" * 400, f"{ROLLOUT}.tensor_model_parallel_size"
    shown = "100000000000000000...0000000000000000000"
    assert reasons(launched(f"{FSDP} {key}={huge}")) == f"{key} is {shown}, more than 64 bits hold"
    assert isinstance(read_inputs(launched(f"{FSDP} data.train_batch_size={huge}")), MemoryInputs)
    for count in ("trainer.n_gpus_per_node", "trainer.nnodes"):
        assert isinstance(read_inputs(launched(f"{FSDP} {count}={huge}")), NotEnough)


def test_a_null_where_the_release_has_a_number_is_not_taken_for_it() -> None:
    key = f"{ROLLOUT}.tensor_model_parallel_size"
    assert reasons(launched(f"{FSDP} {key}=null")) == f"{key} is null, not a whole number"
    assert isinstance(read_inputs(launched(f"{FSDP} {ROLLOUT}.max_model_len=null")), MemoryInputs)


@pytest.mark.parametrize(
    ("key", "name"), [(f"{ACTOR}.fsdp_config.model_dtype", "fp64"), (f"{ROLLOUT}.dtype", "float8")]
)
def test_a_precision_that_nothing_knows_is_not_taken_for_another(key: str, name: str) -> None:
    assert reasons(launched(f"{FSDP} {key}={name}")) == f"{key} is '{name}', no precision that is known"


def test_the_size_of_communicators_is_not_guessed() -> None:
    found = launched(f"HCCL_BUFFSIZE=$(read_it) {FSDP}")
    assert isinstance(read_inputs(found), NotEnough)
    assert reasons(found) == "HCCL_BUFFSIZE is not known before a run"


def test_an_added_teacher_without_a_size_has_the_default_of_the_class() -> None:
    """`RolloutConfig.tensor_model_parallel_size` is 2: a node that the config does not have sets nothing."""
    values: dict[str, object] = {
        "distillation.enabled": True,
        f"+{TEACHER}.model_path": "Qwen/Qwen3-32B",
        f"+{TEACHER}.inference.name": "vllm",
    }
    (teacher,) = inputs(subject(values, device="h100")).served
    assert (teacher.engine.tensor, teacher.engine.max_sequences) == (2, 1024)


@pytest.mark.parametrize("word", ["$(cat overrides)", f"{ROLLOUT}.$(read_it)=8"])
def test_a_word_that_may_set_anything_leaves_nothing_to_compute(word: str) -> None:
    assert "may set anything" in reasons(launched(f"{FSDP} {word}"))


def test_a_launch_for_another_kind_than_the_stated_device_says_which() -> None:
    script = f'case "${{DEVICE:-auto}}" in gpu) {FSDP} trainer.nnodes=1 ;; *) exit 1 ;; esac\n'
    request = Request(ScriptSettings(), ScriptSettings(device="ascend-a2", release="0.9.1"))
    (found,) = understand(Source("run.sh", script), request, Files(NoFiles(), ".")).subjects
    assert "the script starts this launch for a GPU, and none is stated: give one with --device" in reasons(found)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("rollout.gpu_memory_utilization", float("nan"), "is nan, not a number"),
        ("rollout.gpu_memory_utilization", float("inf"), "is inf, not a number"),
        ("rollout.tensor_model_parallel_size", 0, "is 0, below 1"),
        ("rollout.n", -4, "is -4, below 1"),
        ("rollout.max_num_seqs", 0, "is 0, below 1"),
        ("actor.fsdp_config.ulysses_sequence_parallel_size", -2, "is -2, below 1"),
    ],
)
def test_sizes_that_no_launch_starts_with_are_not_computed_with(key: str, value: object, said: str) -> None:
    found = read_inputs(subject({f"actor_rollout_ref.{key}": value}, model="Qwen3-8B", device="h100"))
    assert isinstance(found, NotEnough)
    assert f"actor_rollout_ref.{key} {said}" in found.reasons


def test_a_rank_below_zero_trains_no_adapter() -> None:
    whole, negative = (
        inputs(subject({"actor_rollout_ref.model.lora_rank": rank}, model="Qwen3-8B", device="h100"))
        for rank in (0, -1)
    )
    assert negative == whole
