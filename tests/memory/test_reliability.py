"""Whether chances are what they say, and the most that exact ones could tell."""

from __future__ import annotations

import pytest

from lint.memory.calibration.labels import Label
from lint.memory.calibration.reliability import bins, if_exact, reliability_table, squared_error
from lint.memory.calibration.scores import Share
from lint.memory.terms import Moment


def label(probability: float, *, failed: bool = False, blind: bool = False) -> Label:
    return Label("a launch", "FSDP", blind, False, False, failed, probability, Moment("generate", "generate", ()))


SOME = [label(0.4, failed=True), label(0.4), label(0.01), label(1.0, failed=True, blind=True)]


def test_the_chances_of_a_bin_beside_what_came_of_them() -> None:
    found = {one.low: (one.expected, one.failed) for one in bins(SOME)}
    assert found == {0.0: (0.01, Share(0, 1)), 0.3: (0.4, Share(1, 2)), 0.99: (1.0, Share(1, 1))}


def test_launches_at_a_chance_of_a_third_are_false_alarms_two_times_in_three_however_exact_it_is() -> None:
    hits, wrong = if_exact([label(1 / 3), label(1 / 3), label(1 / 3, failed=True)])
    assert hits == pytest.approx(1.0)
    assert wrong == pytest.approx(1.0)


def test_exact_chances_find_what_lies_at_or_above_the_threshold() -> None:
    hits, wrong = if_exact(SOME)
    assert hits == pytest.approx((0.4 + 0.4 + 1) / (0.4 + 0.4 + 0.01 + 1))
    assert wrong == pytest.approx((0.6 + 0.6) / (0.6 + 0.6 + 0.99))


def test_a_coin_is_worth_a_quarter() -> None:
    assert squared_error([label(0.5), label(0.5, failed=True)]) == 0.25
    assert squared_error([]) == 0.0


def test_a_threshold_is_weighed_on_labels_that_were_looked_at() -> None:
    shown = reliability_table(SOME)
    assert "what a threshold is worth on the 3 labels that were looked at" in shown
    assert "p >= 0.3   failures found 1 of 1" in shown
