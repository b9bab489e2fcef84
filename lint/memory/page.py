"""The prediction as one HTML page: a picture for each launch, its numbers as a table, what it assumes."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from lint.memory.picture import svg
from lint.memory.report import LaunchMemory, assumptions
from lint.memory.terms import GIB

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
    listed = "".join(f"<li>{escape(line)}</li>" for line in assumptions(launch.prediction.inputs))
    return f"<section>{svg(launch)}{_table(launch)}{_knobs(launch)}<p>Assumed</p><ul>{listed}</ul></section>"


def _table(launch: LaunchMemory) -> str:
    assert launch.prediction is not None
    phases = launch.prediction.phases
    parts = dict.fromkeys(part for memory in phases.values() for part in memory.expected.components)
    head = "".join(f"<th>{escape(name)}</th>" for name in phases)
    rows = [
        "<tr><td>"
        + part.replace("_", " ")
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
    if not rows:
        return ""
    cells = "".join(
        f"<tr><td>{escape(knob.title)}</td><td>{knob.saved / GIB:.1f}</td><td>{knob.probability:.0%}</td></tr>"
        for knob in rows
    )
    head = f"<tr><th>change</th><th>saves GiB in {escape(rows[0].phase)}</th><th>risk afterwards</th></tr>"
    return f"<table>{head}{cells}</table>"
