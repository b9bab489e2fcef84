"""One launch's memory as plain data (DESIGN "memory", version 1), the base of every output format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from lint.frozen import frozen
from lint.memory.inputs import MemoryInputs, NotEnough
from lint.memory.knobs import Knob, knobs, pair, rollout_advice
from lint.memory.layout import refusals
from lint.memory.phases import PhaseMemory
from lint.memory.terms import GIB, Phase
from lint.memory.verdict import Prediction, Verdict, largest_safe_utilization, predict

NOTICEABLE = 0.02
"""Share of the device by which lengths must change a phase to decide it."""


@frozen
class LaunchMemory:
    """What is shown of one launch: where it is, and the prediction or why there is none."""

    path: str
    line: int
    scenario: Mapping[str, str]
    model: str | None
    device: str | None
    prediction: Prediction | None
    reasons: tuple[str, ...]
    knobs: tuple[Knob, ...]
    advice: Knob | None
    largest_safe_utilization: float | None
    what_if: str = ""  # what differs from the script
    same: tuple[Mapping[str, str], ...] = ()  # other scenarios of the script that come to the same

    @property
    def verdict(self) -> Verdict:
        return "unknown" if self.prediction is None else self.prediction.verdict

    @property
    def scenarios(self) -> tuple[Mapping[str, str], ...]:
        """All that it holds for."""
        return (self.scenario, *self.same)


def launch_memory(
    path: str,
    line: int,
    scenario: Mapping[str, str],
    model: str | None,
    device: str | None,
    inputs: MemoryInputs | NotEnough,
    what_if: str = "",
) -> LaunchMemory:
    """Predict, and run the model again for every knob."""
    reasons = inputs.reasons if isinstance(inputs, NotEnough) else _fails_before(inputs)
    if isinstance(inputs, NotEnough) or reasons:
        return LaunchMemory(path, line, scenario, model, device, None, reasons, (), None, None, what_if)
    prediction = predict(inputs)
    return LaunchMemory(
        path=path,
        line=line,
        scenario=scenario,
        model=model,
        device=device,
        prediction=prediction,
        reasons=(),
        knobs=tuple(knobs(inputs, prediction.worst)),
        advice=_advice(prediction),
        largest_safe_utilization=largest_safe_utilization(inputs),
        what_if=what_if,
    )


def _fails_before(inputs: MemoryInputs) -> tuple[str, ...]:
    return tuple(f"the launch fails at init: {refusal}" for refusal in refusals(inputs))


def merged(found: Iterable[LaunchMemory]) -> list[LaunchMemory]:
    """Scenarios of one launch that come to the same, as one."""
    kept: list[LaunchMemory] = []
    for launch in found:
        for index, other in enumerate(kept):
            if replace(launch, scenario=other.scenario, same=other.same) == other:
                kept[index] = replace(other, same=(*other.same, launch.scenario))
                break
        else:
            kept.append(launch)
    return kept


def _advice(prediction: Prediction) -> Knob | None:
    """Two changes together: the rollout's settings for the weight update, else where no single one helps."""
    if prediction.verdict == "fits":
        return None
    if prediction.worst.phase == "update_weights":
        return rollout_advice(prediction.inputs)
    return pair(prediction.inputs, prediction.worst)


def to_plain(found: LaunchMemory) -> dict[str, Any]:
    """The launch in the shape of DESIGN "Command line"; sizes in bytes."""
    prediction = found.prediction
    plain: dict[str, Any] = {
        "path": found.path,
        "line": found.line,
        "scenario": dict(found.scenario),
        "model": found.model,
        "device": found.device,
        "capacity_bytes": None,
        "phases": [],
        "host_bytes_per_node": {},
        "verdict": found.verdict,
        "max_gpu_memory_utilization": found.largest_safe_utilization,
        "assumptions": list(found.reasons),
    }
    if prediction is None:
        return plain
    inputs = prediction.inputs
    plain.update(
        capacity_bytes=inputs.device.memory_bytes,
        phases=[_phase(name, memory, inputs.device.memory_bytes) for name, memory in prediction.phases.items()],
        host_bytes_per_node=dict(prediction.host),
        assumptions=[*assumptions(prediction), *(f"not modelled: {part}" for part in inputs.unmodelled)],
        probability=round(prediction.probability, 3),
        lengths=_lengths(prediction),
        failures=[
            {
                "check": failure.name,
                "phase": failure.phase,
                "needed_bytes": failure.needed,
                "available_bytes": failure.available,
                "keys": list(failure.keys),
                "sum": failure.sum,
            }
            for failure in prediction.failures
        ],
        knobs=[
            {
                "settings": dict(knob.writes),
                "cost": knob.cost,
                "phase": knob.phase,
                "saved_bytes": knob.saved,
                "probability": round(knob.probability, 3),
            }
            for knob in (*((found.advice,) if found.advice else ()), *found.knobs)
        ],
    )
    return plain


