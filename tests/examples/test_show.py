"""What `recipe-lint show` reads in a recipe is what the recipe prints and bash would start, word for word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lint.__main__ import application
from tests.examples.conftest import RECIPES, name, run
from tests.examples.test_recipes import words


def shown(recipe: Path, environment: dict[str, str]) -> list[str]:
    """The argv of the only launch that the tool sees."""
    given = [word for variable, value in environment.items() for word in ("--env", f"{variable}={value}")]
    arguments = ["show", str(recipe), "--format", "json", *given]
    result = CliRunner().invoke(application(arguments), arguments, catch_exceptions=False)
    (launch,) = json.loads(result.stdout)["launches"]
    assert launch["unresolved"] == []
    return list(launch["argv"])


@pytest.mark.parametrize("recipe", RECIPES, ids=name)
@pytest.mark.parametrize(
    "changed",
    [
        {},
        {
            "WORK_DIR": "/data/a b",
            "NNODES": "2",
            "MAX_PROMPT_LENGTH": "1000",
            "MAX_RESPONSE_LENGTH": "999",
            "SP_SIZE": "4",
        },
        {"PROJECT_NAME": 'it\'s "x" $y', "GEN_TP": "", "LEARNING_RATE": "3e-6"},
    ],
    ids=["as it is", "other sizes", "odd characters"],
)
def test_the_tool_reads_what_bash_starts(recipe: Path, changed: dict[str, str], tmp_path: Path) -> None:
    environment = {"HOME": "/home/user", **changed}
    printed = run(recipe, folder=tmp_path, environment={**environment, "DRY_RUN": "1", "PATH": "/nowhere"})
    assert printed.returncode == 0
    assert shown(recipe, environment) == words(printed.stdout)
