"""Published measurements against the model: `python -m lint.memory.calibration` prints both tables.

Every row is a launch. Its overrides are written as a script and go the way of any script: reader, schema of the row's
release, composed config, `read_inputs`. What a row adds is said in it: the realised tokens per sample, and for runs on
other software than a release ships, that software.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from shlex import quote
from typing import Any

from lint.bash.files import NoFiles
from lint.checking.examination import Request
from lint.checking.linter import understand
from lint.files.sources import Files
from lint.frozen import frozen
from lint.memory import rollout as engine
from lint.memory.checks import failures
from lint.memory.host import host_bytes
from lint.memory.inputs import MemoryInputs, NotEnough, Rollout
from lint.memory.phases import moments
from lint.memory.reading import read_inputs
from lint.memory.terms import GIB, Moment
from lint.memory.verdict import TIGHT
from lint.settings import ScriptSettings
from lint.text import Source

Row = Mapping[str, Any]


@frozen
class Comparison:
    """One measured row. Units are those of the row: GiB, or thousand tokens. `error` is relative."""

    name: str
    tag: str
    predicted: float
    measured: float
    decided_by: str

    @property
    def error(self) -> float:
        return self.predicted / self.measured - 1


@frozen
class Label:
    """One launch that is known to have worked or to have run out of memory."""

    name: str
    blind: bool  # nothing was chosen while looking at it
    at_limit: bool  # its author says that no more fits: the next sample fails, or no fewer devices do
    failed: bool
    probability: float  # 1 where a check that needs no calibration fails
    moment: Moment

    @property
    def flagged(self) -> bool:
        return self.probability >= TIGHT


@cache
def _data() -> Mapping[str, Any]:
    text = files("lint.memory").joinpath("data/calibration.json").read_text(encoding="utf-8")
    data: Mapping[str, Any] = json.loads(text)
    return data


def comparisons() -> list[Comparison]:
    """Every measured row."""
    return [compare(row) for row in _data()["measured"]]


def labels() -> list[Label]:
    """Every labelled launch."""
    return [label(row) for row in _data()["labelled"]]


def inputs_of(row: Row) -> MemoryInputs:
    """The row's launch, read as a script. Raises ValueError if the tool cannot read it."""
    entry_point = row.get("entry_point", "verl.trainer.main_ppo")
    script = " \\\n    ".join([f"python3 -m {entry_point}", *map(quote, row["overrides"])]) + "\n"
    given = ScriptSettings(release=row["release"], device=row["device"])
    request = Request(ScriptSettings(), given)
    understood = understand(Source("calibration.sh", script), request, Files(NoFiles(), os.curdir))
    if len(understood.subjects) != 1:
        raise ValueError(f"{row['id']}: {len(understood.subjects)} launches")
    inputs = read_inputs(understood.subjects[0], row.get("tokens"))
    if isinstance(inputs, NotEnough):
        raise ValueError(f"{row['id']}: {inputs.reasons}")
    if "vllm_ascend" in row and inputs.software is not None:
        inputs = replace(inputs, software=replace(inputs.software, vllm_ascend=row["vllm_ascend"]))
    if row.get("expandable_toggle") is False:
        inputs = replace(inputs, switches=replace(inputs.switches, expandable_toggle_npu=False))
    if row.get("segments") == "fixed":
        inputs = replace(inputs, expandable_segments=False)
    return inputs


def compare(row: Row) -> Comparison:
    """Prediction and measurement of one row."""
    inputs = inputs_of(row)
    predicted, decided_by = QUANTITIES[row["quantity"]](inputs, row)
    return Comparison(row["id"], row["tag"], predicted, row["measured"], decided_by)


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
    certain = any(_speaks_of(row["phase"], failure.phase) for failure in failures(inputs))
    probability = 1.0 if certain else worst.exceeds(capacity)
    failed = row["truth"] == "out-of-memory"
    return Label(row["id"], row["tag"] == "B", row.get("limit", False), failed, probability, worst)


# -------------------------------------------------------------------------------------------------------- quantities


def _trainer_allocated(inputs: MemoryInputs, row: Row) -> tuple[float, str]:
    peak = max(moments(inputs, "expected"), key=lambda moment: moment.trainer_allocated)
    return peak.trainer_allocated / GIB, f"{peak.phase}, {peak.stage}"