def _decided_by_length(prediction: Prediction) -> dict[Phase, tuple[int, int]]:
    """Phases that take noticeably more or less with the other lengths that samples may have: the least and the most."""
    found = {}
    for phase, memory in prediction.phases.items():
        sizes = [other.expected for other in memory.expected.others]
        if sizes and max(sizes) - min(sizes) > NOTICEABLE * prediction.inputs.device.memory_bytes:
            found[phase] = (min(sizes), max(sizes))
    return found


def _assumed_lengths(prediction: Prediction) -> Iterator[str]:
    """What another length of samples would change."""
    if not prediction.inputs.samples:
        return
    ranges = [
        f"{phase} {least / GIB:.1f} to {most / GIB:.1f} GiB"
        for phase, (least, most) in _decided_by_length(prediction).items()
    ]
    if ranges:
        yield f"that length is assumed; with the others, each as likely: {', '.join(ranges)}"
    else:
        yield "another length would change no phase by much: micro-batches are small, full, or padded to the limits"


def _unexplained(prediction: Prediction) -> Iterator[str]:
    """What a sum has that no term of the model explains."""
    for moment in prediction.moments:
        for term in moment.terms:
            if term.component == "unexplained" and term.size:
                yield f"unexplained: {term.size / GIB:.1f} GiB in {moment.phase} ({moment.stage}), {term.note}"


def _lengths(prediction: Prediction) -> dict[str, Any]:
    """Tokens of a usual sample, and of the others that there may be; the phases that these change."""
    inputs = prediction.inputs
    return {
        "expected_tokens": inputs.actor.batches.sequence,
        "longest_tokens": inputs.actor.batches.longest,
        "assumed_tokens": sorted({sample.usual for sample in inputs.samples} - {inputs.actor.batches.sequence}),
        "decides": list(_decided_by_length(prediction)),
    }


def _phase(name: Phase, memory: PhaseMemory, capacity: int) -> dict[str, Any]:
    moment = memory.expected
    return {
        "phase": name,
        "stage": moment.stage,
        "low_bytes": moment.low,
        "expected_bytes": moment.expected,
        "high_bytes": moment.high,
        "worst_length_bytes": memory.worst.expected,
        "trainer_allocated_bytes": moment.trainer_allocated,
        "probability": round(moment.exceeds(capacity), 3),
        "assumed_length_bytes": [other.expected for other in moment.others],
        "components": dict(moment.components),
    }


def assumptions(prediction: Prediction) -> list[str]:
    """What the prediction rests on that the script does not say."""
    inputs = prediction.inputs
    found = [*inputs.assumptions, *_assumed_lengths(prediction), *_unexplained(prediction)]
    if not inputs.device.measured:
        found.append(f"{inputs.device.title}: usable bytes not measured, taken from the nominal size")
    if inputs.model.confidence == "low":
        found.append(f"sizes taken from {inputs.model.name} by the name of the model")
    found.append(_engine(inputs))
    return found


def _engine(inputs: MemoryInputs) -> str:
    """The software that the formulas are of: what older code requires, or what is in the image of the release."""
    software, switches = inputs.software, inputs.switches
    if software is None:
        return f"the software of verl {inputs.release} is not known: nothing that depends on it is counted"
    if software.vllm_ascend is not None:
        return f"vllm-ascend {software.vllm_ascend}, as in the image of verl {inputs.release}"
    required = "0.6" if switches.vllm_before_sleep else "0.9" if switches.vllm_pays_for_trainer else None
    if required is not None:
        return f"vllm {required} or before, as this code requires"
    return f"vllm {software.vllm}, as in the image of verl {inputs.release}"
