"""What the memory model takes from a launch: engines, sizes, and what it refuses to guess."""

from __future__ import annotations

import pytest

from lint.checking.examination import Request
from lint.checking.linter import understand
from lint.files.sources import files_beside
from lint.memory.inputs import Fsdp, Megatron, MemoryInputs, NotEnough
from lint.memory.lengths import Packing, usual_sequences
from lint.memory.reading import read_inputs
from lint.settings import ScriptSettings
from lint.subject.subject import Subject
from lint.text import Source
from tests.memory.launches import ACTOR, ROLLOUT, inputs, story
from tests.rules.factory import subject

MEGATRON: dict[str, object] = {"model_engine": "megatron"}
ASYNCHRONOUS = "verl.experimental.fully_async_policy.fully_async_main"


def launched(script: str) -> Subject:
    request = Request(ScriptSettings(), ScriptSettings(device="h100"))
    (found,) = understand(Source("run.sh", script), request, files_beside("run.sh")).subjects
    return found


def reasons(launch: Subject) -> str:
    found = read_inputs(launch)
    assert isinstance(found, NotEnough), found
    return "; ".join(found.reasons)


# ------------------------------------------------------------------------------------------------------------ engines


def test_an_engine_whose_node_the_config_does_not_have_is_refused() -> None:
    """Hydra fails at the keys under it; sizes taken from defaults would say nothing about the launch."""
    launch = subject({f"{ACTOR}.strategy": "megatron"}, device="h100")
    assert reasons(launch) == f"the strategy of actor is megatron, but the config has no {ACTOR}.megatron"


def test_a_config_group_from_elsewhere_is_not_taken_for_the_default() -> None:
    script = f"python3 -m verl.trainer.main_ppo actor@{ACTOR}=mlite_actor actor_rollout_ref.model.path=Qwen/Qwen3-8B"
    assert "actor@actor_rollout_ref.actor has no option `mlite_actor`" in reasons(
        launched(script + " trainer.nnodes=1")
    )


def test_veomni_splits_experts_before_it_shards() -> None:
    values: dict[str, object] = {"model_engine": "veomni", f"{ACTOR}.veomni.expert_parallel_size": 8}
    engine = inputs(subject(values, model="Qwen3-30B-A3B", device="h100")).actor.engine
    assert isinstance(engine, Fsdp)
    assert (engine.version, engine.family, engine.expert) == (2, "veomni", 8)


@pytest.mark.parametrize(
    ("strategy", "deferred"), [("fsdp", True), ("fsdp2", True), ("fsdp_turbo", False), ("veomni", False)]
)
def test_only_fsdp_itself_keeps_gradients_whole_between_micro_batches(strategy: str, deferred: bool) -> None:
    """VeOmni goes over the micro-batches in a loop of its own, FSDP-Turbo overrides the switch."""
    chosen: dict[str, object] = {f"{ACTOR}.strategy": strategy}
    if strategy == "veomni":
        chosen = {"model_engine": "veomni"}
    engine = inputs(subject(chosen, device="h100", release="0.9.0")).actor.engine
    assert isinstance(engine, Fsdp)
    assert engine.deferred_sync is deferred


def test_fsdp_turbo_has_a_switch_of_its_own_for_recomputation() -> None:
    def checkpointing(**more: object) -> bool:
        values = {
            f"{ACTOR}.strategy": "fsdp_turbo",
            "actor_rollout_ref.model.enable_gradient_checkpointing": False,
            **{f"+{ACTOR}.fsdp_config.turbo_config.memory.{name}": value for name, value in more.items()},
        }
        return inputs(subject(values, device="ascend-a3")).actor.gradient_checkpointing

    assert not checkpointing()
    assert checkpointing(recompute=True)


# --------------------------------------------------------------------------------------------------------------- SFT

SFT = "-m verl.trainer.sft_trainer model.path=Qwen/Qwen3-8B data.train_files=gsm8k engine=fsdp"


