"""Reads the trainer's engines of a launch: those on FSDP, and Megatron, of each role."""

from __future__ import annotations

from lint.facts.models import Model
from lint.frozen import frozen
from lint.memory.constants import constants
from lint.memory.inputs import Engine, Fsdp, Megatron, Role, Switches
from lint.memory.values import Values
from lint.subject import derived

OF_FSDP = frozenset({"fsdp", "fsdp2", "fsdp_turbo", "veomni"})
MODELLED = frozenset({*OF_FSDP, "torchtitan", "automodel", "megatron"})
SHAPING = (
    "recompute_granularity",
    "recompute_modules",
    "num_layers_in_first_pipeline_stage",
    "num_layers_in_last_pipeline_stage",
    "account_for_embedding_in_pipeline_split",
    "account_for_loss_in_pipeline_split",
)
"""Overrides of Megatron's transformer config that decide what a device holds."""
OFFLOADING = ("use_precision_aware_optimizer", "optimizer_cpu_offload", "optimizer_offload_fraction")
"""Overrides of its optimizer config, likewise."""


@frozen
class Place:
    """Where the settings of one role's engine are: `node` of the engine, `optimizer` of its optimizer."""

    role: Role
    strategy: str
    node: str
    optimizer: str
    transformer: str  # overrides of Megatron's transformer config
    sequence_parallel: int


def place_of(values: Values, role: Role) -> Place | None:
    """The place of a role of the PPO trainer."""
    subject = values.subject
    prefix = derived.PREFIXES[role]
    strategy, node = derived.strategy(subject, role), derived.engine_node(subject, role)
    if strategy is None or node is None:
        return None
    mindspeed = strategy == "mindspeed" and subject.string(f"{node}.strategy") == "mindspeed_megatron"
    if mindspeed:  # Megatron with other kernels (verl/workers/engine/mindspeed/transformer_impl.py, 0.8 and 0.9)
        strategy = "megatron"
    if strategy in ("fsdp", "fsdp2"):
        values.require(f"{prefix}.ulysses_sequence_parallel_size")  # decides which key is read
    split = derived.sequence_parallel_key(subject, role)
    legacy = role == "ref" and derived.legacy_workers(subject)  # reads the actor's in one process with it
    return Place(
        role=role,
        strategy=strategy,
        node=f"{prefix}.fsdp_config" if strategy == "fsdp_turbo" else node,
        optimizer="critic.optim" if role == "critic" else f"{prefix}.optim",
        transformer=f"{node}.mcore_kwargs"
        if mindspeed
        else f"{f'{derived.ACTOR}.megatron' if legacy else node}.override_transformer_config",
        sequence_parallel=1 if split is None or values.optional_integer(split) is None else values.size(split, 1),
    )


def read_engine(values: Values, place: Place, model: Model, switches: Switches) -> Engine | str:
    """The engine at a place, or why it is not modelled."""
    world = derived.world_size(values.subject)
    if world is None:
        return "the number of devices is not known"
    if values.subject.setting(f"{place.node}.param_offload") is None and place.strategy in MODELLED:
        return f"the strategy of {place.role} is {place.strategy}, but the config has no {place.node}"
    if place.strategy == "megatron":
        return _megatron(values, place, model, world)
    if place.strategy in OF_FSDP:
        return _fsdp(values, place, world, switches)
    if place.strategy == "torchtitan":
        return _torchtitan(values, place, world)
    if place.strategy == "automodel":
        return _automodel(values, place, model, world)
    return f"engine {place.strategy} is not modelled"


