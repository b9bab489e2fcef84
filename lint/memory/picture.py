"""The prediction as a picture: one stacked bar for each phase against the usable memory of the device, as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from math import ceil
from textwrap import wrap

from lint.memory.checks import gib
from lint.memory.report import LaunchMemory
from lint.memory.terms import GIB, Component, Moment, in_words, percent
from lint.memory.verdict import Prediction

COLOURS: dict[Component, str] = {
    "rollout_weights": "#2f6db3",
    "kv_cache": "#8db8e3",
    "rollout_activations": "#c3daf0",
    "rollout_reserve": "#a9b4c2",
    "parameters": "#b8562b",
    "gradients": "#e08e45",
    "optimizer": "#f2bf6c",
    "optimizer_step": "#f7dca8",
    "gathered_layers": "#7a4f9e",
    "checkpoints": "#b79ad0",
    "activations": "#d9c7e8",
    "logits": "#3f9a6b",
    "weight_bucket": "#9bcf9f",
    "gathered_tensors": "#5fb3a1",
    "cached_blocks": "#c9a227",
    "allocator_slack": "#d8d8d8",
    "outside_torch": "#8a8a8a",
    "unexplained": "#d46a6a",
}
DARK = frozenset({"rollout_weights", "parameters", "gathered_layers", "logits", "outside_torch"})
"""Parts whose colour needs white figures."""
LEFT, RIGHT, TOP = 170, 150, 92
WIDTH = 980
ROW, BAR = 46, 24
LONGEST_PATH = 64
LINE = 130
"""Characters of a line of the foot."""
SMALLEST = GIB // 20
"""Parts below it in every phase are drawn and not named."""
FONT = "font-family=\"'Helvetica Neue', Helvetica, Arial, sans-serif\""


def pictures(found: Iterable[LaunchMemory]) -> str:
    """One document with the pictures of several launches, one below the other."""
    parts = [_picture(launch) for launch in found]
    if len(parts) == 1:
        return _document(*parts[0])
    top, placed = 0, []
    for height, body in parts:
        placed.append(f'<svg y="{top}" width="{WIDTH}" height="{height}">{body}</svg>')
        top += height
    return _document(max(top, 1), "\n".join(placed))


def svg(found: LaunchMemory) -> str:
    """The picture of one launch. An unknown verdict is a picture that says why."""
    return _document(*_picture(found))


def _picture(found: LaunchMemory) -> tuple[int, str]:
    """Height and content."""
    prediction = found.prediction
    if prediction is None:
        return _unknown(found)
    parts = _legend_parts(prediction)
    legend_rows = ceil(len(parts) / 4)
    foot = _foot(prediction)
    height = TOP + ROW * len(prediction.phases) + 62 + 22 * legend_rows + 22 + 18 * len(foot)
    drawn = [*_title(found, prediction), *_axis(prediction), *_rows(prediction), *_legend(prediction, parts)]
    ends = [_text(24, height - 18 * (len(foot) - row), line, fill="#444") for row, line in enumerate(foot)]
    return height, "\n".join([*drawn, *ends])


def _document(height: int, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'{FONT} font-size="13">\n<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _unknown(found: LaunchMemory) -> tuple[int, str]:
    lines = [_text(24, 36, f"{_shortened(found.path)}:{found.line}", size=17, weight="bold")]
    lines.append(_text(24, 62, "verdict: unknown", fill="#555"))
    reasons = [line for reason in found.reasons for line in wrap(reason, LINE, break_on_hyphens=False)]
    lines += [_text(24, 88 + 20 * row, reason) for row, reason in enumerate(reasons)]
    return 110 + 20 * len(reasons), "\n".join(lines)


def _shortened(path: str) -> str:
    """The end of a long path."""
    return path if len(path) <= LONGEST_PATH else "..." + path[-LONGEST_PATH:]


def _text(
    x: float, y: float, words: str, *, size: int = 13, fill: str = "#222", anchor: str = "start", weight: str = "normal"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(words)}</text>'
    )


def _scale(prediction: Prediction) -> float:
    """Pixels per byte: the device takes most of the width; a bar far beyond it is cut."""
    capacity = prediction.inputs.device.memory_bytes
    longest = max(memory.expected.high for memory in prediction.phases.values())
    return (WIDTH - LEFT - RIGHT) / max(capacity * 1.06, min(longest, capacity * 1.35))


def _title(found: LaunchMemory, prediction: Prediction) -> Iterator[str]:
    inputs = prediction.inputs
    colour = {"fits": "#2e7d4f", "tight": "#b7791f", "out-of-memory": "#b23b3b"}[prediction.verdict]
    title = f"{inputs.model.name}, {inputs.nodes} x {inputs.devices_per_node} {inputs.device.title}"
    yield _text(24, 34, title, size=18, weight="bold")
    where = f"{_shortened(found.path)}:{found.line}, verl {inputs.release}"
    where += f", what if {found.what_if}" if found.what_if else ": memory of one device in each phase"
    yield _text(24, 56, where, fill="#555")
    chip = 13 * len(prediction.verdict) * 0.62 + 26
    yield f'<rect x="{WIDTH - 24 - chip:.1f}" y="18" width="{chip:.1f}" height="24" rx="12" fill="{colour}"/>'
    yield _text(WIDTH - 24 - chip / 2, 34.5, prediction.verdict, fill="#fff", anchor="middle", weight="bold")


def _axis(prediction: Prediction) -> Iterator[str]:
    scale, capacity = _scale(prediction), prediction.inputs.device.memory_bytes
    bottom = TOP + ROW * len(prediction.phases)
    step = 10 if capacity < 120 * GIB else 20
    for tick in range(0, ceil((WIDTH - LEFT - RIGHT) / scale / GIB), step):
        x = LEFT + tick * GIB * scale
        yield f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}" stroke="#ececec"/>'
        yield _text(x, bottom + 18, str(tick), fill="#777", anchor="middle", size=12)
    edge = LEFT + capacity * scale
    yield f'<line x1="{edge:.1f}" y1="{TOP - 10}" x2="{edge:.1f}" y2="{bottom}" stroke="#b23b3b" stroke-width="1.6"/>'
    yield _text(edge, TOP - 15, f"usable {gib(capacity)}", fill="#b23b3b", anchor="middle", size=12)
    yield _text(WIDTH - RIGHT + 10, bottom + 18, "expected", fill="#777", size=12)
    words = "GiB; whisker: 90 % of outcomes; open circle: every sample as long as the limits"
    yield _text(LEFT, bottom + 38, words, fill="#777", size=12)


def _rows(prediction: Prediction) -> Iterator[str]:
    scale, limit = _scale(prediction), WIDTH - RIGHT
    capacity = prediction.inputs.device.memory_bytes
    for row, (name, memory) in enumerate(prediction.phases.items()):
        y = TOP + ROW * row + 6
        moment = memory.expected
        yield _text(LEFT - 12, y + 11, name, anchor="end", weight="bold")
        yield _text(LEFT - 12, y + 26, moment.stage, anchor="end", fill="#777", size=11)
        yield from _bar(moment, y, scale, limit)
        low, high = (LEFT + size * scale for size in (moment.low, moment.high))
        middle = y + BAR + 5
        if high <= limit:
            ends = f"M{low:.1f} {middle - 3} v6 M{high:.1f} {middle - 3} v6"
            yield f'<path d="M{low:.1f} {middle} H{high:.1f} {ends}" stroke="#444" fill="none"/>'
        longest = LEFT + memory.worst.expected * scale
        if longest <= limit and memory.worst.expected > 1.01 * moment.expected:
            yield f'<circle cx="{longest:.1f}" cy="{y + BAR / 2}" r="4" fill="#fff" stroke="#222"/>'
        colour = "#b23b3b" if moment.high > capacity else "#222"
        yield _text(limit + 10, y + 11, f"{moment.expected / GIB:.1f}", fill=colour, weight="bold")
        if memory.worst.expected > 1.01 * moment.expected:
            yield _text(limit + 10, y + 26, f"longest {memory.worst.expected / GIB:.1f}", fill="#777", size=11)


def _bar(moment: Moment, y: float, scale: float, limit: float) -> Iterator[str]:
    x = float(LEFT)
    for part in COLOURS:
        size = moment.components.get(part, 0)
        width = min(size * scale, limit - x)
        if size and width > 0:
            yield (
                f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}" fill="{COLOURS[part]}" stroke="#fff" '
                f'stroke-width="0.7"><title>{part}: {gib(size)}</title></rect>'
            )
            if width > 34:
                fill = "#fff" if part in DARK else "#333"
                yield _text(x + width / 2, y + 16, f"{size / GIB:.1f}", anchor="middle", size=11, fill=fill)
        x += size * scale
    if x > limit:
        yield f'<path d="M{limit - 7} {y} l7 {BAR / 2} l-7 {BAR / 2} z" fill="#fff"/>'


def _legend_parts(prediction: Prediction) -> list[Component]:
    parts = (memory.expected.components for memory in prediction.phases.values())
    used = {part for components in parts for part, size in components.items() if size >= SMALLEST}
    return [part for part in COLOURS if part in used]


def _legend(prediction: Prediction, parts: list[Component]) -> Iterator[str]:
    top = TOP + ROW * len(prediction.phases) + 60
    for index, part in enumerate(parts):
        x, y = 24 + (index % 4) * 235, top + 22 * (index // 4)
        yield f'<rect x="{x}" y="{y}" width="13" height="13" rx="2" fill="{COLOURS[part]}"/>'
        yield _text(x + 19, y + 11, in_words(part), size=12, fill="#444")


def _foot(prediction: Prediction) -> list[str]:
    """The lines below the legend: what is most at risk or impossible, and what is left out."""
    worst = prediction.worst
    total = prediction.host["total"]
    risk = f"{percent(prediction.probability)} likely to exceed the device"
    words = [f"most at risk: {worst.phase} ({worst.stage}), {risk}. Host memory per node {total / GIB:.0f} GiB."]
    if prediction.failures:
        failure = prediction.failures[0]
        words = [f"{failure.phase} needs {gib(failure.needed)} of {gib(failure.available)}: {failure.sum}"]
    words += [f"not modelled: {part}" for part in prediction.inputs.unmodelled]
    return [line for sentence in words for line in wrap(sentence, LINE, break_on_hyphens=False)]