@pytest.mark.parametrize("option", ["--nproc_per_node=8", "--nproc-per-node 8"])
def test_the_devices_of_the_sft_trainer_are_the_processes_of_torchrun(option: str) -> None:
    found = inputs(launched(f"torchrun --nnodes=2 {option} {SFT}"))
    assert (found.program, found.nodes, found.devices_per_node) == ("sft", 2, 8)
    assert found.rollout is None
    assert found.reference is None


def test_a_number_of_processes_that_only_a_run_knows_is_asked_for() -> None:
    assert "--nproc_per_node is not known: give --devices" in reasons(launched(f"torchrun --nproc_per_node=gpu {SFT}"))


def test_the_callers_number_of_devices_counts() -> None:
    found = read_inputs(launched(f"torchrun --nproc_per_node=gpu {SFT}"), devices=4)
    assert isinstance(found, MemoryInputs)
    assert found.world == 4


# ------------------------------------------------------------------------------------------------- log-probabilities


def recomputes(values: dict[str, object], entry_point: str = "verl.trainer.main_ppo", release: str = "0.9.1") -> bool:
    return inputs(subject(values, device="h100", entry_point=entry_point, release=release)).recomputes_log_probs


def test_the_trainer_computes_log_probabilities_unless_it_takes_those_of_the_rollout() -> None:
    assert recomputes({})
    assert not recomputes({"algorithm.rollout_correction.bypass_mode": True})


@pytest.mark.parametrize("release", ["0.8.0", "0.9.1"])
def test_fully_asynchronous_trainers_take_them_by_default(release: str) -> None:
    own: dict[str, object] = {"rollout.nnodes": 1, "rollout.n_gpus_per_node": 8}
    assert not recomputes(own, ASYNCHRONOUS, release)
    assert recomputes({**own, "algorithm.rollout_correction.bypass_mode": False}, ASYNCHRONOUS, release)


def test_a_step_of_the_fully_asynchronous_trainer_is_some_mini_batches() -> None:
    values: dict[str, object] = {
        "data.train_batch_size": 0,
        f"{ACTOR}.ppo_mini_batch_size": 32,
        f"{ROLLOUT}.n": 16,
        "async_training.require_batches": 4,
        "rollout.nnodes": 1,
        "rollout.n_gpus_per_node": 8,
    }
    found = inputs(subject(values, device="h100", entry_point=ASYNCHRONOUS))
    assert found.actor.batches.step_rows == 4 * 32 * 16


# ------------------------------------------------------------------------------------------------------------ lengths


def padded(release: str, **more: object) -> int:
    values: dict[str, object] = {
        "data.max_prompt_length": 1024,
        "data.max_response_length": 2048,
        "actor_rollout_ref.model.use_remove_padding": False,
        **more,
    }
    return inputs(subject(values, device="h100", release=release)).actor.batches.update.padded


def test_workers_of_0_7_pad_to_the_limits_and_engines_to_the_longest_sample() -> None:
    assert padded("0.7.1") == 3072
    assert padded("0.9.1") == 512 + 2048
    assert padded("0.9.1", **{"actor_rollout_ref.model.use_remove_padding": True}) == 0


def test_megatron_of_0_7_packs_whatever_the_switch_says() -> None:
    values: dict[str, object] = {"actor_rollout_ref.model.use_remove_padding": False}
    flags = ("--config-name=ppo_megatron_trainer",)
    found = inputs(subject({**values, f"{ACTOR}.strategy": "megatron"}, device="h100", release="0.7.1", flags=flags))
    assert isinstance(found.actor.engine, Megatron)
    assert found.actor.batches.update.padded == 0


def test_chunks_need_packed_samples_in_fsdp_and_not_in_megatron() -> None:
    values: dict[str, object] = {"actor_rollout_ref.model.use_remove_padding": False}
    fsdp = {**values, f"{ACTOR}.fsdp_config.entropy_from_logits_with_chunking": True}
    megatron = {**values, **MEGATRON, f"{ACTOR}.megatron.entropy_from_logits_with_chunking": True}
    assert not inputs(subject(fsdp, device="h100")).actor.chunked_entropy
    assert inputs(subject(megatron, device="h100")).actor.chunked_entropy


