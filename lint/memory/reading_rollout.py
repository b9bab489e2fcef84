"""Reads the inference engines of a launch: the rollout, and a reward model that shares its devices."""

from __future__ import annotations

from lint.facts.models import find_model
from lint.facts.software import software_of, version
from lint.memory.inputs import Reward, Rollout, Switches
from lint.memory.terms import MIB
from lint.memory.values import Values
from lint.subject import derived
from lint.subject.derived import ROLLOUT

REWARD = "reward.reward_model"
LEGACY_REWARD = "reward_model"
MODELLED = ("vllm", "sglang")


def read_rollout(values: Values, switches: Switches, longest: int) -> Rollout | None:
    """The engine that generates."""
    name = values.string(f"{ROLLOUT}.name", "")
    if name not in MODELLED:
        values.assume(f"rollout {name or 'without an engine'} is not modelled: its memory is left out")
        return None
    backend = values.string(f"{ROLLOUT}.checkpoint_engine.backend", "naive")
    colocated = not derived.separate_pools(values.subject) and backend == "naive"
    return _engine(values, ROLLOUT, name, switches, longest, colocated=colocated)


def read_reward(values: Values, switches: Switches) -> Reward | None:
    """The reward model, where it takes turns with the rollout and the trainer on the same devices."""
    if not _shares_devices(values):
        return None
    model = find_model(values.subject.string(f"{REWARD}.model_path") or "")
    name = values.string(f"{REWARD}.rollout.name", "")
    if model is None or name not in MODELLED:
        return None
    node = f"{REWARD}.rollout"
    longest = sum(values.integer(f"{node}.{part}_length", 2048) for part in ("prompt", "response"))
    return Reward(model, _engine(values, node, name, switches, longest, colocated=True))


def unread_reward(values: Values) -> list[str]:
    """What of a reward model is not counted, with its phase."""
    if values.boolean(f"{LEGACY_REWARD}.enable", False):
        return ["reward: the reward model of this release's own workers"]
    if not values.boolean(f"{REWARD}.enable", False):
        return []
    if values.boolean(f"{REWARD}.enable_resource_pool", False):
        return ["reward: the devices of the reward model, which has its own"]
    model = find_model(values.subject.string(f"{REWARD}.model_path") or "")
    return ["reward: the reward model, whose sizes are not known"] if model is None else []


def _shares_devices(values: Values) -> bool:
    enabled = values.boolean(f"{REWARD}.enable", False)
    return enabled and not values.boolean(f"{REWARD}.enable_resource_pool", False)


def _engine(values: Values, node: str, name: str, switches: Switches, longest: int, *, colocated: bool) -> Rollout:
    """The engine whose settings lie under `node`."""
    subject = values.subject
    kind = subject.device.kind if subject.device is not None else "cuda"
    software = software_of(subject.release, kind)
    lora = node == ROLLOUT and bool(derived.lora_rank(subject))
    bucket = values.integer(f"{node}.checkpoint_engine.update_weights_bucket_megabytes", 512)
    if subject.setting(f"{node}.checkpoint_engine.update_weights_bucket_megabytes") is None:
        bucket = values.integer(f"{node}.update_weights_bucket_megabytes", 512)
    return Rollout(
        engine=name,
        tensor=max(1, values.integer(f"{node}.tensor_model_parallel_size", 1)),
        data=max(1, values.integer(f"{node}.data_parallel_size", 1)),
        expert=max(1, values.integer(f"{node}.expert_parallel_size", 1)),
        pipeline=max(1, values.integer(f"{node}.pipeline_model_parallel_size", 1)),
        utilization=values.number(f"{node}.gpu_memory_utilization", 0.5),
        max_sequences=values.integer(f"{node}.max_num_seqs", 256),
        batched_tokens=values.integer(f"{node}.max_num_batched_tokens", 8192),
        longest_sequence=subject.integer(f"{node}.max_model_len") or longest,
        eager=values.boolean(f"{node}.enforce_eager", False),
        free_cache=values.boolean(f"{node}.free_cache_engine", True),
        colocated=colocated,
        shares_process=not switches.separate_rollout_process,
        bucket_bytes=bucket * MIB,
        interprocess=kind == "cuda" or software is None or version(software.cann or "9") >= (8, 3),
        host_copy=name == "vllm" and (kind == "npu" or lora or version(software.vllm if software else "0") < (0, 18)),
        responses=derived.samples(subject) or 0,
    )
