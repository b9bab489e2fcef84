"""FSDP1 and FSDP2: what one device holds while a role computes. Only the role's own memory; bytes.

Sources: verl/workers/engine/{fsdp,veomni,torchtitan,automodel}/transformer_impl.py (0.9.1 wheel; other releases by
`lint/schema/data/behaviours.json`), verl/utils/torch_functional.py :: entropy_from_logits*, logprobs_from_logits,
torch/distributed/fsdp/_fully_shard/_fsdp_param_group.py.
"""

from __future__ import annotations

from lint.facts.models import Model
from lint.frozen import frozen
from lint.memory.activations import layer_activations, vision_term
from lint.memory.inputs import Fsdp, MemoryInputs, Training
from lint.memory.lengths import Lengths
from lint.memory.logits import DEVIATION, entropy_bytes, entropy_deviation, log_prob_bytes, training_bytes
from lint.memory.terms import Moment, Phase, Term, trained

COMPUTE = 2  # bytes of one gathered parameter: mixed precision computes in bfloat16


def shard(model: Model, engine: Fsdp) -> float:
    """Bytes of one device's share of the parameters."""
    return model.parameters.total * engine.parameter_bytes / ranks(engine)


def ranks(engine: Fsdp) -> int:
    """Devices among which each parameter is divided: tensor parallel ones, and those of a shard."""
    return engine.shard * engine.tensor


def stored_bytes(inputs: MemoryInputs, training: Training) -> float:
    """Bytes of the parameters that one device keeps."""
    assert isinstance(training.engine, Fsdp)
    return shard(inputs.model_of(training), training.engine)


def static_bytes(inputs: MemoryInputs, training: Training) -> float:
    """Bytes of parameters, gradients and optimizer that an optimizer step needs on one device."""
    engine = training.engine
    assert isinstance(engine, Fsdp)
    if engine.offload_policy:
        return 0.0
    own = training.trainable_parameters * engine.parameter_bytes / ranks(engine)
    return shard(inputs.model_of(training), engine) + own + states(training, engine)


def resident_terms(inputs: MemoryInputs, training: Training) -> tuple[Term, ...]:
    """What stays on the device while the role does not compute."""
    model, engine = inputs.model_of(training), training.engine
    assert isinstance(engine, Fsdp)
    if engine.offload_policy or training.role == "ref":
        return ()
    found = []
    if not engine.offload_parameters:
        found.append(trained("parameters", shard(model, engine), f"{training.role}, not offloaded", 0.01))
    if not engine.offload_optimizer:
        found.append(trained("optimizer", states(training, engine), f"{training.role}, not offloaded", 0.01))
    return tuple(found)


def init_moment(inputs: MemoryInputs, training: Training) -> Moment:
    """Sharding: each layer comes to the device whole, in its stored type, and is cut."""
    model, engine = inputs.model_of(training), training.engine
    assert isinstance(engine, Fsdp)
    layer = engine.parameter_bytes * max(_widest_layer(model, engine), _root(model, engine))
    return Moment(
        "init",
        "shard model",
        (
            trained("parameters", shard(model, engine), "shard", 0.01),
            trained("gathered_layers", layer, "largest unit, whole", 0.1),
        ),
    )


def log_prob_moment(inputs: MemoryInputs, training: Training, phase: Phase, tokens: int, entropy: bool) -> Moment:
    """Forward passes without gradients. The reference's weights stay on the host between layers."""
    model, engine = inputs.model, training.engine
    assert isinstance(engine, Fsdp)
    held = 0.0 if training.role == "ref" or engine.offload_policy else shard(model, engine)
    tokens_of_logits = _tokens_of_logits(engine, tokens)
    vocabulary = tokens_of_logits * model.vocabulary_size
    deviation = DEVIATION
    if training.fused_kernels:
        logits = 0.0
    elif entropy:
        logits, deviation = entropy_bytes(inputs, training, tokens_of_logits), entropy_deviation(training)
    else:
        logits = vocabulary * log_prob_bytes(inputs, training)
    return Moment(
        phase,
        "logits",
        (
            trained("parameters", held, "shard", 0.01),
            trained(
                "gathered_layers",
                COMPUTE * (_root(model, engine) + 1.5 * _widest_layer(model, engine)),
                "root and layer",
                0.2,
            ),
            trained(
                "logits",
                logits,
                f"{tokens_of_logits} tokens x {model.vocabulary_size}",
                deviation,
                block=COMPUTE * vocabulary,
            ),
            trained("activations", 8 * tokens * model.hidden_size, "hidden states", 0.2),
        ),
    )


