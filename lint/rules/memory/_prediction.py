"""The prediction of a launch, computed once for all memory rules."""

from __future__ import annotations

from lint.findings import Severity
from lint.memory.inputs import MemoryInputs, NotEnough
from lint.memory.knobs import Knob
from lint.memory.reading import read_inputs
from lint.memory.recipes import composed_elsewhere
from lint.memory.terms import GIB, Moment, in_words
from lint.memory.verdict import LIKELY, Prediction, predict
from lint.subject.derived import ROLLOUT
from lint.subject.subject import Subject

SHARE = f"{ROLLOUT}.gpu_memory_utilization"


def prediction_of(subject: Subject) -> Prediction | None:
    """What the model says, or None where it cannot say anything."""
    if "memory" not in subject.computed:
        subject.computed["memory"] = _predicted(subject)
    found = subject.computed["memory"]
    return found if isinstance(found, Prediction) else None


def _predicted(subject: Subject) -> Prediction | NotEnough | None:
    if subject.device is None and not composed_elsewhere(subject):
        return None  # as for most launches of a repository: before anything else is read
    share = subject.number(SHARE)
    if share is not None and not is_share(share):
        return None  # utilization-not-a-share says so, and no sum would mean anything
    inputs = read_inputs(subject, subject.expected_tokens)
    return predict(inputs, ranges=False) if isinstance(inputs, MemoryInputs) else inputs


def is_share(number: float) -> bool:
    """True for what `gpu_memory_utilization` may be."""
    return 0 < number <= 1


def severity_of(chance: float) -> Severity:
    """What a chance to exceed the device is worth."""
    return "warning" if chance >= LIKELY else "info"


def sum_of(moment: Moment, most: int = 5) -> str:
    """`rollout weights 37.2 + cached blocks 4.6 + ...`, the largest parts by name."""
    parts = sorted(moment.components.items(), key=lambda item: -item[1])
    named = " + ".join(f"{in_words(part)} {size / GIB:.1f}" for part, size in parts[:most])
    rest = sum(size for _, size in parts[most:])
    return f"{named} + rest {rest / GIB:.1f}" if rest else named


def written(knob: Knob) -> str:
    """`tensor_model_parallel_size=8 and gpu_memory_utilization=0.6` with whole keys."""
    return " and ".join(f"{key}={value}" for key, value in knob.writes)
