"""Reads the inference engines of a launch: the rollout, a reward model, the teachers of distillation."""

from __future__ import annotations

from lint.facts.models import find_model
from lint.facts.software import software_of, version
from lint.memory.inputs import Rollout, Served, Switches
from lint.memory.terms import MIB
from lint.memory.values import Values
from lint.subject import derived
from lint.subject.derived import MODEL, ROLLOUT

REWARD = "reward.reward_model"
LEGACY_REWARD = "reward_model"
TEACHERS = "distillation.teacher_models"
ONE_TEACHER = "teacher_model"
MODELLED = ("vllm", "sglang")


def read_rollout(values: Values, switches: Switches, longest: int) -> Rollout | None:
    """The engine that generates."""
    name = values.subject.string(f"{ROLLOUT}.name")
    if name not in MODELLED:
        values.assume(f"{f'rollout {name}' if name else 'a rollout of unknown engine'} is not modelled: it is left out")
        return None
    return _engine(values, ROLLOUT, name, switches, longest, colocated=beside_trainer(values))


def beside_trainer(values: Values) -> bool:
    """Whether the rollout, of whichever engine, takes turns with the trainer on its devices."""
    backend = values.string(f"{ROLLOUT}.checkpoint_engine.backend", "naive")
    return not derived.separate_pools(values.subject) and backend == "naive"


def read_reward(values: Values, switches: Switches) -> list[Served]:
    """The reward model: on devices of its own, or in turns with the rollout and the trainer on theirs."""
    if not values.boolean(f"{REWARD}.enable", False):
        return []
    model = find_model(values.written(f"{REWARD}.model_path"))
    node = f"{REWARD}.rollout"
    name = values.string(f"{node}.name", "")
    if model is None or name not in MODELLED:
        return []
    own = values.boolean(f"{REWARD}.enable_resource_pool", False)
    longest = sum(values.integer(f"{node}.{part}_length", 2048) for part in ("prompt", "response"))
    engine = _engine(values, node, name, switches, longest, colocated=not own)
    return [Served("reward model", "reward", model, engine, prompt_log_probs=False)]


def unread_reward(values: Values) -> list[str]:
    """What of a reward model is not counted, with its phase."""
    if values.boolean(f"{LEGACY_REWARD}.enable", False):
        return ["reward: the reward model of this release's own workers"]
    if not values.boolean(f"{REWARD}.enable", False):
        return []
    model = find_model(values.written(f"{REWARD}.model_path"))
    return ["reward: the reward model, whose sizes are not known"] if model is None else []


def read_teachers(values: Values, switches: Switches, longest: int) -> list[Served]:
    """The teachers of distillation, each on devices of its own (verl/experimental/teacher_loop/teacher_model.py).

    They read what the student wrote and generate one token: its prompt and response are their prompt
    (verl/workers/config/distillation.py :: validate_and_prepare_for_distillation).
    """
    found = []
    for teacher in _teachers(values):
        node = f"{TEACHERS}.{teacher}.inference"
        model = find_model(values.written(f"{TEACHERS}.{teacher}.model_path"))
        name = values.string(f"{node}.name", values.string(f"{ROLLOUT}.name", ""))
        if model is not None and name in MODELLED:
            engine = _engine(values, node, name, switches, longest + 1, colocated=False)
            label = "teacher" if teacher == ONE_TEACHER else f"teacher {teacher}"
            found.append(Served(label, "teacher", model, engine, prompt_log_probs=name == "vllm"))
    return found


def unread_teachers(values: Values) -> list[str]:
    """Teachers whose sizes are not known, with their phase."""
    unknown = [
        teacher
        for teacher in _teachers(values)
        if find_model(values.written(f"{TEACHERS}.{teacher}.model_path")) is None
    ]
    if not unknown and values.boolean("distillation.enabled", False) and not _teachers(values):
        return ["teacher: the teachers of distillation, which this release configures elsewhere"]
    return [f"teacher: {teacher}, whose sizes are not known" for teacher in unknown]


def _teachers(values: Values) -> list[str]:
    """Names of the teachers that are started; the entry for a single one is dropped beside others."""
    if not values.boolean("distillation.enabled", False):
        return []
    below = f"{TEACHERS}."
    names = dict.fromkeys(
        setting.key.removeprefix(below).split(".")[0] for setting in values.subject.config.below(TEACHERS)
    )
    return [name for name in names if name != ONE_TEACHER] or [name for name in names if name == ONE_TEACHER]


