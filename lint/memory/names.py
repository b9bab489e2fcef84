"""What the settings of a trained role are called, by the program that trains it."""

from __future__ import annotations

from collections.abc import Mapping

from lint.frozen import frozen
from lint.memory.inputs import Megatron, MemoryInputs, Training
from lint.memory.terms import Phase
from lint.subject.derived import ACTOR, CRITIC, REF, ROLLOUT

LOG_PROB: Mapping[Phase, str] = {"old_log_prob": ROLLOUT, "ref_log_prob": REF}
"""Where the sizes of the micro-batches are that a phase only reads."""


@frozen
class Names:
    """Keys of one trained role. `engine` is the node of its engine."""

    engine: str
    dynamic: str
    budget: str
    samples: str
    split: str
    chunking: str


def names_of(inputs: MemoryInputs, training: Training) -> Names:
    """The keys of a role: of the PPO trainer's actor or critic, or of the SFT trainer."""
    engine = training.engine
    split = "ulysses_sequence_parallel_size"
    if isinstance(engine, Megatron):
        split = "context_parallel_size"
    elif engine.family == "veomni":
        split = "ulysses_parallel_size"
    if inputs.program == "sft":
        chunking = "engine.entropy_from_logits_with_chunking"
        budget = "data.max_token_len_per_gpu"
        return Names(
            "engine", "data.use_dynamic_bsz", budget, "data.micro_batch_size_per_gpu", f"engine.{split}", chunking
        )
    prefix = CRITIC if training.role == "critic" else ACTOR
    node = f"{prefix}.{_family(training)}"
    of_role = isinstance(engine, Megatron) or engine.family != "fsdp"
    return Names(
        engine=node,
        dynamic=f"{prefix}.use_dynamic_bsz",
        budget=f"{prefix}.ppo_max_token_len_per_gpu",
        samples=f"{prefix}.ppo_micro_batch_size_per_gpu",
        split=f"{node if of_role else prefix}.{split}",
        chunking=f"{prefix}.entropy_from_logits_with_chunking",
    )


def _family(training: Training) -> str:
    engine = training.engine
    if isinstance(engine, Megatron):
        return "megatron"
    if engine.family != "fsdp":
        return engine.family
    return "fsdp" if training.role == "critic" else "fsdp_config"
