"""How many tokens one device holds in one micro-batch, under expected and under longest sequences.

verl/workers/engine/utils.py :: prepare_micro_batches (0.9.1): with `use_dynamic_bsz` the samples of a mini-batch are
packed into as few micro-batches as the token budget x sequence parallel size allows, and balanced; otherwise a
micro-batch is a number of samples. Without `use_remove_padding` every sample is as long as the longest of its
micro-batch (to_padded_tensor of both engines; Megatron since 0.9.0: of its mini-batch), and in the workers of 0.7 and
before as long as the limits.

What counts is the largest micro-batch of a run. Packed micro-batches are balanced, so it is close to the usual one; of
a number of samples it is the mean and three deviations of the sum.

Where the script does not say how long samples are, several lengths are as likely (`Sample`): those of other runs on the
data set, or what runs on any data came to of their limits. A full token budget, and samples that are padded to the
limits, hold as many tokens whichever it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import ceil, fsum, sqrt
from typing import Any

from lint.frozen import frozen
from lint.packaged import packaged

FIFTHS = 5
"""Lengths that stand for those of all runs."""


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
class Sample:
    """Tokens of a usual sample, and those that samples are padded to where the longest of them decides it."""

    usual: int
    padded: int


@frozen
class Lengths:
    """Tokens that one device holds in one micro-batch, and micro-batches per optimizer step."""

    update_tokens: int
    log_prob_tokens: int
    micro_batches: int
    padded: int  # tokens that each sample of an update is padded to, 0 if they are packed


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

    def lengths_of(self, sample: Sample) -> Lengths:
        """With as many samples of another usual and another longest length."""
        return self._lengths(min(sample.usual, self.longest), sample)

    def _lengths(self, sequence: int, sample: Sample | None = None) -> Lengths:
        rows, step = ceil(self.mini_rows / self.groups), ceil(self.step_rows / self.groups)
        pads = [one.padded if sample is None else self._pad(one, sample) for one in (self.update, self.log_prob)]
        update_tokens, micro = tokens_per_device(self.update, min(rows, step), sequence, self.longest, pads[0])
        log_prob_tokens, _ = tokens_per_device(self.log_prob, step, sequence, self.longest, pads[1])
        return Lengths(update_tokens, log_prob_tokens, micro, pads[0])

    def _pad(self, packing: Packing, sample: Sample) -> int:
        """What a sample is padded to: the longest one's tokens, unless that is the limits in any case."""
        return sample.padded if 0 < packing.padded < self.longest else packing.padded

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


def tokens_per_device(packing: Packing, rows: int, sequence: int, longest: int, padded: int) -> tuple[int, int]:
    """Tokens of one device in one micro-batch, and micro-batches, for `rows` samples of one group of ranks."""
    length = min(max(sequence, padded), longest)
    if not packing.dynamic:
        samples = min(packing.samples, rows)
        if padded:
            return ceil(samples * length / packing.split), ceil(rows / max(1, packing.samples))
        tokens = min(samples * length + 3 * spread() * length * sqrt(samples), samples * longest)
        return ceil(tokens / packing.split), ceil(rows / max(1, packing.samples))
    capacity = max(packing.budget * packing.split, sequence, 1)
    count = max(1, ceil(rows * min(sequence, longest) / capacity))
    if padded:
        return ceil(ceil(rows / count) * length / packing.split), count  # the budget counts tokens without padding
    if length == longest and rows * length > capacity:
        return ceil(capacity / packing.split), count
    return ceil(rows * length / count / packing.split), count


@cache
def _lengths() -> Mapping[str, Any]:
    text = packaged("memory/data/lengths.json").read_text(encoding="utf-8")
    data: Mapping[str, Any] = json.loads(text)
    return data


def spread() -> float:
    """Deviation of the tokens of one sample, as a share of their mean."""
    return float(_lengths()["spread"])


def usual_sequences(
    data_path: str, model_path: str, longest: int, response: int, *, brief: bool = False
) -> tuple[int, tuple[int, ...], str]:
    """Tokens of a usual sample; what else they may be, each as likely; what both rest on.

    `longest` limits prompt and response together, `response` the latter: short prompts give no room to long answers.
    `brief`: the model is told not to write out its reasoning.
    """
    thinking = _thinks(model_path) and not brief
    data, model = data_path.lower(), model_path.lower()
    most = reachable(data_path, longest, response)
    for entry in _lengths()["data_sets"]:
        if entry["pattern"] in data and entry.get("model", "") in model:
            expected, possible = _on_one_data_set(entry, thinking, model)
            tokens, possible = min(round(expected), most), _within(possible, most)
            return tokens, possible, f"{tokens} tokens per sample{_range(possible)}, as on {entry['pattern']}"
    shares = sorted(run["tokens"] / run["limit"] for run in _lengths()["runs"])
    possible = _within([longest * share for share in _fifths(shares)], longest)
    fraction = fsum(shares) / len(shares)
    tokens = round(fraction * longest)
    why = f"{tokens} tokens per sample{_range(possible)}, {fraction:.0%} of the limits as in {len(shares)} other runs"
    return tokens, possible, f"{why}: nothing is known of this data"


def reachable(data_path: str, longest: int, response: int) -> int:
    """Tokens of samples whose responses all are as long as their limit, as prompts of the data are on average."""
    prompts = [
        entry["prompt"]
        for entry in _lengths()["data_sets"]
        if entry["pattern"] in data_path.lower() and "prompt" in entry
    ]
    return min(longest, max(prompts) + response) if prompts else longest


def _on_one_data_set(entry: Mapping[str, Any], thinking: bool, model: str) -> tuple[float, Sequence[float]]:
    """Tokens of a usual sample on a data set, and in other runs on it, or about as far apart as those on others are.

    Models of other families than the measured one reason in more words or fewer: as few as models that do not.
    """
    tokens: float = entry["thinking" if thinking else "tokens"]
    runs: Sequence[float] = entry.get("runs", ())
    if runs and tokens == entry["tokens"]:
        return tokens, runs
    factors = _lengths()["same_model" if entry.get("measured_on", "nothing") in model else "same_data"]
    near = [tokens * factor for factor in factors]
    if thinking and entry.get("thinking_of", "") not in model:
        any_of_them = _fifths(sorted([*runs, *near]))
        return any_of_them[FIFTHS // 2], any_of_them
    return tokens, near


def longest_prompts(limit: int) -> tuple[int, ...]:
    """Tokens of the longest prompt of a step, each as likely."""
    return tuple(round(limit * share) for share in _lengths()["longest_prompt"])


def _fifths(ordered: Sequence[float]) -> list[float]:
    """The mean of each fifth."""
    bounds = [round(part * len(ordered) / FIFTHS) for part in range(FIFTHS + 1)]
    return [fsum(ordered[low:high]) / (high - low) for low, high in pairwise(bounds)]


def _within(lengths: Iterable[float], longest: int) -> tuple[int, ...]:
    return tuple(min(round(length), longest) for length in sorted(lengths))


def _range(lengths: Sequence[int]) -> str:
    return f" ({lengths[0]} to {lengths[-1]})" if lengths[0] < lengths[-1] else ""


def text_alone(data_path: str) -> bool:
    """True for data sets that are known to have no images."""
    return any(part in data_path.lower() for part in _lengths()["text"])


def _thinks(model_path: str) -> bool:
    """True for models that write out their reasoning unless told otherwise."""
    name, hybrids = model_path.lower(), _lengths()["thinks_unless"].items()
    if any(part in name for part in _lengths()["thinks"]):
        return True
    return any(hybrid in name and not any(part in name for part in others) for hybrid, others in hybrids)
