"""How many tokens one device holds in one micro-batch, under expected and under longest sequences.

verl/workers/engine/utils.py :: prepare_micro_batches (0.9.1): with `use_dynamic_bsz` the samples of a mini-batch are
packed into as few micro-batches as the token budget x sequence parallel size allows, and balanced; otherwise a
micro-batch is a number of samples. Without `use_remove_padding` every sample is as long as the longest of its
micro-batch (to_padded_tensor of both engines; Megatron since 0.9.0: of its mini-batch), and in the workers of 0.7 and
before as long as the limits.

What counts is the largest micro-batch of a run. Packed micro-batches are balanced, so it is close to the usual one; of
a number of samples it is the mean and three deviations of the sum.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from math import ceil, sqrt
from typing import Any

from lint.frozen import frozen


@frozen
class Packing:
    """How samples become micro-batches. `budget` is tokens per device, `samples` per micro-batch without it."""

    dynamic: bool
    budget: int
    samples: int
    padded: int  # tokens that every sample is padded to, 0 if they are packed
    split: int  # sequence parallel size

    def halved(self) -> Packing:
        """Micro-batches of half the tokens, or half the samples."""
        return replace(self, budget=max(1, self.budget // 2), samples=max(1, self.samples // 2))


@frozen
class Lengths:
    """Tokens that one device holds in one micro-batch, and micro-batches per optimizer step."""

    update_tokens: int
    log_prob_tokens: int
    micro_batches: int


@frozen
class Batches:
    """The samples that a role computes, over all devices, and how they are packed for `groups` of ranks."""

    update: Packing
    log_prob: Packing
    mini_rows: int  # samples of an optimizer step
    step_rows: int  # samples of a step of the algorithm
    groups: int  # ranks that share a sample are one group
    sequence: int  # tokens of a usual sample
    longest: int  # tokens of the longest one

    @property
    def expected(self) -> Lengths:
        """With usual samples."""
        return self._lengths(self.sequence)

    @property
    def worst(self) -> Lengths:
        """With every sample as long as the limits."""
        return self._lengths(self.longest)

    def _lengths(self, sequence: int) -> Lengths:
        rows, step = ceil(self.mini_rows / self.groups), ceil(self.step_rows / self.groups)
        update_tokens, micro = tokens_per_device(self.update, min(rows, step), sequence, self.longest)
        log_prob_tokens, _ = tokens_per_device(self.log_prob, step, sequence, self.longest)
        return Lengths(update_tokens, log_prob_tokens, micro)

    def split_by(self, ranks: int) -> Batches:
        """The same samples with each split over another number of ranks."""
        groups = max(1, self.groups * self.update.split // ranks)
        update, log_prob = replace(self.update, split=ranks), replace(self.log_prob, split=ranks)
        return replace(self, update=update, log_prob=log_prob, groups=groups)

    def packed_into(self, budget: int) -> Batches:
        """The same samples in micro-batches of so many tokens for each device."""
        update, log_prob = (replace(one, dynamic=True, budget=budget) for one in (self.update, self.log_prob))
        return replace(self, update=update, log_prob=log_prob)

    def of_length(self, sequence: int) -> Batches:
        """As many samples of another usual length."""
        return replace(self, sequence=sequence)


def tokens_per_device(packing: Packing, rows: int, sequence: int, longest: int) -> tuple[int, int]:
    """Tokens of one device in one micro-batch, and micro-batches, for `rows` samples of one group of ranks."""
    length = min(max(sequence, packing.padded), longest)
    if not packing.dynamic:
        samples = min(packing.samples, rows)
        if packing.padded:
            return ceil(samples * length / packing.split), ceil(rows / max(1, packing.samples))
        tokens = min(samples * length + 3 * spread() * length * sqrt(samples), samples * longest)
        return ceil(tokens / packing.split), ceil(rows / max(1, packing.samples))
    capacity = max(packing.budget * packing.split, sequence, 1)
    count = max(1, ceil(rows * min(sequence, longest) / capacity))
    if packing.padded:
        return ceil(ceil(rows / count) * length / packing.split), count  # the budget counts tokens without padding
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


def text_alone(data_path: str) -> bool:
    """True for data sets that are known to have no images."""
    return any(part in data_path.lower() for part in _lengths()["text"])


def _thinks(model_path: str) -> bool:
    """True for models that write out their reasoning unless told otherwise."""
    name = model_path.lower()
    hybrid = "qwen3" in name and not any(part in name for part in ("instruct", "base", "-vl", "coder"))
    return hybrid or any(part in name for part in ("thinking", "r1-distill", "deepseek-r1", "qwq"))
