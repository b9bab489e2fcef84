"""From a launch of the SFT trainer to `MemoryInputs`: one trained role, no rollout, no reference.

verl/trainer/sft_trainer.py and verl/trainer/config/sft_trainer_engine.yaml (0.9.1): the engines are those of the PPO
trainer, their settings lie under `engine`. The loss needs no entropy, and nothing turns on expandable segments.
"""

from __future__ import annotations

from lint.facts.devices import Cluster
from lint.facts.models import Model
from lint.memory.adapters import adapter_parameters
from lint.memory.inputs import Engine, Megatron, Training
from lint.memory.lengths import Batches, Packing
from lint.memory.names import Names
from lint.memory.reading_engines import Place, kept_activations
from lint.memory.values import Values
from lint.subject import derived
from lint.subject.processes import option
from lint.subject.subject import Subject

NODE = "engine"
MODEL = "model"
DATA = "data"


def trains_supervised(subject: Subject) -> bool:
    """True if the launch's config is that of the SFT trainer on engines."""
    return subject.setting(f"{MODEL}.path") is not None and subject.setting(f"{NODE}._target_") is not None


def processes(subject: Subject) -> Cluster | None:
    """Nodes and processes per node as torchrun is told; the config's numbers under another launcher. None: unknown."""
    cluster = subject.cluster
    if subject.launch.launcher != "torchrun" or cluster is None:
        return cluster
    per_node = option(subject, "nproc_per_node", None)
    nodes = cluster.nodes if cluster.nodes > 1 else option(subject, "nnodes", 1)
    return None if per_node is None or nodes is None else Cluster(nodes, per_node, cluster.device)


def _strategy(values: Values) -> str:
    """As the engine's config says; that of Megatron leaves it to its class."""
    if values.string(f"{NODE}._target_", "").endswith(".McoreEngineConfig"):
        return "megatron"
    return values.string(f"{NODE}.strategy", "fsdp")


def place(values: Values) -> Place:
    """The only engine."""
    strategy = _strategy(values)
    name = {"megatron": "context_parallel_size", "veomni": "ulysses_parallel_size"}
    split = values.size(f"{NODE}.{name.get(strategy, 'ulysses_sequence_parallel_size')}", 1)
    return Place("actor", strategy, NODE, "optim", f"{NODE}.override_transformer_config", split)


def training(values: Values, found: Place, engine: Engine, model: Model, usual: int, longest: int) -> Training:
    """The role that the SFT trainer trains."""
    rank = values.integer(f"{MODEL}.lora_rank", 0)
    checkpointing = values.boolean(f"{MODEL}.enable_gradient_checkpointing", True)
    return Training(
        role="actor",
        engine=engine,
        kept_activations=kept_activations(values, found, checkpointing=checkpointing),
        activation_offload=values.boolean(f"{MODEL}.enable_activation_offload", False),
        fused_kernels=values.boolean(f"{MODEL}.use_fused_kernels", False),
        chunked_entropy=False,
        entropy_chunk=0,
        entropy_in_loss=False,
        distills_top_k=False,
        share_of_logits=1.0,
        compiled_entropy=False,
        trainable_parameters=adapter_parameters(model, rank) if rank > 0 else model.parameters.total,
        lora=rank > 0,
        summons="",
        batches=_batches(values, engine, usual, longest),
        names=_names(engine),
    )


def _names(engine: Engine) -> Names:
    """The trainer's keys."""
    split = "ulysses_sequence_parallel_size"
    if isinstance(engine, Megatron):
        split = "context_parallel_size"
    elif engine.family == "veomni":
        split = "ulysses_parallel_size"
    return Names(
        engine=NODE,
        budget=f"{DATA}.max_token_len_per_gpu",
        samples=f"{DATA}.micro_batch_size_per_gpu",
        split=f"{NODE}.{split}",
        chunking="",  # the loss needs no entropy
    )


def _batches(values: Values, engine: Engine, usual: int, longest: int) -> Batches:
    world = derived.world_size(values.subject) or 1
    padded = values.string(f"{DATA}.pad_mode", "no_padding") != "no_padding"
    packing = Packing(
        dynamic=values.boolean(f"{DATA}.use_dynamic_bsz", True),
        budget=values.integer(f"{DATA}.max_token_len_per_gpu", 8192),
        samples=max(1, values.integer(f"{DATA}.micro_batch_size_per_gpu", 4)),
        padded=longest if padded else 0,
        split=engine.sequence_parallel,
    )
    rows = max(1, values.integer(f"{DATA}.train_batch_size", 256))
    return Batches(packing, packing, rows, rows, engine.groups(world), usual, longest)
