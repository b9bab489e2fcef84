"""What the engines that build on FSDP, and Megatron-FSDP, keep on a device."""

from __future__ import annotations

from typing import Any

import pytest

from lint.memory.inputs import Engine, Fsdp, Megatron, MemoryInputs, NotEnough
from lint.memory.phases import fullest, moments
from lint.memory.reading import read_inputs
from lint.memory.terms import GIB
from lint.memory.trainer_fsdp import shard, states
from tests.memory.launches import ACTOR, inputs
from tests.rules.factory import subject

TITAN = f"{ACTOR}.torchtitan"
QWEN3_8B = 8190735360  # parameters


def launched(settings: dict[str, Any], devices: int = 8, model: str = "Qwen3-8B") -> MemoryInputs:
    return inputs(subject(settings, model=model, device="h100", devices=devices))


def fsdp(found: MemoryInputs) -> Fsdp:
    engine: Engine = found.actor.engine
    assert isinstance(engine, Fsdp)
    return engine


# -------------------------------------------------------------------------------------------------------- torchtitan


def titan(devices: int = 8, **sizes: Any) -> MemoryInputs:
    settings = {f"{TITAN}.{name}": value for name, value in sizes.items()}
    return launched({"model_engine": "torchtitan", **settings}, devices)


def test_torchtitan_divides_by_tensor_parallel_ranks_and_shards_what_is_left() -> None:
    engine = fsdp(titan(devices=16, tensor_parallel_size=2, data_parallel_replicate_size=2))
    assert (engine.tensor, engine.shard) == (2, 4)


def test_torchtitan_keeps_float32_parameters_and_moments() -> None:
    found = titan(tensor_parallel_size=2)
    assert shard(found.model, fsdp(found)) == QWEN3_8B * 4 / 8
    assert states(found.actor, fsdp(found)) == QWEN3_8B * 8 / 8


def test_torchtitan_gathers_the_logits_of_all_tensor_parallel_ranks() -> None:
    """Their token budgets are one: the ranks divide a sample, and each holds all of its logits."""

    def logits(found: MemoryInputs) -> int:
        return fullest(moments(found, "expected"), "ref_log_prob").components["logits"]

    values: dict[str, Any] = {
        "model_engine": "torchtitan",
        f"{ACTOR}.use_kl_loss": True,
        f"{ACTOR}.ppo_max_token_len_per_gpu": 4096,
        "data.train_batch_size": 4096,
    }
    alone = launched(values)
    pair = launched({**values, f"{TITAN}.tensor_parallel_size": 2})
    assert logits(pair) == pytest.approx(2 * logits(alone), rel=0.1)


@pytest.mark.parametrize(("mode", "kept"), [("full", 0.0), ("selective", 0.25), ("none", 1.0)])
def test_torchtitan_says_itself_what_is_computed_again(mode: str, kept: float) -> None:
    assert titan(activation_checkpoint=mode).actor.kept_activations == kept


def test_a_pipeline_in_torchtitan_is_refused() -> None:
    settings = {"model_engine": "torchtitan", f"{TITAN}.pipeline_parallel_size": 2}
    found = read_inputs(subject(settings, device="h100"))
    assert isinstance(found, NotEnough)
    assert "verl refuses pipeline parallelism in torchtitan" in found.reasons[0]


# --------------------------------------------------------------------------------------------------------- automodel


def automodel(model: str, settings: dict[str, Any]) -> MemoryInputs:
    values: dict[str, object] = {
        "actor_rollout_ref.rollout.name": None,
        "algorithm.adv_estimator": None,
        f"{ACTOR}.use_dynamic_bsz": None,
        "model.path": f"Qwen/{model}",
        "engine": "automodel",
        "optim": "automodel",
        **settings,
    }
    return inputs(subject(values, model=model, device="h100", entry_point="verl.trainer.sft_trainer_ray"))


