"""The prediction as one HTML page: a picture for each launch, its numbers as a table, what it assumes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from lint.memory.checks import gib
from lint.memory.knobs import COSTS
from lint.memory.picture import svg
from lint.memory.report import LaunchMemory, assumptions
from lint.memory.terms import GIB, in_words, percent

STYLE = """
body { font: 14px/1.5 'Helvetica Neue', Helvetica, Arial, sans-serif; color: #222 }
body { margin: 2rem auto; max-width: 1000px }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #e5e5e5 }
th:first-child, td:first-child { text-align: left }
svg { max-width: 100%; height: auto }
"""


def html(found: Iterable[LaunchMemory]) -> str:
    """A page that needs nothing from elsewhere."""
    sections = "\n".join(_section(launch) for launch in found)
    head = f'<meta charset="utf-8"><title>Memory per device</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n{sections}\n</body></html>\n'


def _section(launch: LaunchMemory) -> str:
    if launch.prediction is None:
        return f"<section>{svg(launch)}</section>"
    failed = "".join(
        f"<li>{escape(f'{failure.phase} needs {gib(failure.needed)} of {gib(failure.available)}: {failure.sum}')}</li>"
        for failure in launch.prediction.failures
    )
    sums = f"<p>Cannot hold</p><ul>{failed}</ul>" if failed else ""
    inputs = launch.prediction.inputs
    ends = _list("Assumed", assumptions(launch.prediction)) + _list("Not modelled", inputs.unmodelled)
    return f"<section>{svg(launch)}{sums}{_table(launch)}{_knobs(launch)}{ends}</section>"


def _list(title: str, lines: Sequence[str]) -> str:
    listed = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<p>{title}</p><ul>{listed}</ul>" if lines else ""


def _table(launch: LaunchMemory) -> str:
    assert launch.prediction is not None
    phases = launch.prediction.phases
    parts = dict.fromkeys(part for memory in phases.values() for part in memory.expected.components)
    head = "".join(f"<th>{escape(name)}</th>" for name in phases)
    rows = [
        "<tr><td>"
        + in_words(part)
        + "</td>"
        + "".join(_cell(memory.expected.components.get(part, 0)) for memory in phases.values())
        + "</tr>"
        for part in parts
    ]
    totals = [
        ("expected", [memory.expected.expected for memory in phases.values()]),
        ("95th percentile", [memory.expected.high for memory in phases.values()]),
        ("longest samples", [memory.worst.expected for memory in phases.values()]),
        ("torch allocated", [memory.expected.trainer_allocated for memory in phases.values()]),
    ]
    for title, sizes in totals:
        rows.append(f"<tr><th>{title}</th>" + "".join(_cell(size) for size in sizes) + "</tr>")
    return f"<table><tr><th>GiB</th>{head}</tr>{''.join(rows)}</table>"


def _cell(size: int) -> str:
    return f"<td>{size / GIB:.1f}</td>" if size else "<td></td>"


def _knobs(launch: LaunchMemory) -> str:
    rows = [*((launch.advice,) if launch.advice else ()), *launch.knobs]
    assert launch.prediction is not None
    table = ""
    if rows:
        cells = "".join(
            f"<tr><td>{escape(knob.title)}</td><td>{knob.saved / GIB:.1f}</td>"
            f"<td>{escape(percent(knob.probability))}</td><td>{COSTS[knob.cost]}</td></tr>"
            for knob in rows
        )
        saves = f"saves GiB in {escape(rows[0].phase)}"
        table = f"<table><tr><th>change</th><th>{saves}</th><th>risk then</th><th>costs</th></tr>{cells}</table>"
    if launch.prediction.inputs.rollout is None:
        return table
    safe = launch.largest_safe_utilization
    return f"{table}<p>Largest safe gpu_memory_utilization: {'none' if safe is None else f'{safe:g}'}</p>"
