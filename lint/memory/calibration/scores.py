"""What the probabilities of labelled launches are worth: failures found, false alarms, and how sure both are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

from lint.frozen import frozen
from lint.memory.calibration.labels import Label
from lint.memory.terms import GIB
from lint.memory.verdict import CERTAIN, LIKELY, TIGHT

NINETY_FIVE = 1.96
"""Standard deviations of a two-sided interval that holds 95 % of a normal distribution."""
WANTED = 0.1
"""Largest wanted share of false alarms."""
BANDS = ((CERTAIN, 1.01), (0.5, CERTAIN), (LIKELY, 0.5), (TIGHT, LIKELY), (0.0, TIGHT))
"""Chances from the first number on and below the second."""
SETS = ((False, "looked at while the model or its threshold was chosen"), (True, "blind"))


@frozen
class Share:
    """`part` of `whole` labels."""

    part: int
    whole: int

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies with 95 % (Wilson's score interval); all of it where there are no labels."""
        if not self.whole:
            return 0.0, 1.0
        share, square = self.part / self.whole, NINETY_FIVE**2
        middle = (share + square / (2 * self.whole)) / (1 + square / self.whole)
        deviation = sqrt(share * (1 - share) / self.whole + square / (4 * self.whole**2))
        half = NINETY_FIVE * deviation / (1 + square / self.whole)
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.part} of {self.whole} ({100 * low:.0f} to {100 * high:.0f} %)"


def found(group: Sequence[Label], threshold: float = TIGHT) -> Share:
    """Failures that are warned about."""
    failed = [one for one in group if one.failed]
    return Share(sum(one.probability >= threshold for one in failed), len(failed))


def alarms(group: Sequence[Label], threshold: float = TIGHT) -> Share:
    """Launches that worked and are warned about."""
    worked = [one for one in group if not one.failed]
    return Share(sum(one.probability >= threshold for one in worked), len(worked))


def best(group: Sequence[Label], most: float = WANTED) -> tuple[float, Share, Share]:
    """The threshold that finds most failures with at most that share of false alarms; its failures, its alarms."""
    thresholds = sorted({one.probability for one in group if one.probability > 0} | {1.0}, reverse=True)
    allowed = [one for one in thresholds if alarms(group, one).part <= most * alarms(group, one).whole]
    chosen = max(allowed, key=lambda one: (found(group, one).part, one), default=1.0)
    return chosen, found(group, chosen), alarms(group, chosen)


def curve(group: Sequence[Label]) -> Iterator[tuple[float, Share, Share]]:
    """Every threshold at which a further failure is found, with the failures and false alarms there."""
    for threshold in sorted({one.probability for one in group if one.failed}, reverse=True):
        yield threshold, found(group, threshold), alarms(group, threshold)


def bands(group: Sequence[Label]) -> Iterator[tuple[str, Share]]:
    """How many launches failed of those with a chance in each band."""
    for low, high in BANDS:
        within = [one for one in group if low <= one.probability < high]
        title = f"{low:.0%} to {high:.0%}" if high < 1 else f"{low:.0%} and more"
        yield title, Share(sum(one.failed for one in within), len(within))


def without_limits(group: Sequence[Label]) -> list[Label]:
    """The labels but for those that work at their limit."""
    return [one for one in group if one.failed or not one.at_limit]


def groups(some: Sequence[Label]) -> dict[str, list[Label]]:
    """The labels by kind of launch."""
    kinds: dict[str, list[Label]] = {}
    for one in some:
        kinds.setdefault(one.group, []).append(one)
    return dict(sorted(kinds.items()))


def label_table(labels: Sequence[Label]) -> str:
    """Every labelled launch with its probability; then both sets at the threshold, by kind, and at all thresholds."""
    lines = []
    for blind, meaning in SETS:
        some = [one for one in labels if one.blind is blind]
        lines += [meaning, f"{'truth':<15}{'case':<32}{'expected':>9}{'p':>7}  phase"]
        lines += [
            f"{'out-of-memory' if one.failed else 'at its limit' if one.at_limit else 'works':<15}{one.name:<32}"
            f"{one.moment.expected / GIB:>9.1f}{one.probability:>7.3f}  {one.moment.phase}, {one.moment.stage}"
            for one in some
        ]
        lines += ["", *_worth(some), ""]
    return "\n".join(lines) + "\n"


def undecidable_table(labels: Sequence[Label], others: Sequence[Label]) -> str:
    """Launches that their scripts do not decide, each with the reason; then the shares with them (`others`: the rest).

    They are in no other share, so that nobody has to take our word for what could not be told.
    """
    lines = [f"not decided by the script: {len(labels)}"]
    lines += [
        f"  {'failed' if one.failed else 'worked':<7} {one.name:<32}{one.probability:>7.3f}  {one.undecidable}"
        for one in labels
    ]
    for blind, meaning in SETS:
        some = [one for one in (*labels, *others) if one.blind is blind]
        lines.append(f"{meaning}, with these: failures found {found(some)}, false alarms {alarms(some)}")
    return "\n".join(lines) + "\n"


def workflow_table(labels: Sequence[Label]) -> str:
    """False alarms among the launches of workflows, and which these are."""
    lines = ["launches that workflows start for every pull request, all of which work"]
    for one in (one for one in labels if one.flagged):
        moment = one.moment
        size, place = moment.expected / GIB, f"{moment.phase}, {moment.stage}"
        lines.append(f"  {one.name:<52}{size:>7.1f}{one.probability:>7.3f}  {place}")
    for blind, meaning in SETS:
        some = [one for one in labels if one.blind is blind]
        lines.append(f"{meaning}: false alarms {alarms(some)}, of these warnings {alarms(some, LIKELY)}")
    return "\n".join(lines) + "\n"


def _worth(some: Sequence[Label]) -> Iterator[str]:
    limits = [one for one in some if not one.failed and one.at_limit]
    yield f"at p >= {TIGHT:g}: failures found {found(some)}, false alarms {alarms(some)}"
    yield f"  without {len(limits)} that work at their limit: false alarms {alarms(without_limits(some))}"
    for older, code in ((False, "of code that is read"), (True, "of older code, read as 0.6.1")):
        members = [one for one in some if one.older is older]
        yield f"  {code}: failures found {found(members)}, false alarms {alarms(members)}"
    for kind, members in groups(some).items():
        yield f"  {kind:<14} failures found {found(members)}, false alarms {alarms(members)}"
    for title, share in bands(some):
        yield f"  chance {title:<13} failed {share}"
    for title, members in (("all", list(some)), ("without limits", without_limits(some))):
        threshold, hits, wrong = best(members)
        yield f"{title}: with at most {WANTED:.0%} false alarms {hits} are found, at p >= {threshold:.3g} ({wrong})"
    yield "p at which each further failure is found:"
    for threshold, hits, wrong in curve(some):
        counts = f"failures {hits.part:>3} of {hits.whole}, false alarms {wrong.part:>3} of {wrong.whole}"
        yield f"  {threshold:<9.3g} {counts}"
