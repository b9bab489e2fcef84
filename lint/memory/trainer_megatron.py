"""Megatron-Core: what one device holds while a role computes. Only the role's own memory; bytes.

Sources: verl/workers/engine/megatron/transformer_impl.py (0.9.1 wheel), verl/utils/megatron_utils.py :: get_model (the
DDP wrap holds the original parameters beside the flat parameter and gradient buffers), megatron/core/distributed
param_and_grad_buffer.py, megatron/core/optimizer distrib_optimizer.py and cpu_offloading/hybrid_optimizer.py.
Not understood: a HybridDeviceOptimizer fraction below 1 on NPU (measured runs fit 1.0, see data/calibration.json).
"""

from __future__ import annotations

from itertools import accumulate

from lint.facts.models import Model
from lint.frozen import frozen
from lint.memory.activations import fused_bytes_per_token, vision_term
from lint.memory.constants import constants
from lint.memory.inputs import Megatron, MemoryInputs, Training
from lint.memory.lengths import Lengths
from lint.memory.logits import megatron_bytes
from lint.memory.terms import Moment, Phase, Term, trained

COMPUTE = 2  # bytes of one bfloat16 parameter
MASTER = 4  # bytes of one float32 master parameter


@frozen
class Stage:
    """Parameters of one device of one pipeline stage: `experts` are split over expert parallel ranks."""

    index: int
    layers: int
    dense: float
    experts: float

    @property
    def parameters(self) -> float:
        return self.dense + self.experts


def stages(model: Model, engine: Megatron) -> list[Stage]:
    """Each pipeline stage. Embedding and vision tower are on the first, the output head is on the last."""
    counts = model.parameters
    starts = [0, *accumulate(engine.stage_layers)]
    expert_split = engine.expert * engine.expert_tensor
    full_every = model.linear_attention.full_every if model.linear_attention else 1
    first_dense = model.experts.first_dense if model.experts else model.layers
    found = []
    for index, layers in enumerate(engine.stage_layers):
        start, end = starts[index], starts[index] + layers
        full = end // full_every - start // full_every
        moe = max(0, end - max(start, first_dense))
        dense = (
            (full * counts.attention_layer + (layers - full) * counts.linear_attention_layer) / engine.tensor
            + layers * counts.norm_layer
            + moe * (counts.router_layer + counts.shared_experts_layer / engine.tensor)
            + (layers - moe) * counts.dense_mlp_layer / engine.tensor
        )
        if index == 0:
            dense += counts.embedding / engine.tensor + counts.vision
        if index == len(engine.stage_layers) - 1:
            shares = model.tied_embedding and len(engine.stage_layers) == 1
            dense += counts.mtp / engine.tensor if engine.trains_mtp else 0
            dense += counts.final_norm + (0 if shares else model.vocabulary_size * model.hidden_size / engine.tensor)
        found.append(Stage(index, layers, dense, moe * counts.experts_layer / expert_split))
    return found


def heaviest(model: Model, engine: Megatron) -> Stage:
    """The stage with most parameters on each of its devices."""
    return max(stages(model, engine), key=lambda found: found.parameters)


def stored_bytes(inputs: MemoryInputs, training: Training) -> float:
    """Bytes of the parameters that a device of the heaviest stage keeps."""
    assert isinstance(training.engine, Megatron)
    return COMPUTE * held(training.engine, heaviest(inputs.model_of(training), training.engine))


def resident_terms(inputs: MemoryInputs, training: Training) -> tuple[Term, ...]:
    """What stays on the device of the heaviest stage while the role does not compute."""
    model, engine = inputs.model_of(training), training.engine
    assert isinstance(engine, Megatron)
    stage = heaviest(model, engine)
    terms = []
    if not engine.offload_parameters:
        terms.append(trained("parameters", COMPUTE * held(engine, stage), f"{training.role}, not offloaded", 0.01))
    if training.role != "ref":
        if not engine.offload_gradients:
            size = _gradients(engine, stage, trained_share(model, training))
            terms.append(trained("gradients", size, f"{training.role}, not offloaded", 0.01))
        if not engine.offload_optimizer:
            size = _optimizer_on_device(engine, stage, trained_share(model, training))
            terms.append(trained("optimizer", size, f"{training.role}, not offloaded", 0.01))
    return tuple(terms)


