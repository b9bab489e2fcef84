"""What of a model a parallel size divides, and whether it may: `data/divisions.toml`, a row with a source per pair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from lint.facts.models import Model
from lint.frozen import frozen
from lint.toml import loads

By: TypeAlias = Literal["sequence", "tensor", "expert tensor", "expert", "rollout tensor"]
DATA = Path(__file__).parent / "data" / "divisions.toml"
SIZES: dict[str, Callable[[Model], int | None]] = {
    "attention heads": lambda model: model.attention_heads,
    "key/value heads": lambda model: None if model.latent_attention else model.key_value_heads,
    "linear attention key heads": lambda model: model.linear_attention.key_heads if model.linear_attention else None,
    "linear attention value heads": lambda model: (
        model.linear_attention.value_heads if model.linear_attention else None
    ),
    "dense intermediate size": lambda model: model.intermediate_size if model.parameters.dense_layers else None,
    "expert intermediate size": lambda model: model.experts.intermediate_size if model.experts else None,
    "experts": lambda model: model.experts.count if model.experts else None,
}
"""The sizes of a model that parallelism divides, by the name that messages give them."""


@frozen
class Division:
    """One pair; the fields are explained in the data file."""

    size: str
    by: By
    relation: Literal["multiple", "either"]
    moment: str
    source: str
    engines: tuple[str, ...] = ()
    rollouts: tuple[str, ...] = ()

    def amount(self, model: Model) -> int | None:
        """The size of a model; None if it has none of the kind."""
        return SIZES[self.size](model)

    def allows(self, amount: int, parallel: int) -> bool:
        """True if a size divides as it has to."""
        return amount % parallel == 0 or (self.relation == "either" and parallel % amount == 0)


@cache
def divisions(engine: str | None, rollout: str | None = None) -> tuple[Division, ...]:
    """Those that an engine of the trainer, or a rollout, demands."""
    return tuple(one for one in all_divisions() if engine in one.engines or rollout in one.rollouts)


@cache
def all_divisions() -> tuple[Division, ...]:
    """Every row of the table."""
    return tuple(_division(row) for row in loads(DATA.read_text("utf-8"))["row"])


def _division(row: Mapping[str, Any]) -> Division:
    lists = {name: tuple(row.get(name, ())) for name in ("engines", "rollouts")}
    return Division(**{**row, **lists})
