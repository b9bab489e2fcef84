"""The context of the model as verl reads it: `max_position_embeddings`, after `model.override_config`.

Source: verl/workers/rollout/utils.py :: get_max_position_embeddings, verl/workers/config/model.py :: HFModelConfig.
"""

from __future__ import annotations

from lint.rules.derived import MODEL, ROLLOUT
from lint.rules.subject import Subject

CONTEXT = f"{ROLLOUT}.max_model_len"
OVERRIDE = f"{MODEL}.override_config.max_position_embeddings"


def model_context(subject: Subject) -> int | None:
    """Tokens of the model's context, None if unknown."""
    if subject.setting(OVERRIDE) is not None:
        return subject.integer(OVERRIDE)
    if subject.setting(f"{MODEL}.override_config") is not None and subject.is_set(f"{MODEL}.override_config"):
        return None
    if subject.model is None or subject.model.confidence == "low":
        return None
    return subject.model.max_position_embeddings