def init_moment(inputs: MemoryInputs, training: Training) -> Moment:
    """The DDP wrap: original parameters, flat parameter buffer and gradient buffer at once.

    Megatron-FSDP divides all three; the original parameters are whole until it has.
    """
    engine = training.engine
    assert isinstance(engine, Megatron)
    model = inputs.model_of(training)
    stage = heaviest(model, engine)
    share = trained_share(model, training)
    return Moment(
        "init",
        "DDP wrap",
        (
            trained("parameters", COMPUTE * (stage.parameters + held(engine, stage)), "original and flat buffer", 0.01),
            trained("gradients", _gradients(engine, stage, share), "flat buffer", 0.01),
        ),
    )


def log_prob_moment(inputs: MemoryInputs, training: Training, phase: Phase, tokens: int, entropy: bool) -> Moment:
    """Forward passes without gradients, on the stage where they need most."""
    model, engine = inputs.model, training.engine
    assert isinstance(engine, Megatron)
    per_logit = megatron_bytes(training, forward_only=True, entropy=entropy)
    moments = []
    for stage in stages(model, engine):
        last = stage.index == len(engine.stage_layers) - 1
        logits = (
            tokens * model.vocabulary_size / engine.tensor * per_logit if last and not training.fused_kernels else 0
        )
        moments.append(
            Moment(
                phase,
                "logits",
                (
                    trained("parameters", COMPUTE * held(engine, stage), f"stage {stage.index}", 0.01),
                    trained("gathered_layers", 2 * COMPUTE * _gathered_layer(engine, stage), "and the next layer", 0.1),
                    trained("logits", logits, f"{tokens} tokens", 0.1, block=4 * logits / per_logit),
                    trained("activations", 16 * tokens / engine.tensor * model.hidden_size, "hidden states", 0.2),
                ),
            )
        )
    return max(moments, key=lambda moment: moment.expected)


def update_moments(inputs: MemoryInputs, training: Training, phase: Phase, lengths: Lengths) -> list[Moment]:
    """The moments of a training step that can be its peak, each on the stage where it needs most."""
    tokens, micro = lengths.update_tokens, lengths.micro_batches
    model, engine = inputs.model_of(training), training.engine
    assert isinstance(engine, Megatron)
    backward, logits = [], []
    share = trained_share(model, training)
    outputs = 1 if training.role == "critic" else model.vocabulary_size
    per_logit = megatron_bytes(training, forward_only=False, entropy=False)
    for stage in stages(model, engine):
        in_flight = _in_flight(engine, stage, micro)
        static = (
            trained("parameters", COMPUTE * held(engine, stage), f"stage {stage.index}", 0.01),
            trained("gathered_layers", 2 * COMPUTE * _gathered_layer(engine, stage), "and the next layer", 0.1),
            trained("gradients", _gradients(engine, stage, share), "flat buffer", 0.01),
            trained("optimizer", _optimizer_on_device(engine, stage, share), "", 0.01),
            _checkpoints(inputs, training, stage, tokens, in_flight),
            _received(inputs, training, stage, tokens, micro - in_flight),
            *((vision_term(inputs, training, tokens, recomputed=engine.recompute),) if stage.index == 0 else ()),
        )
        imbalance = constants().expert_imbalance if model.experts else 1.0
        kept = 0 if engine.recompute else fused_bytes_per_token(model, engine.recomputed_modules)
        layer = (fused_bytes_per_token(model) - kept) * tokens / engine.tensor * imbalance
        backward.append(
            Moment(
                phase,
                "layer backward",
                (
                    *static,
                    trained("activations", layer, "recomputed layer", 0.3),
                    trained("activations", 8 * tokens * model.hidden_size, "hidden states", 0.2),
                ),
            )
        )
        if stage.index == len(engine.stage_layers) - 1:
            heads = 1 + (model.mtp_layers if engine.trains_mtp else 0)
            size = heads * tokens * outputs / engine.tensor * per_logit * (not training.fused_kernels)
            block = 0.0 if training.fused_kernels else 4 * tokens * outputs / engine.tensor
            logits.append(Moment(phase, "logits", (*static, trained("logits", size, f"{tokens} tokens", 0.1, block))))
    return [max(group, key=lambda moment: moment.expected) for group in (logits, backward)]


def trained_share(model: Model, training: Training) -> float:
    """Share of the parameters that has gradients and optimizer state: all of them, or the adapter's."""
    return training.trainable_parameters / model.parameters.total


