"""Real Hydra composes every recipe, and every copy, with the configs of the wheel of its release.

`make e2e WHEELS=...` runs this with a folder of wheels named verl-<release>-py3-none-any.whl.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from tests.examples.conftest import RECIPES, name, run
from tests.examples.test_recipes import release_of, words

WHEELS = Path(os.environ["WHEELS"])


@pytest.fixture(scope="module")
def configs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The config folder of each release that a recipe is for."""
    found = {}
    for release in {release_of(recipe) for recipe in RECIPES}:
        folder = tmp_path_factory.mktemp(release)
        with zipfile.ZipFile(WHEELS / f"verl-{release}-py3-none-any.whl") as wheel:
            wheel.extractall(folder, [member for member in wheel.namelist() if member.endswith(".yaml")])
        found[release] = folder / "verl" / "trainer" / "config"
    return found


@pytest.mark.parametrize("recipe", RECIPES, ids=name)
def test_hydra_composes_it_with_its_release(recipe: Path, configs: dict[str, Path], tmp_path: Path) -> None:
    environment = {"DRY_RUN": "1", "HOME": "/home/user", "PATH": "/nowhere"}
    argv = words(run(recipe, folder=tmp_path, environment=environment).stdout)
    with initialize_config_dir(str(configs[release_of(recipe)]), version_base=None):
        config = compose("ppo_trainer", argv[3:])
    assert config.trainer.device == "npu"