def _engine(values: Values, node: str, name: str, switches: Switches, longest: int, *, colocated: bool) -> Rollout:
    """The engine whose settings lie under `node`.

    Only an added teacher has no key for a size: RolloutConfig's own defaults stand (verl/workers/config/rollout.py).
    """
    subject = values.subject
    kind = subject.device.kind if subject.device is not None else "cuda"
    software = software_of(subject.release, kind)
    lora = node == ROLLOUT and bool(derived.lora_rank(subject))
    adapter = lora and not values.boolean(f"{MODEL}.lora.merge", False)
    bucket = values.integer(f"{node}.checkpoint_engine.update_weights_bucket_megabytes", 512)
    if subject.setting(f"{node}.checkpoint_engine.update_weights_bucket_megabytes") is None:
        bucket = values.integer(f"{node}.update_weights_bucket_megabytes", 512)
    number_bytes = 2 if values.string(f"{node}.dtype", "auto") == "auto" else values.precision(f"{node}.dtype", "auto")
    return Rollout(
        engine=name,
        node=node,
        tensor=values.size(f"{node}.tensor_model_parallel_size", 2),
        data=values.size(f"{node}.data_parallel_size", 1),
        expert=max(1, values.integer(f"{node}.expert_parallel_size", 1)),
        pipeline=values.size(f"{node}.pipeline_model_parallel_size", 1),
        decoders=_decoders(values, node),
        number_bytes=number_bytes,
        linear_bytes=_linear_bytes(values, node, number_bytes),
        utilization=values.number(f"{node}.gpu_memory_utilization", 0.5),
        max_sequences=values.size(f"{node}.max_num_seqs", 1024),
        batched_tokens=values.size(f"{node}.max_num_batched_tokens", 8192),
        longest_sequence=values.optional_integer(f"{node}.max_model_len") or longest,
        eager=values.boolean(f"{node}.enforce_eager", False),
        free_cache=_sleeps(values, node, name, switches),
        colocated=colocated,
        own_pool=None if colocated or node != ROLLOUT else derived.rollout_pool(subject),
        shares_process=name == "vllm" and not switches.separate_rollout_process,  # SGLang starts processes of its own
        bucket_bytes=bucket * MIB,
        interprocess=kind == "cuda" or software is None or version(software.cann or "9") >= (8, 3),
        host_copy=name == "vllm" and (kind == "npu" or lora or version(software.vllm if software else "0") < (0, 18)),
        keeps_weights=name == "sglang" and adapter and switches.sglang_keeps_base_weights,
        responses=derived.samples(subject) or 0,
    )


def _sleeps(values: Values, node: str, name: str, switches: Switches) -> bool:
    """Whether the engine gives its memory back: as written, but for a vLLM that always does (before verl PR 1464)."""
    always = name == "vllm" and switches.always_sleeps and not switches.vllm_before_sleep
    return always or values.boolean(f"{node}.free_cache_engine", True)


def _decoders(values: Values, node: str) -> int:
    """Servers that decode beside the one that prefills.

    Each has as many devices as the size of its own says (llm_server.py :: _initialize_llm_servers, 0.8.0 to 0.9.1);
    where that is another than the prefilling one's, their devices hold other shares of the weights.
    """
    separate = f"{node}.disaggregation"
    if not values.boolean(f"{separate}.enabled", False):
        return 0
    tensor = values.size(f"{node}.tensor_model_parallel_size", 2)
    decoding = values.optional_integer(f"{separate}.decode_tensor_model_parallel_size")
    if decoding not in (None, tensor):
        values.missing.append(
            f"the rollout prefills on {tensor} devices and decodes on {decoding}: servers of two sizes are not modelled"
        )
    return values.size(f"{separate}.decode_replicas", 1)


def _linear_bytes(values: Values, node: str, otherwise: int) -> int:
    """`fp8` takes a byte for a weight, and float32 scales for blocks of 128 x 128 that are left out here.

    vllm_async_server.py :: _apply_quantization (0.9.1), before it and in async_sglang_server.py launch_server.
    """
    kind = values.optional_string(f"{node}.quantization")
    if kind not in (None, "fp8"):
        values.assume(f"{node}.quantization={kind} is not modelled: weights of the rollout are taken as not quantized")
    return 1 if kind == "fp8" else otherwise
