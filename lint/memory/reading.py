"""From a `Subject` to `MemoryInputs`: the only module of `memory` that knows config keys of roles and rollout."""

from __future__ import annotations

from dataclasses import replace

from lint.facts.devices import Cluster
from lint.facts.models import Model, find_model
from lint.facts.software import software_of
from lint.launch.problem import Problem
from lint.memory import reading_sft
from lint.memory.adapters import adapter_parameters
from lint.memory.inputs import (
    Engine,
    Fsdp,
    Megatron,
    MemoryInputs,
    NotEnough,
    Program,
    Role,
    Rollout,
    Summons,
    Switches,
    Training,
)
from lint.memory.lengths import Sample
from lint.memory.names import names_of
from lint.memory.reading_engines import kept_activations, place_of, read_engine
from lint.memory.reading_kernels import read_kernels
from lint.memory.reading_lengths import batches, reach, usual_samples
from lint.memory.reading_rollout import read_reward, read_rollout, read_teachers
from lint.memory.reading_surroundings import buffer_bytes, distills_top_k, expandable_segments, image_share, unmodelled
from lint.memory.recipes import read_as_ppo
from lint.memory.switches import switches_of
from lint.memory.values import Values
from lint.subject import derived
from lint.subject.derived import ACTOR, CRITIC, MODEL, ROLLOUT
from lint.subject.subject import Subject

CHOICES = (
    "trainer.use_v1",
    "trainer.v1.trainer_mode",
    "trainer.use_legacy_worker_impl",
    f"{MODEL}.lora.rank",
    f"{MODEL}.lora_rank",
)
"""What decides how much else is read."""
LEAST = {f"{ROLLOUT}.n": 1, "data.max_prompt_length": 1, "data.max_response_length": 1}
"""Sizes that are counted elsewhere, and the least of each that a launch starts with."""
KINDS = {"npu": "an NPU", "cuda": "a GPU"}
"""How messages call a kind of device."""


def read_inputs(subject: Subject, sequence: int | None = None, devices: int | None = None) -> MemoryInputs | NotEnough:
    """What the memory model needs of a launch.

    `sequence`: tokens of a usual sample, `devices`: per node, if the caller knows.
    """
    started, subject = subject, read_as_ppo(subject)
    read_as = None if subject is started else subject.launch.entry_point
    supervised = reading_sft.trains_supervised(subject)
    subject = _on_devices(subject, devices, supervised=supervised)
    values = Values(subject)
    reasons = _unknown_ground(subject, MODEL if not supervised else reading_sft.MODEL)
    if reasons or subject.model is None or subject.device is None or subject.cluster is None:
        return NotEnough(tuple(reasons))
    if read_as is not None:
        values.assume(f"{started.launch.entry_point} is read as {read_as}")
    found = _supervised(values, sequence) if supervised else _reinforcement(values, sequence)
    if isinstance(found, MemoryInputs) and values.missing:
        return NotEnough(tuple(dict.fromkeys(values.missing)))
    return replace(found, assumptions=tuple(values.assumed)) if isinstance(found, MemoryInputs) else found


def _on_devices(subject: Subject, devices: int | None, *, supervised: bool) -> Subject:
    """The launch on the devices that it is started on."""
    cluster = reading_sft.processes(subject) if supervised else subject.cluster
    if devices is not None:
        nodes = cluster.nodes if cluster is not None else subject.cluster.nodes if subject.cluster is not None else 1
        cluster = Cluster(nodes, devices, subject.device)
    return subject if cluster is subject.cluster else replace(subject, cluster=cluster, computed={})


def _supervised(values: Values, sequence: int | None) -> MemoryInputs | NotEnough:
    """A launch of the SFT trainer."""
    subject, switches = values.subject, switches_of(values.subject)
    assert subject.model is not None
    place = reading_sft.place(values)
    engine = read_engine(values, place, subject.model, switches)
    if isinstance(engine, str):
        return NotEnough((engine,))
    longest = values.integer(f"{reading_sft.DATA}.max_length", 1024)
    usual, samples = usual_samples(values, reading_sft.MODEL, longest, sequence)
    training = reading_sft.training(values, place, engine, subject.model, usual, longest)
    return _inputs(values, switches, "sft", training, samples=samples, unmodelled=unmodelled(values, engine))


def _reinforcement(values: Values, sequence: int | None) -> MemoryInputs | NotEnough:
    """A launch of the PPO trainer."""
    subject, switches = values.subject, switches_of(values.subject)
    assert subject.model is not None
    values.require(*CHOICES)
    for key, least in LEAST.items():
        values.size(key, least, least)
    actor = _engine(values, "actor", subject.model, switches)
    if isinstance(actor, str):
        return NotEnough((actor,))
    longest = derived.longest_sequence(subject)
    if longest is None:
        return NotEnough(("data.max_prompt_length or data.max_response_length is not known",))
    usual, samples = usual_samples(values, MODEL, longest, sequence)
    critic = _critic(values, switches)
    reference = _reference(values, switches)
    for found in (critic, reference):
        if isinstance(found, str):
            return NotEnough((found,))
    inputs = _inputs(
        values,
        switches,
        "ppo",
        _training(values, "actor", actor, subject.model, usual, longest),
        rollout=read_rollout(values, switches, longest),
        samples=samples,
        unmodelled=unmodelled(values, actor),
    )
    return replace(
        inputs,
        critic_model=_critic_model(values) if critic is not None else None,
        critic=_role(values, "critic", critic, usual, longest),
        reference=_role(values, "ref", reference, usual, longest),
        served=(*read_reward(values, switches), *read_teachers(values, switches, longest)),
        recomputes_log_probs=_recomputes(values),
        generates_again=_generates_again(values),
        temperature=values.number(f"{ROLLOUT}.temperature", 1.0),
    )


