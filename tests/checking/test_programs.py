"""What a rule says of a program that is not verl's own."""

from dataclasses import replace

import pytest

from lint.checking.programs import as_it_holds
from lint.rules.registry import load
from tests.rules.factory import findings, subject


@pytest.mark.parametrize(
    ("rule", "program", "expected"),
    [
        ("rollout-mode", "verl.trainer.main_ppo", ("error", "high")),
        ("rollout-mode", "recipe.dapo.main_dapo", ("error", "high")),
        ("rollout-mode", "recipe.mine.main_mine", ("warning", "medium")),
        ("unknown-key", "recipe.mine.main_mine", ("error", "high")),
    ],
)
def test_what_verl_does_with_a_value_is_less_sure_of_another_program(
    rule: str, program: str, expected: tuple[str, str]
) -> None:
    launched = subject({"actor_rollout_ref.rollout.mode": "sync"})
    (finding,) = findings("rollout-mode", launched)
    launched = replace(launched, launch=replace(launched.launch, entry_point=program))
    shown = as_it_holds(finding, load(rule), launched)
    assert (shown.severity, shown.confidence) == expected


def test_what_verl_does_with_a_value_is_less_sure_of_code_older_than_what_was_read() -> None:
    launched = subject({"actor_rollout_ref.rollout.mode": "sync"})
    assert launched.composition is not None
    old = replace(launched.composition, schema=replace(launched.composition.schema, release="0.2.0.dev"))
    (finding,) = findings("rollout-mode", launched)
    shown = as_it_holds(finding, load("rollout-mode"), replace(launched, composition=old))
    assert (shown.severity, shown.confidence) == ("warning", "medium")
    assert shown.note is not None
    assert "0.6.1" in shown.note
    remark = as_it_holds(replace(finding, severity="info"), load("rollout-mode"), replace(launched, composition=old))
    assert (remark.severity, remark.confidence, remark.note) == ("info", "medium", shown.note)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("rollout-mode", "warning"),
        ("unknown-key", "info"),
        ("override-syntax", "error"),
        ("secret-in-script", "error"),
    ],
)
def test_a_release_that_stands_for_another_verl_decides_nothing(rule: str, expected: str) -> None:
    launched = subject({"actor_rollout_ref.rollout.mode": "sync"})
    assert launched.composition is not None
    stand_in = replace(launched.composition.schema, stands_for="verl==0.4.0 (setup.py)")
    (finding,) = findings("rollout-mode", launched)
    of_rule = replace(launched, composition=replace(launched.composition, schema=stand_in))
    shown = as_it_holds(finding, load(rule), of_rule)
    assert shown.severity == expected
    assert expected == "error" or "verl==0.4.0 (setup.py) is not at hand" in (shown.note or "")


@pytest.mark.parametrize(("rule", "severity"), [("rollout-mode", "warning"), ("unknown-key", "error")])
def test_what_a_value_does_is_less_sure_where_words_may_set_it_otherwise(rule: str, severity: str) -> None:
    launched = subject({"actor_rollout_ref.rollout.mode": "sync"})
    assert launched.composition is not None
    (finding,) = findings("rollout-mode", launched)
    open_ended = replace(launched, composition=replace(launched.composition, partly_known=True))
    shown = as_it_holds(finding, load(rule), open_ended)
    assert shown.severity == severity
    assert severity == "error" or "words of this launch" in (shown.note or "")
