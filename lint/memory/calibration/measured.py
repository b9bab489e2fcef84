"""Published measurements against the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from lint.frozen import frozen
from lint.memory import rollout as engine
from lint.memory.calibration.rows import Row, inputs_of, rows
from lint.memory.host import host_bytes
from lint.memory.inputs import MemoryInputs, Rollout
from lint.memory.phases import moments
from lint.memory.terms import GIB


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


def comparisons() -> list[Comparison]:
    """Every measured row."""
    return [compare(row) for row in rows("measured")]


def compare(row: Row) -> Comparison:
    """Prediction and measurement of one row."""
    inputs = inputs_of(row)
    predicted, decided_by = QUANTITIES[row["quantity"]](inputs, row)
    return Comparison(row["id"], row["tag"], predicted, row["measured"], decided_by)


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
        return row["pool_gib"] * GIB / engine.token_bytes(inputs.model, rollout) / 1000, "bytes per token"
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