def _inputs(
    values: Values,
    switches: Switches,
    program: Program,
    actor: Training,
    *,
    rollout: Rollout | None = None,
    samples: tuple[Sample, ...],
    unmodelled: tuple[str, ...],
) -> MemoryInputs:
    """What all programs have in common."""
    subject = values.subject
    assert subject.model is not None
    assert subject.device is not None
    assert subject.cluster is not None
    software = software_of(subject.release, subject.device.kind)
    model_node = MODEL if program == "ppo" else reading_sft.MODEL
    return MemoryInputs(
        program=program,
        model=subject.model,
        critic_model=None,
        device=subject.device,
        nodes=subject.cluster.nodes,
        nodes_key="--nnodes" if subject.launch.launcher == "torchrun" else "trainer.nnodes",
        devices_per_node=subject.cluster.devices_per_node,
        release=subject.release,
        switches=switches,
        software=software,
        kernels=read_kernels(values, model_node, actor.engine, subject.model, software),
        actor=actor,
        critic=None,
        reference=None,
        rollout=rollout,
        served=(),
        recomputes_log_probs=False,
        generates_again=False,
        temperature=1.0,
        image_share=image_share(values, actor.batches.sequence),
        vision_frozen=values.boolean(f"{ACTOR}.freeze_vision_tower", False),
        buffer_bytes=buffer_bytes(values),
        reach=reach(values, actor.batches.longest),
        samples=samples,
        expandable_segments=expandable_segments(values, program),
        assumptions=(),
        unmodelled=unmodelled,
    )


def _engine(values: Values, role: Role, model: Model, switches: Switches) -> Engine | str:
    place = place_of(values, role)
    return f"strategy of {role} is not known" if place is None else read_engine(values, place, model, switches)


def _unknown_ground(subject: Subject, model_node: str) -> list[str]:
    """What must be known before anything can be computed."""
    reasons = [f"{problem.message}, so what it sets is not known" for problem in _unknown_groups(subject)]
    words = [subject.launch.command.words[index] for index in subject.launch.other]
    reasons += [f"{word.shown} may set anything" for word in words if word.value is None]
    if subject.setting(f"{model_node}.path") is None:
        reasons.append(f"entry point {subject.launch.entry_point} is not modelled")
    elif subject.model is None:
        path = subject.string(f"{model_node}.path")
        reasons.append(
            f"the model {path} is not in the table and no config.json is at hand" if path else "unknown model"
        )
    elif subject.model.unlike_layers is not None:
        reasons.append(f"{subject.model.name} has {subject.model.unlike_layers}, which is not modelled")
    if subject.device is None:
        reasons.append(_unknown_device(subject.kind))
    if subject.cluster is None:
        keys = "trainer.nnodes or trainer.n_gpus_per_node" if model_node == MODEL else "--nnodes or --nproc_per_node"
        reasons.append(f"{keys} is not known: give --devices, and --nnodes")
    return reasons


def _unknown_device(kind: str | None) -> str:
    """A device may be stated, and be of another kind than the launch is for."""
    state = "--device, or state device=... in the head of the script"
    if kind is None:
        return f"the kind of device is not known: give {state}"
    return f"the script starts this launch for {KINDS[kind]}, and none is stated: give one with {state}"


def _unknown_groups(subject: Subject) -> list[Problem]:
    """Config groups that come from elsewhere, as engines outside verl do, or that are misspelled."""
    problems = subject.composition.problems if subject.composition is not None else ()
    return [problem for problem in problems if problem.cause in ("no-config", "no-option", "no-group")]


# ------------------------------------------------------------------------------------------------------------- roles


def _critic(values: Values, switches: Switches) -> Engine | str | None:
    values.require("critic.enable")
    if values.subject.boolean("critic.enable") is None:
        values.require("algorithm.adv_estimator")
    if not derived.needs_critic(values.subject):
        return None
    model = _critic_model(values)
    return "the critic's model is not known" if model is None else _engine(values, "critic", model, switches)


def _critic_model(values: Values) -> Model | None:
    path = values.written(f"{CRITIC}.model.path")
    if path in ("", "None", values.written(f"{MODEL}.path")):
        return values.subject.model
    return find_model(path)


def _reference(values: Values, switches: Switches) -> Engine | str | None:
    if derived.uses_reference(values.subject) is None:
        values.require("algorithm.use_kl_in_reward", f"{ACTOR}.use_kl_loss")
    if not derived.builds_reference(values.subject) or values.subject.model is None:
        return None
    return _engine(values, "ref", values.subject.model, switches)