@pytest.mark.parametrize(
    ("data", "model", "tokens"),
    [
        ("dapo-math-17k.parquet", "Qwen2.5-7B", 1650),
        ("dapo-math-17k.parquet", "Qwen3-14B-Base", 3500),
        ("unheard-of.parquet", "Qwen2.5-7B", 7004),  # 35 % of the limits
    ],
)
def test_a_usual_sample_is_a_measured_one_where_there_is_a_measurement(data: str, model: str, tokens: int) -> None:
    assert usual_sequences(data, model, 20000, 18000)[0] == tokens


def test_without_a_measurement_five_lengths_are_as_likely_as_far_apart_as_those_of_other_runs() -> None:
    tokens, possible, _ = usual_sequences("unheard-of.parquet", "Qwen2.5-7B", 20000, 18000)
    assert len(possible) == 5
    assert possible[0] < 0.15 * 20000 < tokens < 0.65 * 20000 < possible[-1]
    assert sum(possible) / 5 == pytest.approx(tokens, rel=0.03)


def test_lengths_on_a_known_data_set_lie_closer_together() -> None:
    _, known, _ = usual_sequences("gsm8k/train.parquet", "Qwen2.5-7B", 20000, 18000)
    _, unknown, _ = usual_sequences("unheard-of.parquet", "Qwen2.5-7B", 20000, 18000)
    assert known[-1] / known[0] < 2 < unknown[-1] / unknown[0]


def test_short_prompts_leave_no_room_to_answers_beyond_their_limit() -> None:
    tokens, possible, _ = usual_sequences("gsm8k/train.parquet", "Qwen3-8B", 2048, 1024)
    assert max(tokens, *possible) == 105 + 1024


def test_a_length_that_is_given_leaves_nothing_to_assume_but_what_samples_are_padded_to() -> None:
    given = read_inputs(subject({}, device="h100"), 500)
    assert isinstance(given, MemoryInputs)
    assert {sample.usual for sample in given.samples} == {500}


# ----------------------------------------------------------------------------------------------------------- software


def test_segments_grow_while_training_only_beside_a_rollout_or_if_told_to() -> None:
    own: dict[str, object] = {"rollout.nnodes": 1, "rollout.n_gpus_per_node": 8}
    told = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}
    assert inputs(story()).expandable_segments
    assert inputs(subject({f"{ROLLOUT}.name": "trtllm"}, device="h100")).expandable_segments
    assert not inputs(subject(own, device="h100", entry_point=ASYNCHRONOUS)).expandable_segments
    assert inputs(subject(own, device="h100", entry_point=ASYNCHRONOUS, environment=told)).expandable_segments


def test_a_reward_model_is_read_on_shared_devices_and_on_its_own() -> None:
    values: dict[str, object] = {
        "reward.reward_model.enable": True,
        "reward.reward_model.model_path": "Qwen/Qwen3-4B",
        "reward.reward_model.rollout.name": "vllm",
    }
    (shared,) = inputs(subject(values, device="h100")).served
    (apart,) = inputs(subject({**values, "reward.reward_model.enable_resource_pool": True}, device="h100")).served
    assert (shared.model.name, shared.engine.colocated, apart.engine.colocated) == ("Qwen3-4B", True, False)


TEACHERS = "distillation.teacher_models"


def test_each_teacher_is_read_and_the_single_one_is_dropped_beside_others() -> None:
    one: dict[str, object] = {"distillation.enabled": True, f"{TEACHERS}.teacher_model.model_path": "Qwen/Qwen3-32B"}
    (single,) = inputs(subject(one, device="h100")).served
    assert (single.name, single.model.name, single.engine.colocated) == ("teacher", "Qwen3-32B", False)
    several = {f"+{TEACHERS}.{name}.model_path": f"Qwen/Qwen3-{size}" for name, size in (("a", "4B"), ("b", "14B"))}
    found = inputs(subject({**one, **several}, device="h100")).served
    assert [(teacher.name, teacher.model.name) for teacher in found] == [
        ("teacher a", "Qwen3-4B"),
        ("teacher b", "Qwen3-14B"),
    ]


