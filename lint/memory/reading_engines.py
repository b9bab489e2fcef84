"""Reads the trainer's engines of a launch: FSDP and Megatron settings of each role."""

from __future__ import annotations

from math import prod
from typing import Literal

from lint.facts.models import Model
from lint.memory.inputs import Engine, Fsdp, Megatron, Role, Switches
from lint.memory.values import Values
from lint.subject import derived

HALF = frozenset({"bf16", "bfloat16", "fp16", "float16", "half"})


def read_engine(values: Values, role: Role, model: Model, switches: Switches) -> Engine | str:
    """The engine of a role, or why it is not modelled."""
    strategy = derived.strategy(values.subject, role)
    world = derived.world_size(values.subject)
    if strategy is None or world is None:
        return f"strategy of {role} or the number of devices is not known"
    if strategy == "megatron":
        return _megatron(values, role, model, world)
    if strategy in ("fsdp", "fsdp2"):
        return _fsdp(values, role, 2 if strategy == "fsdp2" else 1, world, switches)
    return f"engine {strategy} is not modelled"


def _fsdp(values: Values, role: Role, number: Literal[1, 2], world: int, switches: Switches) -> Fsdp:
    node = derived.engine_node(values.subject, role) or ""
    size = values.integer(f"{node}.fsdp_size", -1)
    shard = world if size <= 0 or size > world else size
    stored = values.string(f"{node}.model_dtype", "bf16" if role == "ref" else "fp32")
    reduced = values.string(f"{node}.mixed_precision.reduce_dtype", "")
    if not reduced:
        reduced = str(values.node(f"{node}.mixed_precision").get("reduce_dtype", "fp32"))
    key = f"{node}.use_no_sync_for_gradient_accumulation"
    deferred = values.boolean(key, switches.deferred_gradient_sync)
    return Fsdp(
        version=number,
        shard=shard,
        sequence_parallel=derived.sequence_parallel(values.subject, role) or 1,
        parameter_bytes=2 if stored in HALF else 4,
        reduce_bytes=2 if reduced in HALF else 4,
        offload_parameters=values.boolean(f"{node}.param_offload", False),
        offload_optimizer=values.boolean(f"{node}.optimizer_offload", False),
        offload_policy=values.boolean(f"{node}.offload_policy", False),
        deferred_sync=deferred,
        switchable_sync=values.subject.setting(key) is not None,
    )


def _megatron(values: Values, role: Role, model: Model, world: int) -> Megatron | str:
    node = derived.engine_node(values.subject, role) or ""
    sizes = derived.megatron_sizes(values.subject, role)
    expert = values.integer(f"{node}.expert_model_parallel_size", 1)
    expert_tensor = derived.expert_tensor_parallel(values.subject, role)
    if min(expert, 1 if expert_tensor is None else expert_tensor, *(sizes or (1,))) < 1:
        return f"the Megatron sizes of {role} must be at least 1"
    if sizes is None or world % prod(sizes):
        return f"{world} devices cannot be divided by the Megatron sizes of {role}"
    tensor, pipeline, context = sizes
    if model.experts is None:
        expert, expert_tensor = 1, 1
    legacy = role == "ref" and derived.legacy_workers(values.subject)  # reads the actor's in one process with it
    transformer = values.node(f"{f'{derived.ACTOR}.megatron' if legacy else node}.override_transformer_config")
    layers = _stage_layers(model.layers, pipeline, transformer)
    if layers is None:
        return f"{model.layers} layers cannot be divided over {pipeline} pipeline stages"
    optimizer = "critic.optim" if role == "critic" else f"{derived.PREFIXES[role]}.optim"
    precise = values.boolean(f"{optimizer}.use_precision_aware_optimizer", False)
    overrides = values.node(f"{optimizer}.override_optimizer_config")
    precise = precise or overrides.get("use_precision_aware_optimizer") is True
    parameters = values.boolean(f"{node}.param_offload", False)
    on_host = overrides.get("optimizer_cpu_offload") is True
    fraction = overrides.get("optimizer_offload_fraction", 1.0 if on_host else 0.0)
    return Megatron(
        tensor=tensor,
        pipeline=pipeline,
        context=context,
        expert=expert,
        expert_tensor=expert_tensor or tensor,
        data=world // prod(sizes),
        stage_layers=layers,
        gradient_bytes=_gradient_bytes(values, node, optimizer, precise),
        moment_bytes=_moment_bytes(values, optimizer) if precise else 8,
        distributed_optimizer=values.boolean(f"{node}.use_distributed_optimizer", True),
        optimizer_cpu_fraction=float(fraction) if on_host and isinstance(fraction, (int, float)) else 0.0,
        offload_parameters=parameters,
        offload_gradients=values.boolean(f"{node}.grad_offload", parameters),
        offload_optimizer=values.boolean(f"{node}.optimizer_offload", False),
        recompute=transformer.get("recompute_granularity") == "full",
        recomputed_modules=_recomputed_modules(transformer),
        trains_mtp=values.boolean(f"{derived.MODEL}.mtp.enable", False)
        and values.boolean(f"{derived.MODEL}.mtp.enable_train", False),
    )


