"""The terminal view: phases x components as a table, a bar for each phase, host memory, verdict, knobs."""

from __future__ import annotations

from collections.abc import Iterator

from lint.memory.checks import gib
from lint.memory.knobs import COSTS
from lint.memory.report import LaunchMemory, assumptions
from lint.memory.terms import GIB, Component, Moment, percent
from lint.memory.verdict import Prediction
from lint.output.terminal import Style, visible

LETTERS: dict[Component, str] = {
    "parameters": "P",
    "gradients": "G",
    "optimizer": "O",
    "optimizer_step": "o",
    "gathered_layers": "L",
    "checkpoints": "C",
    "activations": "A",
    "logits": "V",
    "rollout_weights": "W",
    "kv_cache": "K",
    "rollout_activations": "a",
    "rollout_reserve": "r",
    "weight_bucket": "B",
    "gathered_tensors": "T",
    "cached_blocks": "c",
    "allocator_slack": "s",
    "outside_torch": "x",
    "unexplained": "?",
}
"""One letter of a bar for each component."""
WIDTH = 48
"""Characters of a bar that is as long as the device."""
MOST_KNOBS = 8
SMALLEST = GIB // 20
"""Parts below it in every phase have no row."""


def text(found: LaunchMemory, style: Style) -> str:
    """Everything about one launch, for people."""
    return "\n".join(_lines(found, style)) + "\n"


def _lines(found: LaunchMemory, style: Style) -> Iterator[str]:
    place = f"{visible(found.path)}:{found.line}"
    said = "".join(f" {name}={visible(value)}" for name, value in found.scenario.items())
    yield f"{style.paint('emphasis', place)}{'  when' + said if said else ''}"
    prediction = found.prediction
    if prediction is None:
        yield "  verdict: unknown"
        yield from (f"  - {visible(reason)}" for reason in found.reasons)
        return
    inputs = prediction.inputs
    yield (
        f"  {inputs.model.name} on {inputs.nodes} x {inputs.devices_per_node} {inputs.device.title}, "
        f"{gib(inputs.device.memory_bytes)} usable each, verl {inputs.release}"
    )
    if found.what_if:
        yield f"  what if {found.what_if}"
    yield ""
    yield from _table(prediction, style)
    yield ""
    yield from _host(prediction)
    yield ""
    yield from _verdict(found, prediction, style)
    yield from _knobs(found)
    yield ""
    yield "  assumed"
    yield from (f"    - {visible(line)}" for line in assumptions(inputs))


def _table(prediction: Prediction, style: Style) -> Iterator[str]:
    """One row a phase: the sum with its spread, the sum under longest samples, torch's share, and the bar."""
    capacity = prediction.inputs.device.memory_bytes
    head = f"  {'phase':<15} {'expected':>8} {'90 % within':>15} {'longest':>8} {'torch':>7}  "
    yield style.paint("dim", head + _ruler(capacity))
    for name, memory in prediction.phases.items():
        moment = memory.expected
        spread = f"{moment.low / GIB:.1f} - {moment.high / GIB:.1f}"
        row = f"  {name:<15} {moment.expected / GIB:>8.1f} {spread:>15} {memory.worst.expected / GIB:>8.1f}"
        bar = _bar(moment, capacity, style)
        yield f"{row} {moment.trainer_allocated / GIB:>7.1f}  {bar} {style.paint('dim', moment.stage)}"
    yield ""
    yield style.paint("dim", f"  {'component, GiB':<22}" + "".join(f"{name:>15}" for name in prediction.phases))
    parts = (memory.expected.components for memory in prediction.phases.values())
    seen = {part for components in parts for part, size in components.items() if size >= SMALLEST}
    used = [part for part in LETTERS if part in seen]
    for part in used:
        sizes = [memory.expected.components.get(part, 0) for memory in prediction.phases.values()]
        cells = "".join(f"{size / GIB:>15.1f}" if size else f"{'.':>15}" for size in sizes)
        yield f"  {LETTERS[part]} {part:<20}{cells}"


def _ruler(capacity: int) -> str:
    label = f"{capacity / GIB:.1f}"
    return "0" + " " * (WIDTH - 1 - len(label)) + label


def _bar(moment: Moment, capacity: int, style: Style) -> str:
    """A stacked bar; what is beyond the device is cut off with `>`."""
    drawn, reached, total = "", 0.0, 0
    for part, size in moment.components.items():
        total += size
        reached = total / capacity * WIDTH
        drawn += LETTERS[part] * (round(reached) - len(drawn))
    if len(drawn) > WIDTH:
        return style.paint("error", drawn[:WIDTH] + ">>>")
    role = "warning" if moment.high > capacity else "good"
    return style.paint(role, drawn) + "." * (WIDTH - len(drawn)) + "|"


def _host(prediction: Prediction) -> Iterator[str]:
    parts = ", ".join(f"{name} {size / GIB:.0f}" for name, size in prediction.host.items() if name != "total")
    yield f"  host memory per node: {prediction.host['total'] / GIB:.0f} GiB ({parts})"


def _verdict(found: LaunchMemory, prediction: Prediction, style: Style) -> Iterator[str]:
    role = {"fits": "good", "tight": "warning", "out-of-memory": "error"}[prediction.verdict]
    worst = prediction.worst
    risk = f"{percent(prediction.probability)} likely to exceed the device in {worst.phase} ({worst.stage})"
    yield f"  verdict: {style.paint(role, prediction.verdict)} - {risk}"
    for failure in prediction.failures:
        yield f"    {failure.phase}: needs {gib(failure.needed)} of {gib(failure.available)}: {failure.sum}"
    largest = max(worst.components.items(), key=lambda item: item[1])
    yield f"  largest term there: {largest[0]}, {gib(largest[1])}"
    if any(memory.worst.expected > prediction.inputs.device.memory_bytes for memory in prediction.phases.values()):
        over = [n for n, m in prediction.phases.items() if m.worst.expected > prediction.inputs.device.memory_bytes]
        yield f"  a batch of full-length samples would exceed the device in {', '.join(over)}"


def _knobs(found: LaunchMemory) -> Iterator[str]:
    """Each change with what it saves, the cheapest first; at the end the largest share that is safe."""
    prediction = found.prediction
    assert prediction is not None
    rows = [*((found.advice,) if found.advice else ()), *found.knobs][:MOST_KNOBS]
    if rows:
        width = max(len(knob.title) for knob in rows)
        yield f"  {'to change':<{width + 2}} {'saves in ' + rows[0].phase:>26}  {'risk then':>9}  costs"
        for knob in rows:
            saved = f"{knob.saved / GIB:.1f} GiB"
            yield f"    {knob.title:<{width}} {saved:>26}  {percent(knob.probability):>9}  {COSTS[knob.cost]}"
    if prediction.inputs.rollout is not None:
        safe = found.largest_safe_utilization
        yield f"  largest safe gpu_memory_utilization: {'none' if safe is None else f'{safe:g}'}"
