"""How many tokens one device holds in one micro-batch, under expected and under longest sequences.

verl/workers/engine/utils.py :: prepare_micro_batches (0.9.1): with `use_dynamic_bsz` the samples of a mini-batch are
packed into as few micro-batches as the token budget x sequence parallel size allows, and balanced; otherwise a
micro-batch is a number of samples. Without `use_remove_padding` every sample is as long as the limits.

What counts is the largest micro-batch of a run. Packed micro-batches are balanced, so it is close to the usual one; of
a number of samples it is the mean and three deviations of the sum.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil, sqrt
from typing import Any


@dataclass(frozen=True, slots=True)
class Packing:
    """How samples become micro-batches. `budget` is tokens per device, `samples` per micro-batch without it."""

    dynamic: bool
    budget: int
    samples: int
    padded: bool
    split: int  # sequence parallel size


def tokens_per_device(packing: Packing, rows: int, sequence: int, longest: int) -> tuple[int, int]:
    """Tokens of one device in one micro-batch, and micro-batches, for `rows` samples of one group of ranks."""
    length = longest if packing.padded else min(sequence, longest)
    if not packing.dynamic:
        samples = min(packing.samples, rows)
        tokens = min(samples * length + 3 * spread() * length * sqrt(samples), samples * longest)
        return ceil(tokens / packing.split), ceil(rows / max(1, packing.samples))
    capacity = max(packing.budget * packing.split, length)
    count = max(1, ceil(rows * length / capacity))
    if length == longest and rows * length > capacity:
        return ceil(capacity / packing.split), count
    return ceil(rows * length / count / packing.split), count


@cache
def _lengths() -> Mapping[str, Any]:
    text = files("lint.memory").joinpath("data/lengths.json").read_text(encoding="utf-8")
    data: Mapping[str, Any] = json.loads(text)
    return data


def spread() -> float:
    """Deviation of the tokens of one sample, as a share of their mean."""
    return float(_lengths()["spread"])


def expected_sequence(data_path: str, model_path: str, longest: int) -> tuple[int, str]:
    """Tokens of a usual sample, and what that rests on."""
    thinking = _thinks(model_path)
    for entry in _lengths()["data_sets"]:
        if entry["pattern"] in data_path.lower() and entry.get("model", "") in model_path.lower():
            tokens = min(entry["thinking" if thinking else "tokens"], longest)
            return tokens, f"{tokens} tokens per sample, as measured on {entry['pattern']}"
    fraction = _lengths()["fraction"]
    tokens = round(fraction * longest)
    return (
        tokens,
        f"{tokens} tokens per sample: {fraction:.0%} of prompt plus response limit, no measurement for this data",
    )


def _thinks(model_path: str) -> bool:
    """True for models that write out their reasoning unless told otherwise."""
    name = model_path.lower()
    hybrid = "qwen3" in name and not any(part in name for part in ("instruct", "base", "-vl", "coder"))
    return hybrid or any(part in name for part in ("thinking", "r1-distill", "deepseek-r1", "qwq"))