def _recomputed_modules(transformer: dict[str, object]) -> frozenset[str]:
    """The modules of selective recomputation; Megatron's default is the attention scores alone."""
    if transformer.get("recompute_granularity") != "selective":
        return frozenset()
    modules = transformer.get("recompute_modules")
    return frozenset(str(module) for module in modules) if isinstance(modules, list) else frozenset({"core_attn"})


def _gradient_bytes(values: Values, node: str, optimizer: str, precise: bool) -> int:
    """DDP keeps gradients in float32 unless told otherwise (verl/utils/megatron_utils.py :: get_model)."""
    stated = values.node(f"{node}.override_ddp_config").get("grad_reduce_in_fp32")
    if isinstance(stated, bool):
        return 4 if stated else 2
    return 2 if precise and values.string(f"{optimizer}.main_grads_dtype", "fp32") in HALF else 4


def _moment_bytes(values: Values, optimizer: str) -> int:
    """Both Adam moments of one parameter, which the precision-aware optimizer can store smaller."""
    kinds = [values.string(f"{optimizer}.{name}", "fp32") for name in ("exp_avg_dtype", "exp_avg_sq_dtype")]
    return sum(1 if "8" in kind else 2 if kind in HALF else 4 for kind in kinds)


def _stage_layers(layers: int, pipeline: int, transformer: dict[str, object]) -> tuple[int, ...] | None:
    """Layers of each stage; None if they do not divide. A written pipeline layout is taken as even."""
    first = transformer.get("num_layers_in_first_pipeline_stage")
    last = transformer.get("num_layers_in_last_pipeline_stage")
    if isinstance(transformer.get("pipeline_model_parallel_layout"), str):
        return tuple(layers // pipeline + (index < layers % pipeline) for index in range(pipeline))
    embedding = transformer.get("account_for_embedding_in_pipeline_split") is True
    loss = transformer.get("account_for_loss_in_pipeline_split") is True
    if embedding or loss:  # each counts as a layer of its stage (transformer_block.py :: get_num_layers_to_build)
        each, rest = divmod(layers + embedding + loss, pipeline)
        even = [each] * pipeline
        even[0], even[-1] = even[0] - embedding, even[-1] - loss
        return None if rest or min(even) < 0 else tuple(even)
    ends = [end for end in (first, last) if isinstance(end, int) and not isinstance(end, bool)]
    middle, rest = pipeline - len(ends), layers - sum(ends)
    if rest < 0 or (middle and rest % middle) or (not middle and rest):
        return None
    inner = (rest // middle,) * middle if middle else ()
    start = (first,) if isinstance(first, int) else ()
    end = (last,) if isinstance(last, int) else ()
    return (*start, *inner, *end)
