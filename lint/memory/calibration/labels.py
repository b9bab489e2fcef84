"""Launches that are known to have worked or to have run out of memory, and what the model says of them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from lint.frozen import frozen
from lint.memory.calibration.rows import Row, inputs_of, rows
from lint.memory.checks import engine_failures, failures
from lint.memory.inputs import Megatron, MemoryInputs
from lint.memory.phases import moments
from lint.memory.terms import Moment
from lint.memory.verdict import TIGHT

Group: TypeAlias = Literal["engine alone", "SFT", "devices apart", "LoRA", "Megatron", "FSDP"]


@frozen
class Label:
    """One launch that is known to have worked or to have run out of memory."""

    name: str
    group: Group
    blind: bool  # nothing was chosen while looking at it
    at_limit: bool  # its author says that no more fits: the next sample fails, or no fewer devices do
    older: bool  # a run of code older than the first release that is read, taken for one of that release
    failed: bool
    probability: float  # 1 where a check that needs no calibration fails
    moment: Moment
    undecidable: str = ""  # why no reader of the script could tell: it is counted apart

    @property
    def flagged(self) -> bool:
        return self.probability >= TIGHT


def labels() -> list[Label]:
    """Every labelled launch whose script decides what came of it."""
    return [label(row) for row in rows("labelled") if "undecidable" not in row]


def undecidable_labels() -> list[Label]:
    """The other ones: a device or a phase that no report names, another process on the device, a bug that was fixed."""
    return [label(row) for row in rows("labelled") if "undecidable" in row]


def workflow_labels() -> list[Label]:
    """Launches of the workflows of verl, which all work. Most are small, so they are counted by themselves."""
    return [label(row) for row in rows("launches")]


def _speaks_of(labelled: str, phase: str) -> bool:
    """True if a label ("trainer", "update", "generate", "any") says something about a phase."""
    of_rollout = phase in ("update_weights", "generate")
    of = {"generate": phase == "generate", "update": of_rollout or phase == "init", "trainer": not of_rollout}
    return of.get(labelled, True)


def label(row: Row) -> Label:
    """The likeliest moment to exceed the device among those that the label speaks of."""
    inputs = inputs_of(row)
    capacity = inputs.device.memory_bytes
    asked = [moment for moment in moments(inputs, "expected") if _speaks_of(row["phase"], moment.phase)]
    worst = max(asked, key=lambda moment: (moment.exceeds(capacity), moment.high))
    if row.get("engine_alone"):
        certain = any(engine_failures(inputs))
    else:
        certain = any(_speaks_of(row["phase"], failure.phase) for failure in failures(inputs))
    probability = 1.0 if certain else worst.exceeds(capacity)
    failed = row["truth"] == "out-of-memory"
    blind, limit, older = row["tag"] == "B", row.get("limit", False), "code" in row
    undecidable = row.get("undecidable", "")
    return Label(row["id"], _group(row, inputs), blind, limit, older, failed, probability, worst, undecidable)


def _group(row: Row, inputs: MemoryInputs) -> Group:
    """What kind of launch it is: the first that applies."""
    if row.get("engine_alone"):
        return "engine alone"
    if inputs.program == "sft":
        return "SFT"
    if inputs.rollout is not None and not inputs.rollout.colocated:
        return "devices apart"
    if inputs.actor.lora:
        return "LoRA"
    return "Megatron" if isinstance(inputs.actor.engine, Megatron) else "FSDP"