def update_moments(inputs: MemoryInputs, training: Training, phase: Phase, lengths: Lengths) -> list[Moment]:
    """The moments of a training step that can be its peak."""
    tokens, micro = lengths.update_tokens, lengths.micro_batches
    model, engine, many = inputs.model_of(training), training.engine, micro > 1
    assert isinstance(engine, Fsdp)
    layer, ends = _widest_layer(model, engine), _ends(model, training, engine, many=many)
    trainable = training.trainable_parameters
    own = trainable * engine.parameter_bytes / ranks(engine)
    deferred = whole_gradients(model, training, engine)
    held = 0.0 if engine.offload_policy else 1.0
    static = (
        trained("parameters", held * shard(model, engine), "shard", 0.01),
        trained("optimizer", held * states(training, engine), "states of the shard", 0.01),
        trained("gathered_layers", _kept_gathered(model, engine) if many else 0, "all layers, until the last", 0.01),
    )
    if engine.deferred_sync and many:
        gradients = accumulated = trained("gradients", deferred, "not sharded until the last micro-batch", 0.01)
    else:
        gradients = trained("gradients", held * own, "shard", 0.01)
        accumulated = gradients if many else trained("gradients", 0)
    vision = vision_term(inputs, training, tokens, recomputed=training.gradient_checkpointing)
    one, share = layer_activations(inputs, training, lengths), training.kept_activations
    whole = trained("activations", share * model.layers * one, f"kept of {model.layers} layers", 0.2)
    finished = _of_finished_micro_batches(inputs, training, tokens, micro)
    kept_inputs = (_checkpoints(model, training, tokens), vision, whole, finished)
    reduced = 0 if training.lora else COMPUTE + engine.reduce_bytes
    tokens_of_logits = _tokens_of_logits(engine, tokens)
    per_logit = 0.0 if training.fused_kernels else float(tokens_of_logits * _outputs(model, training))
    hidden = trained("activations", 8 * tokens * model.hidden_size, "hidden states", 0.2)
    root = trained("gathered_layers", COMPUTE * ends.root, "embedding or head", 0.1)
    end = per_logit * training_bytes(inputs, training, tokens_of_logits)
    logits = trained("logits", end, "", 0.1, block=COMPUTE * per_logit)
    running = (trained("activations", (1 - share) * one, "recomputed layer", 0.2), hidden)
    layers = trained("gathered_layers", COMPUTE * layer * (3 if engine.version == 2 else 2), "and the next layer", 0.2)
    layer_gradients = trained("gradients", reduced * layer, "one layer, whole", 0.1)
    head_gradients = trained("gradients", ends.head_gradient, "head, whole", 0.05)
    last_gradients = trained("gradients", ends.last_gradients, "embedding and head, whole", 0.05)
    last_gathered = trained("gathered_layers", ends.last_gathered, "embedding or head", 0.1)
    kept = trained("gradients", ends.kept_gradient, "head, whole until the end of the backward pass", 0.05)
    return [
        Moment(phase, "logits", (*static, accumulated, *kept_inputs, logits, root, hidden)),
        Moment(
            phase,
            "head backward",
            (
                *static,
                accumulated,
                *kept_inputs,
                root,
                head_gradients,
                trained("logits", COMPUTE * per_logit, "their gradient", 0.1, block=COMPUTE * per_logit),
                hidden,
            ),
        ),
        Moment(
            phase,
            "layer backward",
            (*static, gradients, *kept_inputs, *running, root, layers, layer_gradients, kept),
        ),
        Moment(phase, "root reduce", (*static, gradients, last_gathered, last_gradients)),
        Moment(
            phase,
            "optimizer step",
            (
                *static,
                trained("gradients", held * own, "shard"),
                trained("optimizer_step", held * own, "one temporary"),
            ),
        ),
    ]


def _of_finished_micro_batches(inputs: MemoryInputs, training: Training, tokens: int, micro: int) -> Term:
    """What the graph of each earlier micro-batch of a mini-batch pins, where an adapter trains under a frozen model.

    PEFT lets the output of the frozen embedding require a gradient (enable_input_require_grads): a leaf of the graph,
    which holds it and its gradient. Measured in verl PR 6699: 0.26 GiB for each 16 k tokens of Qwen3-8B.
    """
    engine, hidden = training.engine, inputs.model_of(training).hidden_size
    pins = inputs.switches.keeps_micro_batches and isinstance(engine, Fsdp) and engine.family == "fsdp"
    if not (pins and training.lora):
        return trained("checkpoints", 0)
    size = (micro - 1) * 2 * COMPUTE * tokens * hidden
    return trained("checkpoints", size, f"embedded tokens of {micro - 1} micro-batches that are done", 0.05)


def whole_gradients(model: Model, training: Training, engine: Fsdp) -> float:
    """Bytes of gradients that are kept whole: of all that is trained, but of one rank's own experts only."""
    elsewhere = 0.0 if training.lora else model.parameters.moe_layers * model.parameters.experts_layer
    here = training.trainable_parameters - elsewhere * (1 - 1 / engine.expert)
    return here / engine.tensor * (engine.reduce_bytes if engine.version == 2 else COMPUTE)


