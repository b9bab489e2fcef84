"""The terminal view, 80 columns: a bar for each phase, phases x components, host memory, verdict, knobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from textwrap import wrap

from lint.memory.checks import gib
from lint.memory.knobs import COSTS
from lint.memory.phases import PhaseMemory
from lint.memory.report import LaunchMemory, assumptions
from lint.memory.terms import GIB, Component, Moment, Phase, percent
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
COLUMNS = 80
WIDTH = 30
"""Characters of a bar that is as long as the device."""
ABREAST = 6
"""Phases beside each other in the table of components."""
MOST_KNOBS = 8
SMALLEST = GIB // 20
"""Parts below it in every phase have no row."""


def text(found: LaunchMemory, style: Style) -> str:
    """Everything about one launch, for people."""
    return "\n".join(_lines(found, style)) + "\n"


def _lines(found: LaunchMemory, style: Style) -> Iterator[str]:
    yield style.paint("emphasis", f"{visible(found.path)}:{found.line}")
    for row, scenario in enumerate(found.scenarios):
        if scenario:
            said = " ".join(f"{name}={visible(value)}" for name, value in scenario.items())
            yield f"  {'also ' if row else ''}when {said}"
    prediction = found.prediction
    if prediction is None:
        if found.what_if:
            yield from _paragraph(f"what if {found.what_if}")
        yield "  verdict: unknown"
        yield from _list([visible(reason) for reason in found.reasons], "  - ")
        return
    inputs = prediction.inputs
    yield from _paragraph(
        f"{inputs.model.name} on {inputs.nodes} x {inputs.devices_per_node} {inputs.device.title}, "
        f"{gib(inputs.device.memory_bytes)} usable each, verl {inputs.release}"
    )
    if found.what_if:
        yield from _paragraph(f"what if {found.what_if}")
    yield ""
    yield from _bars(prediction, style)
    yield ""
    yield from _tables(prediction, style)
    yield from _host(prediction)
    yield ""
    yield from _verdict(prediction, style)
    yield from _knobs(found)
    yield ""
    yield "  assumed"
    yield from _list([visible(line) for line in assumptions(prediction)], "  - ")
    if inputs.unmodelled:
        yield "  not modelled"
        yield from _list([visible(line) for line in inputs.unmodelled], "  - ")


def _paragraph(words: str) -> list[str]:
    return wrap(words, COLUMNS, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def _list(lines: Sequence[str], mark: str) -> Iterator[str]:
    for line in lines:
        yield from wrap(line, COLUMNS, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False)


def _bars(prediction: Prediction, style: Style) -> Iterator[str]:
    """One row a phase: the sum with its spread, the sum under longest samples, and the bar."""
    capacity = prediction.inputs.device.memory_bytes
    head = f"  {'GiB':<14} {'expected':>8} {'90 % within':>13} {'longest':>7}  "
    yield style.paint("dim", head + _ruler(capacity))
    for name, memory in prediction.phases.items():
        moment = memory.expected
        spread = f"{moment.low / GIB:.1f} - {moment.high / GIB:.1f}"
        row = f"  {name:<14} {moment.expected / GIB:>8.1f} {spread:>13} {memory.worst.expected / GIB:>7.1f}"
        yield f"{row}  {_bar(moment, capacity, style)}"
    named = ((name, memory.expected.stage) for name, memory in prediction.phases.items())
    stages = ", ".join(f"{name}: {stage}" for name, stage in named if stage != name)
    yield from (style.paint("dim", line) for line in _paragraph(f"fullest moment of {stages}"))


def _tables(prediction: Prediction, style: Style) -> Iterator[str]:
    """What each phase consists of, some phases at a time."""
    phases = list(prediction.phases.items())
    abreast = ceil(len(phases) / ceil(len(phases) / ABREAST))
    for start in range(0, len(phases), abreast):
        yield from _table(phases[start : start + abreast], style)
        yield ""


def _table(phases: list[tuple[Phase, PhaseMemory]], style: Style) -> Iterator[str]:
    names = [name.split("_", 1) for name, _ in phases]
    upper = "".join(f"{name[0] if len(name) > 1 else '':>9}" for name in names)
    yield style.paint("dim", f"{'':<23}{upper}".rstrip())
    yield style.paint("dim", f"  {'component, GiB':<21}" + "".join(f"{name[-1]:>9}" for name in names))
    moments = [memory.expected for _, memory in phases]
    for part in LETTERS:
        sizes = [moment.components.get(part, 0) for moment in moments]
        if max(sizes) >= SMALLEST:
            yield f"  {LETTERS[part]} {part:<19}" + "".join(_cell(size) for size in sizes)
    yield f"  {'allocated by trainer':<21}" + "".join(_cell(moment.trainer_allocated) for moment in moments)


def _cell(size: int) -> str:
    return f"{size / GIB:>9.1f}" if size else f"{'.':>9}"


def _ruler(capacity: int) -> str:
    label = f"{capacity / GIB:.1f}"
    return "0" + " " * (WIDTH - 1 - len(label)) + label


def _bar(moment: Moment, capacity: int, style: Style) -> str:
    """A stacked bar; what is beyond the device is cut off with `>`."""
    drawn, total = "", 0
    for part, size in moment.components.items():
        total += size
        drawn += LETTERS[part] * (min(round(total / capacity * WIDTH), WIDTH + 1) - len(drawn))
    if len(drawn) > WIDTH:
        return style.paint("error", drawn[:WIDTH] + ">")
    role = "warning" if moment.high > capacity else "good"
    return style.paint(role, drawn) + "." * (WIDTH - len(drawn)) + "|"


def _host(prediction: Prediction) -> list[str]:
    parts = ", ".join(f"{name} {size / GIB:.0f}" for name, size in prediction.host.items() if name != "total")
    return _paragraph(f"host memory per node: {prediction.host['total'] / GIB:.0f} GiB ({parts})")


def _verdict(prediction: Prediction, style: Style) -> Iterator[str]:
    role = {"fits": "good", "tight": "warning", "out-of-memory": "error"}[prediction.verdict]
    worst, capacity = prediction.worst, prediction.inputs.device.memory_bytes
    yield f"  verdict: {style.paint(role, prediction.verdict)}"
    yield from _risk(prediction)
    for failure in prediction.failures:
        needed = f"{failure.phase}: needs {gib(failure.needed)} of {gib(failure.available)}: {failure.sum}"
        yield from _list([needed], "  - ")
    largest = max(worst.components.items(), key=lambda item: item[1])
    yield f"  largest term of {worst.phase}: {largest[0]}, {gib(largest[1])}"
    phases = prediction.phases.items()
    over = [name for name, memory in phases if memory.expected.expected <= capacity < memory.worst.expected]
    if over:
        yield from _paragraph(f"a batch of full-length samples would exceed the device in {', '.join(over)}")


def _risk(prediction: Prediction) -> Iterator[str]:
    """The chance, the phase that it is of, and why that is not the one that takes most: more is known of the other."""
    worst, chance = prediction.worst, percent(prediction.probability)
    named = worst.phase if worst.stage == worst.phase else f"{worst.phase} ({worst.stage})"
    place = "any phase" if chance.startswith("<") else named
    yield f"  {chance} likely to exceed the device in {place}"
    fullest = max((memory.expected for memory in prediction.phases.values()), key=lambda moment: moment.expected)
    most = f"{fullest.phase} takes most, {gib(fullest.expected)} ({_range(fullest)} with 90 %)"
    if fullest.phase != worst.phase and fullest.deviation < worst.deviation:
        most += f"; {named} is likelier to exceed the device, as less is known of its sum ({_range(worst)})"
    yield from _paragraph(most)


def _range(moment: Moment) -> str:
    return f"{moment.low / GIB:.1f} to {moment.high / GIB:.1f}"


def _knobs(found: LaunchMemory) -> Iterator[str]:
    """Each change with what it saves, the cheapest first; at the end the largest share that is safe."""
    prediction = found.prediction
    assert prediction is not None
    rows = [*((found.advice,) if found.advice else ()), *found.knobs][:MOST_KNOBS]
    if rows:
        yield f"  changes, and what they save in {rows[0].phase}"
        yield f"    {'saved':>8} {'risk then':>9}  change, and what it costs"
        for knob in rows:
            words = f"{knob.title}: {COSTS[knob.cost]}"
            first, *rest = wrap(words, COLUMNS - 24, break_on_hyphens=False)
            yield f"    {knob.saved / GIB:>8.1f} {percent(knob.probability):>9}  {first}"
            yield from (" " * 24 + line for line in rest)
    if prediction.inputs.rollout is not None:
        safe = found.largest_safe_utilization
        yield f"  largest safe gpu_memory_utilization: {'none' if safe is None else f'{safe:g}'}"