def held(engine: Megatron, stage: Stage) -> float:
    """Parameters that stay on one device: all of its stage, under Megatron-FSDP (`optim_grads_params`) its shard."""
    return _owned(engine, stage) if engine.fully_sharded else stage.parameters


def _gathered_layer(engine: Megatron, stage: Stage) -> float:
    """Parameters of one layer, whole; 0 where they never are divided."""
    return stage.parameters / max(1, stage.layers) if engine.fully_sharded else 0.0


def _gradients(engine: Megatron, stage: Stage, share: float) -> float:
    return engine.gradient_bytes * held(engine, stage) * share


def optimizer_parameters(engine: Megatron, stage: Stage, share: float) -> float:
    """Parameters whose optimizer state one device owns: split over data parallel ranks by the distributed optimizer."""
    return share * (_owned(engine, stage) if engine.distributed_optimizer else stage.parameters)


def _owned(engine: Megatron, stage: Stage) -> float:
    """Parameters of one device once they are divided over data parallel ranks: experts over those of their own."""
    world = engine.data * engine.context * engine.tensor * engine.pipeline
    expert_data = max(1, world // (engine.pipeline * engine.expert * engine.expert_tensor))
    return stage.dense / (engine.data * engine.context) + stage.experts / expert_data


def _optimizer_on_device(engine: Megatron, stage: Stage, share: float) -> float:
    """Master parameters and both moments, less what is kept on the host."""
    each = MASTER + engine.moment_bytes
    return (1 - engine.optimizer_cpu_fraction) * each * optimizer_parameters(engine, stage, share)


def static_bytes(inputs: MemoryInputs, training: Training) -> float:
    """Bytes of parameters, gradients and the optimizer's part on the device, on the stage that has most."""
    model, engine = inputs.model_of(training), training.engine
    assert isinstance(engine, Megatron)
    share = trained_share(model, training)

    def bytes_of(stage: Stage) -> float:
        kept = COMPUTE * held(engine, stage) + _gradients(engine, stage, share)
        return kept + _optimizer_on_device(engine, stage, share)

    return max(map(bytes_of, stages(model, engine)))


def _in_flight(engine: Megatron, stage: Stage, micro: int) -> float:
    """Micro-batches of a whole stage whose backward pass is still to come.

    megatron/core/pipeline_parallel/schedules.py :: get_pp_rank_microbatches (0.15): forward passes before the first
    backward pass, of `chunks` parts each; groups of parts that take turns are as many as there are stages.
    """
    if engine.pipeline == 1:
        return 1
    after = engine.pipeline - stage.index - 1
    if engine.chunks == 1:
        return min(micro, after + 1)
    parts = 2 * after + (engine.chunks - 1) * engine.pipeline + 1
    return min(micro, parts / engine.chunks)


def _received(inputs: MemoryInputs, training: Training, stage: Stage, tokens: int, done: float) -> Term:
    """What the last stage has received for each micro-batch that is done, where its graph is kept.

    The buffer from the stage before is the graph's input (megatron/core/pipeline_parallel/p2p_communication.py). Seen
    in verl PR 7874: 45 GiB on the last stage, 2.4 on the others.
    """
    engine, hidden = training.engine, inputs.model_of(training).hidden_size
    assert isinstance(engine, Megatron)
    last = stage.index == engine.pipeline - 1 > 0
    if not (last and inputs.switches.megatron_keeps_micro_batches):
        return trained("checkpoints", 0)
    size = max(0.0, done) * COMPUTE * tokens / engine.tensor * hidden
    return trained("checkpoints", size, f"received for {done:g} micro-batches that are done", 0.05)


def _checkpoints(inputs: MemoryInputs, training: Training, stage: Stage, tokens: int, in_flight: float) -> Term:
    """What the micro-batches in flight keep: layer inputs, or all activations without recomputation."""
    engine, model = training.engine, inputs.model_of(training)
    assert isinstance(engine, Megatron)
    if engine.recompute:
        size = 2 * stage.layers * tokens / engine.tensor * model.hidden_size * in_flight
        return trained("checkpoints", size, f"{stage.layers} layers x {in_flight:g} micro-batches in flight", 0.05)
    size = stage.layers * fused_bytes_per_token(model, engine.recomputed_modules) * tokens / engine.tensor * in_flight
    chosen = ", ".join(sorted(engine.recomputed_modules))
    return trained("activations", size, f"recomputes {chosen}" if chosen else "no recomputation", 0.3)
