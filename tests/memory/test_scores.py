"""What labels are worth: shares with their intervals, and the best threshold for a share of false alarms."""

from __future__ import annotations

import pytest

from lint.memory.calibration.labels import Label
from lint.memory.calibration.scores import (
    Share,
    alarms,
    bands,
    best,
    curve,
    found,
    groups,
    without_limits,
    workflow_table,
)
from lint.memory.terms import Moment


def label(probability: float, *, failed: bool = False, at_limit: bool = False) -> Label:
    moment = Moment("generate", "generate", ())
    return Label("a launch", "FSDP", True, at_limit, False, failed, probability, moment)


SOME = [
    label(0.9, failed=True),
    label(0.4, failed=True),
    label(0.01, failed=True),
    label(0.5, at_limit=True),
    *(label(0.001 * index) for index in range(1, 10)),
]


@pytest.mark.parametrize(
    ("share", "low", "high"),
    [  # as in Wilson, J. Am. Stat. Assoc. 22 (1927): the score interval
        (Share(8, 10), 0.490, 0.943),
        (Share(0, 10), 0.0, 0.278),
        (Share(10, 10), 0.722, 1.0),
        (Share(0, 0), 0.0, 1.0),
    ],
)
def test_the_interval_of_a_share(share: Share, low: float, high: float) -> None:
    assert share.interval == pytest.approx((low, high), abs=0.001)


def test_a_share_is_shown_with_its_interval() -> None:
    assert str(Share(8, 10)) == "8 of 10 (49 to 94 %)"


def test_failures_and_false_alarms_at_a_threshold() -> None:
    assert (found(SOME, 0.3), alarms(SOME, 0.3)) == (Share(2, 3), Share(1, 10))
    assert (found(SOME, 0.01), alarms(SOME, 0.01)) == (Share(3, 3), Share(1, 10))


def test_the_best_threshold_for_a_share_of_false_alarms() -> None:
    assert best(SOME, 0.1) == (0.01, Share(3, 3), Share(1, 10))
    assert best(SOME, 0.0) == (0.9, Share(1, 3), Share(0, 10))
    assert best([label(0.0, failed=True)], 0.1) == (1.0, Share(0, 1), Share(0, 0))


def test_the_launches_of_workflows_that_are_flagged_are_named() -> None:
    text = workflow_table([label(0.3), label(0.03), label(0.001)])
    assert text.count("a launch") == 2
    assert "blind: false alarms 2 of 3 (21 to 94 %), of these warnings 1 of 3 (6 to 79 %)" in text


def test_launches_at_their_limit_can_be_left_out() -> None:
    assert alarms(without_limits(SOME), 0.3) == Share(0, 9)
    assert found(without_limits(SOME), 0.3) == Share(2, 3)


def test_the_curve_has_each_further_failure() -> None:
    assert [(hits.part, wrong.part) for _, hits, wrong in curve(SOME)] == [(1, 0), (2, 1), (3, 1)]


def test_a_band_of_chances_has_its_share_of_failures() -> None:
    assert [(title, share.part, share.whole) for title, share in bands(SOME)] == [
        ("95% and more", 0, 0),
        ("50% to 95%", 1, 2),
        ("5% to 50%", 1, 1),
        ("2% to 5%", 0, 0),
        ("0% to 2%", 1, 10),
    ]


def test_labels_come_by_kind_of_launch() -> None:
    assert {kind: len(members) for kind, members in groups(SOME).items()} == {"FSDP": 13}
