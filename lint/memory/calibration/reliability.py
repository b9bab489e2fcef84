"""Whether a chance is what it says: of the launches given 30 %, do three in ten fail, and what would follow if so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import fsum

from lint.frozen import frozen
from lint.memory.calibration.labels import Label
from lint.memory.calibration.scores import Share, alarms, found
from lint.memory.verdict import TIGHT

EDGES = (0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.01)
"""Chances that are told apart."""
THRESHOLDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
"""Chances from which on a launch may be warned about."""


@frozen
class Bin:
    """Launches whose chance is `low` or more and below `high`."""

    low: float
    high: float
    expected: float  # the mean of their chances
    failed: Share


def bins(group: Sequence[Label]) -> Iterator[Bin]:
    """The bins that hold a launch."""
    for low, high in pairwise(EDGES):
        within = [one for one in group if low <= one.probability < high]
        if within:
            expected = fsum(one.probability for one in within) / len(within)
            yield Bin(low, high, expected, Share(sum(one.failed for one in within), len(within)))


def if_exact(group: Sequence[Label], threshold: float = TIGHT) -> tuple[float, float]:
    """The shares of failures found and of false alarms that follow if every chance is exact.

    No better reading of the same scripts could do better: the launches are as near to their limits as they are.
    """
    flagged = [one.probability for one in group if one.probability >= threshold]
    failing = fsum(one.probability for one in group)
    working = len(group) - failing
    return fsum(flagged) / (failing or 1), fsum(1 - chance for chance in flagged) / (working or 1)


def squared_error(group: Sequence[Label]) -> float:
    """The mean of the squared distances of chance and truth (Brier's score): 0 at best, 0.25 for a coin."""
    return fsum((one.probability - one.failed) ** 2 for one in group) / max(1, len(group))


def reliability_table(labels: Sequence[Label]) -> str:
    """Both for all labels; what each threshold is worth on those that were looked at, as none is chosen on others."""
    seen = [one for one in labels if not one.blind]
    lines = [f"chance, and what came of it: {len(labels)} labels, mean squared error {squared_error(labels):.3f}"]
    for one in bins(labels):
        ends = f"{one.low:.0%} to {min(one.high, 1):.0%}"
        lines.append(f"  {ends:<12} expected {one.expected:>5.1%}, failed {one.failed}")
    for threshold in (TIGHT, 0.3):
        hits, wrong = if_exact(labels, threshold)
        lines.append(f"were each exact, p >= {threshold:g} would find {hits:.0%}, and flag {wrong:.0%} of the others")
    lines += [
        "",
        f"what a threshold is worth on the {len(seen)} labels that were looked at",
    ]
    lines += [
        f"  p >= {one:<5g} failures found {found(seen, one)}, false alarms {alarms(seen, one)}" for one in THRESHOLDS
    ]
    return "\n".join(lines) + "\n"