def _role(values: Values, role: Role, engine: Engine | str | None, usual: int, longest: int) -> Training | None:
    model = _critic_model(values) if role == "critic" else values.subject.model
    if engine is None or isinstance(engine, str) or model is None:
        return None
    return _training(values, role, engine, model, usual, longest)


def _training(values: Values, role: Role, engine: Engine, model: Model, usual: int, longest: int) -> Training:
    prefix = derived.PREFIXES[role]
    model_node = f"{CRITIC}.model" if role == "critic" else MODEL
    rank = 0 if role == "critic" else derived.lora_rank(values.subject) or 0
    found = place_of(values, role)
    node = "" if found is None else found.node
    packs = isinstance(engine, Megatron) and derived.legacy_workers(values.subject)
    padded = not (packs or values.boolean(f"{model_node}.use_remove_padding", True))
    place = prefix if derived.legacy_workers(values.subject) or role == "critic" else node
    chunked = values.boolean(f"{place}.entropy_from_logits_with_chunking", False)
    eager = padded and not isinstance(engine, Megatron)
    if chunked and eager:
        values.assume("entropy_from_logits_with_chunking has no effect without use_remove_padding (verl PR 7582)")
    on_npu = values.subject.device is not None and values.subject.device.kind == "npu"
    compiled = values.boolean(f"{place}.use_torch_compile", True) and not padded and not on_npu
    checkpointing = values.boolean(f"{model_node}.enable_gradient_checkpointing", True)
    coefficient = values.number(f"{ACTOR}.entropy_coeff", 0.0)
    return Training(
        role=role,
        engine=engine,
        kept_activations=0.0 if found is None else kept_activations(values, found, checkpointing=checkpointing),
        activation_offload=values.boolean(f"{model_node}.enable_activation_offload", False),
        fused_kernels=values.boolean(f"{model_node}.use_fused_kernels", False),
        chunked_entropy=chunked and not eager,
        entropy_chunk=values.integer(f"{place}.entropy_from_logits_chunk_size", 2048),
        entropy_in_loss=role == "actor" and (bool(coefficient) or _always_computes_entropy(values)),
        distills_top_k=role == "actor" and isinstance(engine, Fsdp) and distills_top_k(values),
        share_of_logits=_share_of_logits(values, longest) if eager else 1.0,
        compiled_entropy=compiled,
        trainable_parameters=adapter_parameters(model, rank) if rank else model.parameters.total,
        lora=rank > 0,
        summons=_summons(values, engine) if rank and role == "actor" else "",
        batches=batches(values, role, engine, padded, usual, longest),
        names=names_of(values.subject, role, node),
    )


def _share_of_logits(values: Values, longest: int) -> float:
    """The part of the logits of padded samples that the loss takes: in the workers of 0.7 and before the response's.

    verl/workers/actor/dp_actor.py :: _forward_micro_batch (0.2.0 to 0.7.1). The engines take those of all tokens.
    """
    if longest < 1 or not derived.legacy_workers(values.subject):
        return 1.0
    return (longest - (values.subject.integer("data.max_prompt_length") or 0)) / longest


def _always_computes_entropy(values: Values) -> bool:
    """True where the loss computes the entropy, whatever its coefficient (before verl PR 1100 it always did)."""
    return values.subject.behaves("entropy_in_every_pass") or values.boolean(f"{ACTOR}.calculate_entropy", False)


def _summons(values: Values, engine: Engine) -> Summons:
    """FSDP1 gathers every parameter at once (fsdp_utils.py :: collect_lora_params, fsdp_merge_unmerge).

    With `layered_summon` it reads adapters layer by layer; FSDP2 always goes by layers. An engine that did not load the
    model itself is sent it once, before its first adapters (`base_sync_done` in the workers, 0.6.1 to 0.9.1).
    """
    if not isinstance(engine, Fsdp) or engine.version == 2:
        return ""
    if values.boolean(f"{MODEL}.lora.merge", False):
        return "merged"
    if values.boolean(f"{ROLLOUT}.layered_summon", False):
        return ""
    return "base" if "dummy" in values.string(f"{ROLLOUT}.load_format", "dummy") else "adapters"


def _recomputes(values: Values) -> bool:
    """False if the log-probabilities of the rollout are those of the old policy (ray_trainer.py, trainer_base.py).

    Asynchronous trainers bypass by default; before 0.7 by a key of their own (recipe/fully_async_policy).
    """
    if values.boolean("algorithm.rollout_correction.bypass_mode", False):
        return False
    takes = values.boolean("async_training.use_rollout_log_probs", False)
    return not takes or values.boolean("async_training.compute_prox_log_prob", True)


def _generates_again(values: Values) -> bool:
    """False for a run of one step without a validation behind it (ray_trainer.py :: fit), as tests are."""
    subject = values.subject
    if subject.integer("trainer.total_training_steps") != 1 or derived.separate_pools(subject):
        return True
    frequency = subject.number("trainer.test_freq")
    never = subject.boolean("trainer.test_freq") is False or (frequency is not None and frequency <= 0)
    return not never