def _rollout(inputs: MemoryInputs) -> Rollout:
    if inputs.rollout is None:
        raise ValueError("the row has no rollout")
    return inputs.rollout


def _rollout_weights(inputs: MemoryInputs, row: Row) -> tuple[float, str]:
    return engine.rollout_weights(inputs.model, _rollout(inputs)) / GIB, "weights"


def _kv_tokens(inputs: MemoryInputs, row: Row) -> tuple[float, str]:
    rollout = _rollout(inputs)
    if "pool_gib" in row:
        return row["pool_gib"] * GIB / engine.token_bytes(inputs.model, rollout.tensor) / 1000, "bytes per token"
    return engine.pool_tokens(inputs, rollout) / 1000, "pool over bytes per token"


def _generate(inputs: MemoryInputs, row: Row) -> tuple[float, str]:
    moment = next(moment for moment in moments(inputs, "expected") if moment.phase == "generate")
    return moment.expected / GIB, "device total"


def _host(inputs: MemoryInputs, row: Row) -> tuple[float, str]:
    return host_bytes(inputs)["total"] / GIB, "host total"


QUANTITIES: Mapping[str, Callable[[MemoryInputs, Row], tuple[float, str]]] = {
    "trainer_allocated": _trainer_allocated,
    "rollout_weights": _rollout_weights,
    "kv_tokens": _kv_tokens,
    "generate": _generate,
    "host": _host,
}


# ------------------------------------------------------------------------------------------------------------ tables


def table(rows: Iterable[Comparison]) -> str:
    """Predicted against measured, and the mean error by tag."""
    found = list(rows)
    lines = [f"{'tag':<4}{'row':<28}{'predicted':>10}{'measured':>10}{'error':>8}  decided by"]
    lines += [
        f"{row.tag:<4}{row.name:<28}{row.predicted:>10.2f}{row.measured:>10.2f}{row.error:>8.1%}  {row.decided_by}"
        for row in found
    ]
    for tag, meaning in (("C", "a constant was fitted on the row"), ("S", "structure settled on it"), ("B", "blind")):
        errors = sorted(abs(row.error) for row in found if row.tag == tag)
        if errors:
            mean, median = sum(errors) / len(errors), errors[len(errors) // 2]
            lines.append(f"{tag} ({meaning}): {len(errors)} rows, mean {mean:.1%}, median {median:.1%}")
    return "\n".join(lines) + "\n"


def label_table(found: list[Label]) -> str:
    """Every labelled launch with its probability, then recall and false alarms of both groups at several thresholds."""
    lines = []
    for blind, meaning in ((False, "the threshold was chosen on these"), (True, "blind")):
        group = [one for one in found if one.blind is blind]
        lines += [f"{meaning}", f"{'truth':<15}{'case':<32}{'expected':>9}{'p':>7}  phase"]
        lines += [
            f"{'out-of-memory' if one.failed else 'at its limit' if one.at_limit else 'works':<15}{one.name:<32}"
            f"{one.moment.expected / GIB:>9.1f}{one.probability:>7.3f}  {one.moment.phase}, {one.moment.stage}"
            for one in group
        ]
        lines += [score(group, threshold) for threshold in (TIGHT, 0.1, 0.3, 0.5, 0.95)]
    return "\n".join(lines) + "\n"


def score(group: list[Label], threshold: float) -> str:
    """Failures found and false alarms of a group of labels at one threshold."""
    failed, worked = [one for one in group if one.failed], [one for one in group if not one.failed]
    hits = sum(one.probability >= threshold for one in failed)
    alarms = [one for one in worked if one.probability >= threshold]
    limits, at_limit = sum(one.at_limit for one in alarms), sum(one.at_limit for one in worked)
    others = f"{len(alarms) - limits} of {len(worked) - at_limit} others"
    return (
        f"p >= {threshold:<5g} finds {hits} of {len(failed)} failures, with {len(alarms)} false alarms of {len(worked)}"
        f": {limits} of {at_limit} at their limit, {others}"
    )


if __name__ == "__main__":
    print(table(comparisons()))
    print(label_table(labels()))
