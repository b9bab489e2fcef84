"""A launch whose sizes do not go together fails before its memory matters: nothing is predicted, and it says why."""

from __future__ import annotations

import pytest

from lint.memory.knobs import rollout_advice
from lint.memory.layout import refusals
from lint.memory.report import LaunchMemory, launch_memory
from lint.memory.what_if import WhatIf, apply
from tests.memory.launches import ACTOR, BEFORE, ROLLOUT, inputs, story
from tests.rules.factory import subject

AS_WRITTEN = WhatIf()
MEGATRON = "actor_rollout_ref.actor.megatron"


def shown(
    overrides: dict[str, object], change: WhatIf = AS_WRITTEN, *, model: str = "Qwen3-8B", nodes: int = 1
) -> LaunchMemory:
    found = apply(inputs(subject(overrides, model=model, device="h100", nodes=nodes, devices=8)), change)
    return launch_memory("run.sh", 1, {}, model, "h100", found, change.words)


@pytest.mark.parametrize(
    ("overrides", "reason"),
    [
        (
            {f"{ROLLOUT}.tensor_model_parallel_size": 3},
            "8 devices of the rollout do not divide by",
        ),
        ({f"{ROLLOUT}.data_parallel_size": 6}, "tensor_model_parallel_size=2 (a replica of 12)"),
        ({f"{ACTOR}.ulysses_sequence_parallel_size": 3}, f"8 devices do not divide by {ACTOR}.ulysses_seq"),
        ({f"{ACTOR}.fsdp_config.fsdp_size": 5}, f"8 devices do not divide by {ACTOR}.fsdp_config.fsdp_size=5"),
    ],
)
def test_devices_that_do_not_divide(overrides: dict[str, object], reason: str) -> None:
    found = shown(overrides)
    assert found.verdict == "unknown"
    assert any(line.startswith("the launch fails at init: ") and reason in line for line in found.reasons)


def test_a_replica_that_is_no_whole_number_of_nodes() -> None:
    found = shown({f"{ROLLOUT}.tensor_model_parallel_size": 4, f"{ROLLOUT}.data_parallel_size": 3}, nodes=3)
    assert "(a replica of 12) is not a whole number of nodes of 8 devices" in found.reasons[0]


def test_heads_that_do_not_divide() -> None:
    found = shown({f"{ROLLOUT}.tensor_model_parallel_size": 8}, model="Qwen2.5-7B")
    assert found.reasons == (
        f"the launch fails at init: the 28 attention heads of Qwen2.5-7B do not divide by "
        f"{ROLLOUT}.tensor_model_parallel_size=8",
    )


def test_key_value_heads_that_neither_divide_nor_are_divided() -> None:
    found = shown({f"{ACTOR}.ulysses_sequence_parallel_size": 5}, model="Qwen3-14B", nodes=5)  # 40 and 8 heads
    assert "actor: the 8 key/value heads of Qwen3-14B neither divide by" in found.reasons[0]


def test_experts_of_the_rollout_are_split_over_a_whole_replica() -> None:
    found = shown({f"{ROLLOUT}.expert_parallel_size": 8}, model="Qwen3-30B-A3B")
    assert "expert_parallel_size=8 is neither 1 nor tensor 2 x data 1 parallel = 2" in found.reasons[0]


def separated(**more: object) -> LaunchMemory:
    """Servers of two devices, one that prefills and three that decode: a node of eight."""
    sizes: dict[str, object] = {"enabled": True, "decode_replicas": 3, **more}
    return shown({f"{ROLLOUT}.disaggregation.{name}": value for name, value in sizes.items()})


def test_servers_that_prefill_and_decode_fill_the_devices_together() -> None:
    found = separated()
    assert found.prediction is not None
    assert found.prediction.inputs.rollout is not None
    assert found.prediction.inputs.rollout.replica_devices == 8
    assert "generate: what hands caches from the server that prefills" in found.prediction.inputs.unmodelled[0]
    assert separated(decode_replicas=4).reasons == (
        f"the launch fails at init: {ROLLOUT}.disaggregation makes replicas of 5 servers of 2 devices, a node has 8",
    )
    assert "do not divide by replicas of 3 servers of 2: some get no server" in separated(decode_replicas=2).reasons[0]


def test_servers_are_not_separated_on_npus_or_over_data_parallel_ranks() -> None:
    separate: dict[str, object] = {f"{ROLLOUT}.disaggregation.enabled": True}
    assert refusals(inputs(subject(separate, device="h100"))) == ()
    assert refusals(inputs(subject(separate, device="ascend-a2"))) == (f"{ROLLOUT}.disaggregation is not for NPUs",)
    twice = inputs(subject({**separate, f"{ROLLOUT}.data_parallel_size": 2}, device="h100"))
    assert refusals(twice) == (f"{ROLLOUT}.data_parallel_size=2 is not for {ROLLOUT}.disaggregation",)


def test_servers_of_two_sizes_are_not_modelled() -> None:
    assert separated(decode_tensor_model_parallel_size=2).verdict != "unknown"
    with pytest.raises(AssertionError, match="prefills on 2 devices and decodes on 1"):
        separated(decode_tensor_model_parallel_size=1)


