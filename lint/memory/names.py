"""What the settings of a trained role are called: the keys that the launch's release reads."""

from __future__ import annotations

from collections.abc import Mapping

from lint.frozen import frozen
from lint.memory.terms import Phase
from lint.subject import derived
from lint.subject.derived import CRITIC, REF, ROLLOUT, Role, at_least
from lint.subject.subject import Subject

LOG_PROB: Mapping[Phase, str] = {"old_log_prob": ROLLOUT, "ref_log_prob": REF}
"""Where the sizes of the micro-batches are that a phase only reads."""


@frozen
class Names:
    """Keys of one trained role; empty where the release or the engine has none. `engine` is the node of its engine."""

    engine: str
    budget: str
    samples: str
    split: str
    chunking: str


def critic_budget(subject: Subject) -> str | None:
    """The one key that decides how a critic is packed for its update, where its engine is handed no other.

    It packs by tokens then, whatever `critic.use_dynamic_bsz` says (verl/workers/config/engine.py :: EngineConfig):
    V0 hands over the budget of the update (ray_trainer.py :: init_workers), V1 that of a forward pass
    (v1/trainer_base.py :: _init_workers). None: all keys reach it (workers of 0.7, and since verl PR 7465).
    """
    if derived.legacy_workers(subject) or subject.behaves("critic_batching_reaches_engine"):
        return None
    kind = "ppo_infer" if derived.generation(subject) == "v1" else "ppo"
    return f"{CRITIC}.{kind}_max_token_len_per_gpu"


def names_of(subject: Subject, role: Role, node: str) -> Names:
    """The keys of a role of the PPO trainer whose engine is configured at `node`."""
    prefix = derived.PREFIXES[role]
    split = derived.sequence_parallel_key(subject, role) or ""
    if split.endswith(".ulysses_sequence_parallel_size") and role != "critic":
        split = f"{prefix}.ulysses_sequence_parallel_size"  # comes before the engine's
    at_role = derived.legacy_workers(subject) or role == "critic" or at_least(subject, "0.9.0")
    chunking = f"{prefix if at_role else node}.entropy_from_logits_with_chunking"
    budget = (critic_budget(subject) if role == "critic" else None) or f"{prefix}.ppo_max_token_len_per_gpu"
    return Names(
        engine=node,
        budget=budget if subject.setting(budget) is not None else f"+{budget}",
        samples=f"{prefix}.ppo_micro_batch_size_per_gpu",
        split=split,
        chunking=chunking if subject.setting(chunking) is not None else "",
    )