def _kept_gathered(model: Model, engine: Fsdp) -> float:
    """Bytes of decoder layers that are not sharded again between the micro-batches of a mini-batch.

    nemo_automodel/components/moe/fsdp_mixin.py :: MoEFSDPSyncMixin (`enable_fsdp_optimizations`).
    """
    counts = model.parameters
    elsewhere = counts.moe_layers * counts.experts_layer * (1 - 1 / engine.expert)
    return COMPUTE * (counts.total - elsewhere) / engine.tensor if engine.deferred_reshard else 0.0


def _tokens_of_logits(engine: Fsdp, tokens: int) -> int:
    """Tokens whose logits one device holds: torchtitan gathers those of all tensor parallel ranks.

    verl/workers/engine/torchtitan/transformer_impl.py :: model_forward_step (`full_tensor`).
    """
    return tokens * engine.sequence_parallel if engine.family == "torchtitan" else tokens


@frozen
class _Ends:
    """Embedding and head in a training step, bytes (`root`: parameters).

    FSDP1 gathers both as one unit: their gradients stay in bfloat16 until both are there, are then copied to the type
    they are reduced in, and once more where the unit does not divide into equal shards; what comes of it is added to
    the shard of earlier micro-batches (_runtime_utils.py :: _post_backward_hook, _get_reduce_scatter_tensors,
    _accumulate_sharded_grad; live storages counted on CPU, torch 2.13). FSDP2 keeps the unit of the root module (the
    head, or a tied embedding) gathered for the whole step; as neither its input nor the embedding's needs a gradient,
    both are reduced one after the other when the backward pass is over (_fsdp_state.py ::
    _root_post_backward_final_callback).
    """

    root: int
    head_gradient: float
    kept_gradient: float
    last_gradients: float
    last_gathered: float


def _ends(model: Model, training: Training, engine: Fsdp, *, many: bool) -> _Ends:
    counts = model.parameters
    trains = 0 if training.lora else 1
    head = 0 if training.role == "critic" else model.vocabulary_size * model.hidden_size
    root = _root(model, engine)
    if engine.version == 1:
        copies = (1 if root % engine.shard == 0 else 2) + (1 / ranks(engine) if many else 0)
        last = counts.embedding + (0 if training.role == "critic" else counts.output_head)
        waiting = trains * COMPUTE * head
        return _Ends(root, waiting, waiting, trains * (COMPUTE + copies * engine.reduce_bytes) * last, 0.0)
    embedding = 0 if model.tied_embedding else counts.embedding
    one, other = (head or root, embedding) if not model.tied_embedding else (root, 0)
    largest = trains * engine.reduce_bytes * max(one, other)
    both = trains * COMPUTE * (head if not model.tied_embedding else root) + trains * COMPUTE * other
    return _Ends(root, trains * COMPUTE * head, trains * COMPUTE * head, both + largest, COMPUTE * min(one, other))


def states(training: Training, engine: Fsdp) -> float:
    """Bytes of one device's share of the optimizer's states."""
    return training.trainable_parameters * engine.state_bytes / ranks(engine)


def _outputs(model: Model, training: Training) -> int:
    """Numbers per token at the end of the model: the vocabulary, or one value."""
    return 1 if training.role == "critic" else model.vocabulary_size


def _widest_layer(model: Model, engine: Fsdp) -> int:
    """Parameters of the largest decoder layer that one device gathers: with its own experts only, if they are split.

    Tensor parallel ranks gather their part of it.
    """
    counts = model.parameters
    attention = max(counts.attention_layer, counts.linear_attention_layer)
    experts = counts.experts_layer // engine.expert
    moe = experts + counts.router_layer + counts.shared_experts_layer if counts.moe_layers else 0
    dense = counts.dense_mlp_layer if counts.dense_layers else 0
    return (attention + counts.norm_layer + max(moe, dense)) // engine.tensor


def _root(model: Model, engine: Fsdp) -> int:
    """Parameters outside the decoder layers that are gathered together."""
    counts = model.parameters
    if engine.version == 2 and not model.tied_embedding:
        return model.vocabulary_size * model.hidden_size // engine.tensor
    return (counts.embedding + counts.output_head + counts.final_norm) // engine.tensor


def _checkpoints(model: Model, training: Training, tokens: int) -> Term:
    """Layer inputs kept for recomputation; what is kept of the layers themselves is in `activations`."""
    if not training.gradient_checkpointing:
        return trained("checkpoints", 0)
    layers = 1 if training.activation_offload else model.layers
    note = "offloaded but for one layer" if training.activation_offload else f"{model.layers} layers"
    return trained("checkpoints", 2 * layers * tokens * model.hidden_size, note, 0.05)