def test_a_teacher_of_unknown_sizes_is_named() -> None:
    values: dict[str, object] = {"distillation.enabled": True, f"{TEACHERS}.teacher_model.model_path": "my/own"}
    found = inputs(subject(values, device="h100"))
    assert found.served == ()
    assert "teacher: teacher_model, whose sizes are not known" in found.unmodelled


def test_a_rollout_on_the_trainers_devices_is_named() -> None:
    values: dict[str, object] = {
        "rollout.nnodes": 1,
        "rollout.n_gpus_per_node": 8,
        "async_training.use_trainer_do_validate": True,
    }
    found = inputs(subject(values, device="h100", entry_point=ASYNCHRONOUS))
    assert "generate: the rollout that the trainer's devices hold besides" in found.unmodelled


def test_distillation_of_the_top_k_takes_the_whole_log_softmax_unless_in_chunks() -> None:
    loss = "distillation.distillation_loss"
    values: dict[str, object] = {"distillation.enabled": True, f"{loss}.loss_mode": "forward_kl_topk"}
    assert inputs(subject(values, device="h100")).actor.distills_top_k
    assert not inputs(subject({**values, f"+{loss}.use_chunked_topk": True}, device="h100")).actor.distills_top_k
    assert not inputs(subject({"distillation.enabled": True}, device="h100")).actor.distills_top_k
    megatron = inputs(subject({**values, **MEGATRON}, device="h100"))
    assert not megatron.actor.distills_top_k
    assert "update_actor: the top-k loss of distillation, which takes the logits once more" in megatron.unmodelled


@pytest.mark.parametrize(("data", "share"), [("geo3k/train.parquet", 0.5), ("gsm8k/train.parquet", 0.0)])
def test_a_data_set_of_text_has_no_images_for_a_vision_tower(data: str, share: float) -> None:
    values: dict[str, object] = {"data.train_files": data, "data.max_prompt_length": 4096}
    assert inputs(subject(values, model="Qwen3-VL-8B", device="h100")).image_share == share


def test_the_sft_trainer_on_megatron_needs_no_strategy() -> None:
    """McoreEngineConfig has it as a default of the class; the other engines write it."""
    found = inputs(launched(f"torchrun --nproc_per_node=8 {SFT.replace('engine=fsdp', 'engine=megatron')}"))
    assert isinstance(found.actor.engine, Megatron)


def test_mindspeed_is_megatron_with_settings_of_its_own() -> None:
    node = f"{ACTOR}.mindspeed"
    values: dict[str, object] = {
        "model_engine": "mindspeed",
        f"{node}.strategy": "mindspeed_megatron",
        f"{node}.tensor_model_parallel_size": 4,
        f"+{node}.mcore_kwargs.recompute_granularity": "full",
    }
    found = inputs(subject(values, device="ascend-a3", devices=16, release="0.9.0")).actor
    assert isinstance(found.engine, Megatron)
    assert (found.engine.tensor, found.engine.data, found.engine.recompute) == (4, 4, True)
    assert found.batches.groups == 4


# ------------------------------------------------------------------------------------------------------------- critic


def critic_update(release: str, **settings: object) -> Packing:
    values: dict[str, object] = {
        "algorithm.adv_estimator": "gae",
        "critic.use_dynamic_bsz": False,
        "critic.ppo_micro_batch_size_per_gpu": 2,
        **settings,
    }
    found = inputs(subject(values, model="Qwen3-8B", device="h100", devices=8, release=release))
    assert found.critic is not None
    return found.critic.batches.update


def test_a_critic_packs_by_tokens_where_no_other_key_reaches_its_engine() -> None:
    packed = critic_update("0.8.0", **{"critic.ppo_max_token_len_per_gpu": 4096})
    assert (packed.dynamic, packed.budget) == (True, 4096)


def test_v1_gives_it_the_budget_of_a_forward_pass() -> None:
    v1: dict[str, object] = {"trainer.use_v1": True, "critic.ppo_max_token_len_per_gpu": 4096}
    assert critic_update("0.9.1", **v1).budget == 32768


def test_the_workers_of_0_7_take_the_critics_keys() -> None:
    packed = critic_update("0.7.1")
    assert (packed.dynamic, packed.samples) == (False, 2)
