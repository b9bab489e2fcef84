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
