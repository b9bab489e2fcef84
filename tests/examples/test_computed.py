"""What recipes and their table say is what the tool computes today."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.examples import refresh
from tests.examples.conftest import RECIPES, name

SAID = "run `python -m tests.examples.refresh`"


@pytest.mark.parametrize("recipe", RECIPES, ids=name)
def test_the_head_states_the_memory_that_is_expected(recipe: Path) -> None:
    assert recipe.read_text() == refresh.with_memory(refresh.read(recipe)), SAID


def test_the_table_of_recipes_is_up_to_date() -> None:
    assert refresh.TABLE.read_text() == refresh.with_table([refresh.read(recipe) for recipe in RECIPES]), SAID


@pytest.mark.parametrize("recipe", RECIPES, ids=name)
def test_a_recipe_fits(recipe: Path) -> None:
    assert refresh.read(recipe).memory["verdict"] == "fits"