def test_a_replica_that_straddles_nodes() -> None:
    found = shown({f"{ROLLOUT}.tensor_model_parallel_size": 3, f"{ROLLOUT}.data_parallel_size": 2}, nodes=3)
    assert "replicas of 6 devices" in found.reasons[0]
    assert "do not fill a node of 8: some would straddle two nodes" in found.reasons[0]


def test_a_rollout_of_its_own_that_is_smaller_than_a_replica_starts_no_server() -> None:
    def separate(devices: int, tensor: int) -> tuple[str, ...]:
        pool = {f"{ROLLOUT}.n_gpus_per_node": devices, f"{ROLLOUT}.nnodes": 1}
        settings = {"trainer.v1.trainer_mode": "separate_async", "trainer.use_v1": True, **pool}
        return refusals(inputs(subject({**settings, f"{ROLLOUT}.tensor_model_parallel_size": tensor}, device="h100")))

    assert separate(2, 4) == (
        f"the 2 devices of the rollout are fewer than {ROLLOUT}.tensor_model_parallel_size=4 takes: no server starts",
    )
    assert separate(3, 2) == ()  # one device stays idle


def test_what_the_parallel_sizes_of_megatron_divide() -> None:
    tensor = {"model_engine": "megatron", f"{MEGATRON}.tensor_model_parallel_size": 8}
    assert "the 4 key/value heads of Qwen2.5-7B" not in str(shown(tensor, model="Qwen2.5-7B").reasons)
    assert "actor: the 28 attention heads of Qwen2.5-7B do not divide" in shown(tensor, model="Qwen2.5-7B").reasons[0]
    experts = {"model_engine": "megatron", f"{MEGATRON}.expert_model_parallel_size": 48}
    found = shown(experts, model="Qwen3-30B-A3B", nodes=6)
    assert "the 128 experts of Qwen3-30B-A3B do not divide by" in found.reasons[0]


def test_groups_of_experts() -> None:
    sizes = {f"{MEGATRON}.tensor_model_parallel_size": 4, f"{MEGATRON}.pipeline_model_parallel_size": 2}
    overrides = {"model_engine": "megatron", **sizes, f"{MEGATRON}.expert_model_parallel_size": 2}
    found = shown(overrides, model="Qwen3-30B-A3B")
    assert "8 devices do not divide by expert tensor 4 x expert 2 x pipeline 2 parallel = 16" in found.reasons[0]


def test_models_without_experts_have_none_to_divide() -> None:
    found = shown({f"{ROLLOUT}.expert_parallel_size": 2})
    assert found.reasons == (
        f"the launch fails at init: Qwen3-8B has no experts to divide by {ROLLOUT}.expert_parallel_size=2",
    )
    found = shown({"model_engine": "megatron", f"{MEGATRON}.expert_model_parallel_size": 2})
    assert "actor: Qwen3-8B has no experts to divide by" in found.reasons[0]


def test_data_parallel_ranks_of_the_rollout_do_not_straddle_nodes() -> None:
    sizes: dict[str, object] = {f"{ROLLOUT}.tensor_model_parallel_size": 6, f"{ROLLOUT}.data_parallel_size": 4}
    assert "a node of 8 devices does not divide by" in shown(sizes, nodes=3).reasons[0]


@pytest.mark.parametrize("change", [WhatIf(tensor=3), WhatIf(sequence_parallel=3)])
def test_what_if_sizes_that_do_not_divide(change: WhatIf) -> None:
    assert shown({}).verdict != "unknown"
    assert shown({}, change).verdict == "unknown"
    assert shown({}, change).what_if == change.words


def test_a_rollout_on_devices_of_its_own_is_not_held_to_those_of_the_trainer() -> None:
    separate = {"trainer.v1.trainer_mode": "separate_async", f"{ROLLOUT}.n_gpus_per_node": 8, f"{ROLLOUT}.nnodes": 2}
    assert shown({**separate, "trainer.use_v1": True, f"{ROLLOUT}.tensor_model_parallel_size": 16}).verdict != "unknown"


@pytest.mark.parametrize(("model", "parallel"), [("Qwen2.5-7B", 4), ("Qwen3-30B-A3B", 2), ("Qwen3-14B", 4)])
def test_no_change_is_proposed_that_fails_at_init(model: str, parallel: int) -> None:
    sizes = {f"{ROLLOUT}.tensor_model_parallel_size": parallel, f"{ACTOR}.ulysses_sequence_parallel_size": parallel}
    experts = {f"{ROLLOUT}.expert_parallel_size": parallel} if model == "Qwen3-30B-A3B" else {}
    proposed = shown({**sizes, **experts}, model=model).knobs
    assert proposed
    assert not any(refusals(knob.inputs) for knob in proposed)


def test_a_wider_rollout_takes_its_experts_along() -> None:
    advice = rollout_advice(inputs(story({**BEFORE, f"{ROLLOUT}.expert_parallel_size": 4})))
    assert advice is not None
    writes = dict(advice.writes)
    assert writes[f"{ROLLOUT}.tensor_model_parallel_size"] == writes[f"{ROLLOUT}.expert_parallel_size"] == "8"
