"""The micro-batch keys of each pass: the one per device, and the deprecated one over all devices.

Source: verl/utils/config.py :: validate_config, verl/workers/config/actor.py and critic.py (0.7.1, 0.8.0, 0.9.0, main).
"""

from __future__ import annotations

from lint.frozen import frozen
from lint.subject.derived import ACTOR, CRITIC, REF, ROLLOUT, needs_critic, trains, uses_reference
from lint.subject.subject import Subject


@frozen
class Pass:
    """A pass over the batch; `dynamic` is the key that switches static micro-batches off."""

    name: str
    per_device: str
    overall: str
    dynamic: str


ACTOR_UPDATE = Pass(
    "actor update",
    f"{ACTOR}.ppo_micro_batch_size_per_gpu",
    f"{ACTOR}.ppo_micro_batch_size",
    f"{ACTOR}.use_dynamic_bsz",
)
LOG_PROB = Pass(
    "log-probability pass",
    f"{ROLLOUT}.log_prob_micro_batch_size_per_gpu",
    f"{ROLLOUT}.log_prob_micro_batch_size",
    f"{ROLLOUT}.log_prob_use_dynamic_bsz",
)
REFERENCE = Pass(
    "reference pass",
    f"{REF}.log_prob_micro_batch_size_per_gpu",
    f"{REF}.log_prob_micro_batch_size",
    f"{REF}.log_prob_use_dynamic_bsz",
)
CRITIC_UPDATE = Pass(
    "critic update",
    f"{CRITIC}.ppo_micro_batch_size_per_gpu",
    f"{CRITIC}.ppo_micro_batch_size",
    f"{CRITIC}.use_dynamic_bsz",
)


def static_passes(subject: Subject) -> list[Pass]:
    """The passes that certainly run with static micro-batches."""
    if not trains(subject):
        return []
    passes = [ACTOR_UPDATE, LOG_PROB]
    if uses_reference(subject):
        passes.append(REFERENCE)
    if needs_critic(subject):
        passes.append(CRITIC_UPDATE)
    return [one for one in passes if subject.boolean(one.dynamic) is False]