def _fsdp(values: Values, place: Place, world: int, switches: Switches) -> Fsdp:
    """FSDP1, FSDP2, and what builds on FSDP2: VeOmni and FSDP-Turbo split experts before they shard them.

    VeOmni (verl/workers/engine/veomni/transformer_impl.py): float32 parameters under `mixed_precision`, else bfloat16.
    Only FSDP1 and FSDP2 themselves keep gradients whole until the last micro-batch: VeOmni has a loop of its own over
    the micro-batches, `forward_backward_batch`, and FSDP-Turbo (fsdp_turbo_impl.py) always reduces at once. FSDP1 has
    no offload policy: `_build_fsdp_module` hands it to `fully_shard` alone (fsdp_workers.py in 0.6.1, later
    transformer_impl.py).
    """
    node, veomni = place.node, place.strategy == "veomni"
    size = values.integer(f"{node}.fsdp_size", -1)
    shard = world if size <= 0 or size > world else size
    if veomni:
        parameter_bytes, reduce_bytes = 4 if values.boolean(f"{node}.mixed_precision", True) else 2, 4
    else:
        parameter_bytes = values.precision(f"{node}.model_dtype", "bf16" if place.role == "ref" else "fp32")
        within = values.node(f"{node}.mixed_precision", "reduce_dtype").get("reduce_dtype") or "fp32"
        reduce_bytes = values.precision(f"{node}.mixed_precision.reduce_dtype", str(within))
    expert_node = f"{node}.turbo_config.distributed" if place.strategy == "fsdp_turbo" else node
    expert = (
        values.integer(f"{expert_node}.expert_parallel_size", 1) if place.strategy in ("veomni", "fsdp_turbo") else 1
    )
    key = f"{node}.use_no_sync_for_gradient_accumulation"
    deferred = place.strategy in ("fsdp", "fsdp2") and values.boolean(key, switches.deferred_gradient_sync)
    policy = "enable_fsdp_offload" if veomni else "offload_policy"
    return Fsdp(
        version=1 if place.strategy == "fsdp" else 2,
        family="veomni" if veomni else "fsdp",
        shard=shard,
        shards_over_all=size <= 0 or size > world,
        tensor=1,
        expert=max(1, expert),
        sequence_parallel=place.sequence_parallel,
        together=place.sequence_parallel,
        parameter_bytes=parameter_bytes,
        state_bytes=2 * parameter_bytes,
        reduce_bytes=reduce_bytes,
        offload_parameters=values.boolean(f"{node}.param_offload", False),
        offload_optimizer=values.boolean(f"{node}.optimizer_offload", False),
        offload_policy=place.strategy != "fsdp" and values.boolean(f"{node}.{policy}", False),
        deferred_sync=deferred,
        deferred_reshard=False,
        switchable_sync=values.subject.setting(key) is not None,
    )


def _torchtitan(values: Values, place: Place, world: int) -> Fsdp | str:
    """FSDP2 after tensor parallelism; parameters in float32 (torchtitan/config/configs.py :: Training.dtype).

    verl/workers/engine/torchtitan/transformer_impl.py: every micro-batch reduces its gradients; tensor parallel ranks
    divide a sample between them (sequence parallelism); a pipeline is refused.
    """
    node = place.node
    sizes = [values.integer(f"{node}.{name}_parallel_size", 1) for name in ("tensor", "context", "expert", "pipeline")]
    tensor, context, expert, pipeline = (max(1, size) for size in sizes)
    copies = max(1, values.integer(f"{node}.data_parallel_replicate_size", 1))
    if pipeline > 1:
        return "verl refuses pipeline parallelism in torchtitan (model_forward_step)"
    if world % (tensor * context * copies):
        return f"{world} devices cannot be divided by the torchtitan sizes of {place.role}"
    return Fsdp(
        version=2,
        family="torchtitan",
        shard=world // (tensor * copies),
        shards_over_all=True,
        tensor=tensor,
        expert=expert,
        sequence_parallel=tensor,
        together=tensor * context,
        parameter_bytes=4,
        state_bytes=8,
        reduce_bytes=4,
        offload_parameters=values.boolean(f"{node}.param_offload", False),
        offload_optimizer=values.boolean(f"{node}.optimizer_offload", False),
        offload_policy=values.boolean(f"{node}.offload_policy", False) or place.role == "ref",
        deferred_sync=False,
        deferred_reshard=False,
        switchable_sync=False,
    )