def test_the_optimizer_of_automodel_says_what_it_keeps() -> None:
    """float32 moments; or bfloat16 ones and the lower halves of the master copy."""
    assert fsdp(automodel("Qwen3-8B", {})).state_bytes == 8
    halves = {"optim.exp_avg_dtype": "bf16", "optim.exp_avg_sq_dtype": "bf16"}
    master = {"optim.master_weights": True, "optim.store_param_remainders": True}
    assert fsdp(automodel("Qwen3-8B", {**halves, **master})).state_bytes == 2 + 2 + 2


def test_automodel_leaves_layers_whole_between_micro_batches_where_experts_are_split() -> None:
    settings: dict[str, Any] = {"engine.ep_size": 8, "engine.backend_config.enable_fsdp_optimizations": True}
    waiting = automodel("Qwen3-30B-A3B", settings)
    assert (fsdp(waiting).deferred_sync, fsdp(waiting).deferred_reshard) == (True, True)
    at_once = automodel("Qwen3-8B", settings)
    assert (fsdp(at_once).deferred_sync, fsdp(at_once).deferred_reshard) == (False, False)
    gathered = fullest(moments(waiting, "expected"), "train").components["gathered_layers"]
    own = waiting.model.parameters.total - 48 * waiting.model.parameters.experts_layer * 7 / 8
    assert gathered > 2 * own


def test_every_rank_of_data_parallelism_holds_a_copy() -> None:
    assert fsdp(automodel("Qwen3-0.6B", {"engine.distributed_strategy": "ddp"})).shard == 1


# ----------------------------------------------------------------------------------------------------- megatron-fsdp


def test_megatron_fsdp_divides_parameters_and_gradients_too() -> None:
    def static(sharded: bool) -> dict[str, int]:
        settings = {"model_engine": "megatron", f"{ACTOR}.megatron.use_megatron_fsdp": sharded}
        found = launched(settings)
        assert isinstance(found.actor.engine, Megatron)
        sizes = fullest(moments(found, "expected"), "update_actor").components
        return {name: size for name, size in sizes.items() if name in ("parameters", "gradients", "optimizer")}

    whole, sharded = static(False), static(True)
    assert sharded["parameters"] == pytest.approx(whole["parameters"] / 8, rel=1e-3)
    assert sharded["gradients"] == pytest.approx(whole["gradients"] / 8, rel=1e-3)
    assert sharded["optimizer"] == whole["optimizer"]


# ------------------------------------------------------------------------------------------- without recomputation


def test_what_no_layer_computes_again_is_there_beside_the_logits() -> None:
    def logits_moment(checkpointing: bool) -> dict[str, int]:
        settings = {"actor_rollout_ref.model.enable_gradient_checkpointing": checkpointing}
        found = moments(launched(settings), "expected")
        chosen = next(moment for moment in found if moment.phase == "update_actor" and moment.stage == "logits")
        return {str(name): size for name, size in chosen.components.items()}

    assert logits_moment(False)["activations"] - logits_moment(True)["activations"] > 20 * GIB


# ----------------------------------------------------------------------------------------------------------- teacher


def test_a_teacher_holds_its_own_devices_and_the_log_probabilities_of_whole_samples() -> None:
    settings: dict[str, Any] = {
        "distillation.enabled": True,
        "distillation.teacher_models.teacher_model.model_path": "Qwen/Qwen3-32B",
        "data.max_prompt_length": 1024,
        "data.max_response_length": 3071,
    }
    teaching = fullest(moments(launched(settings), "expected"), "teacher")
    assert teaching.stage == "teacher, its own devices"
    assert teaching.components["logits"] == 4096 * 151936 * (2 + 4 + 4)
    assert "parameters" not in teaching.components


@pytest.mark.parametrize(("strategy", "effective"), [("fsdp", False), ("fsdp2", True)])
def test_only_fsdp2_has_an_offload_policy(strategy: str, effective: bool) -> None:
    engine = launched({f"{ACTOR}.strategy": strategy, f"{ACTOR}.fsdp_config.offload_policy": "True"}).actor.engine
    assert isinstance(engine, Fsdp)
    assert engine.offload_policy is effective