def _automodel(values: Values, place: Place, model: Model, world: int) -> Fsdp | str:
    """NeMo AutoModel on FSDP2, or with whole copies (`ddp`).

    verl/workers/engine/automodel/{transformer_impl,utils}.py; optimizer: trainer/config/optim/automodel.yaml. Models
    with split experts and `enable_fsdp_optimizations` neither reduce gradients nor shard layers again before the last
    micro-batch (nemo_automodel/components/moe/fsdp_mixin.py); `defer_fsdp_grad_sync` is read by no loop of verl.
    """
    node, optimizer = place.node, place.optimizer
    tensor, context, expert, copies = (
        max(1, values.integer(f"{node}.{name}", 1)) for name in ("tp_size", "cp_size", "ep_size", "dp_replicate_size")
    )
    kind = values.string(f"{node}.distributed_strategy", "fsdp2")
    if kind == "megatron_fsdp":
        return "automodel on Megatron-FSDP is not modelled"
    if world % (tensor * context * copies):
        return f"{world} devices cannot be divided by the automodel sizes of {place.role}"
    stored = values.precision(f"{node}.model_dtype", "fp32")
    waits = expert > 1 and model.experts is not None
    waits = waits and values.boolean(f"{node}.backend_config.enable_fsdp_optimizations", False)
    return Fsdp(
        version=2,
        family="automodel",
        shard=1 if kind == "ddp" else world // (tensor * copies),
        shards_over_all=kind != "ddp",
        tensor=tensor,
        expert=expert if model.experts is not None else 1,
        sequence_parallel=1,
        together=tensor * context,
        parameter_bytes=stored,
        state_bytes=_automodel_states(values, optimizer, stored),
        reduce_bytes=values.precision(f"{node}.mp_reduce_dtype", "fp32"),
        offload_parameters=values.boolean(f"{node}.param_offload", False),
        offload_optimizer=values.boolean(f"{node}.optimizer_offload", False),
        offload_policy=False,
        deferred_sync=waits,
        deferred_reshard=waits,
        switchable_sync=False,
    )


def _automodel_states(values: Values, optimizer: str, stored: int) -> int:
    """Bytes of both moments, and of the master copy: of its lower half where the parameter itself is the upper one."""
    keys = (f"{optimizer}.exp_avg_dtype", f"{optimizer}.exp_avg_sq_dtype")
    moments = {key: values.optional_string(key) for key in keys}
    each = sum(stored if name is None else values.bytes_of(key, name) for key, name in moments.items())
    if not values.boolean(f"{optimizer}.master_weights", False):
        return each
    return each + (2 if values.boolean(f"{optimizer}.store_param_remainders", False) else 4)


def kept_activations(values: Values, place: Place, *, checkpointing: bool) -> float:
    """Share of a layer's activations that is kept: as the model's switch says, where the engine has none of its own."""
    if place.strategy == "torchtitan":
        chosen = values.string(f"{place.node}.activation_checkpoint", "selective")
        return {"full": 0.0, "none": 1.0}.get(chosen, constants().selective_activations)
    if place.strategy == "automodel":
        checkpointing = values.boolean(f"{place.node}.activation_checkpointing", False)
    if place.strategy == "fsdp_turbo":
        checkpointing = checkpointing or values.boolean(f"{place.node}.turbo_config.memory.recompute", False)
    return 0.0 if checkpointing else 1.0


def _megatron(values: Values, place: Place, model: Model, world: int) -> Megatron | str:
    node, role = place.node, place.role
    names = ("tensor_model", "pipeline_model", "context", "expert_model")
    tensor, pipeline, context, expert = (values.integer(f"{node}.{name}_parallel_size", 1) for name in names)
    expert_tensor = values.optional_integer(f"{node}.expert_tensor_parallel_size") or tensor
    if min(tensor, pipeline, context, expert, expert_tensor) < 1:
        return f"the Megatron sizes of {role} must be at least 1"
    if world % (tensor * pipeline * context):
        return f"{world} devices cannot be divided by the Megatron sizes of {role}"
    transformer = values.node(place.transformer, *SHAPING)
    layers = _stage_layers(model.layers, pipeline, transformer)
    if layers is None:
        return f"{model.layers} layers of {role} cannot be divided over {pipeline} pipeline stages"
    optimizer = place.optimizer
    precise = values.boolean(f"{optimizer}.use_precision_aware_optimizer", False)
    overrides = values.node(f"{optimizer}.override_optimizer_config", *OFFLOADING)
    precise = precise or overrides.get("use_precision_aware_optimizer") is True
    parameters = values.boolean(f"{node}.param_offload", False)
    on_host = overrides.get("optimizer_cpu_offload") is True
    fraction = overrides.get("optimizer_offload_fraction", 1.0) if on_host else 0.0
    if not isinstance(fraction, (int, float)) or not 0 <= fraction <= 1:
        return f"optimizer_offload_fraction of {role} is no known share from 0 to 1"
    mtp = "model.mtp" if node == "engine" else f"{derived.MODEL}.mtp"
    return Megatron(
        tensor=tensor,
        pipeline=pipeline,
        context=context,
        expert=expert,
        expert_tensor=expert_tensor,
        data=world // (tensor * pipeline * context),
        stage_layers=layers,
        chunks=max(1, values.optional_integer(f"{node}.virtual_pipeline_model_parallel_size") or 1),
        gradient_bytes=_gradient_bytes(values, node, optimizer, precise),
        moment_bytes=_moment_bytes(values, optimizer) if precise else 8,
        distributed_optimizer=values.boolean(f"{node}.use_distributed_optimizer", True),
        fully_sharded=values.boolean(f"{node}.use_megatron_fsdp", False),
        optimizer_cpu_fraction=float(fraction),
        offload_parameters=parameters,
        offload_gradients=values.boolean(f"{node}.grad_offload", parameters),
        offload_optimizer=values.boolean(f"{node}.optimizer_offload", False),
        recompute=transformer.get("recompute_granularity") == "full",
        recomputed_modules=_recomputed_modules(transformer),
        trains_mtp=values.boolean(f"{mtp}.enable", False) and values.boolean(f"{mtp}.enable_train", False),
    )


def _recomputed_modules(transformer: dict[str, object]) -> frozenset[str]:
    """The modules of selective recomputation; Megatron's default is the attention scores alone."""
    if transformer.get("recompute_granularity") != "selective":
        return frozenset()
    modules = transformer.get("recompute_modules")
    return frozenset(str(module) for module in modules) if isinstance(modules, list) else frozenset({"core_attn"})


def _gradient_bytes(values: Values, node: str, optimizer: str, precise: bool) -> int:
    """DDP keeps gradients in float32 unless told otherwise (verl/utils/megatron_utils.py :: get_model)."""
    stated = values.node(f"{node}.override_ddp_config", "grad_reduce_in_fp32").get("grad_reduce_in_fp32")
    if isinstance(stated, bool):
        return 4 if stated else 2
    return values.precision(f"{optimizer}.main_grads_dtype", "fp32") if precise else 4


def _moment_bytes(values: Values, optimizer: str) -> int:
    """Both Adam moments of one parameter, which the precision-aware optimizer can store smaller."""
    kinds = {key: values.string(key, "fp32") for key in (f"{optimizer}.exp_avg_dtype", f"{optimizer}.exp_avg_sq_dtype")}
    return sum(1 if "8" in kind else values.bytes_of(key, kind) for key, kind in kinds.items())


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
