"""What the tests of the recipes share: the recipes, and a machine on which they can be started without Ascend."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
RECIPES = sorted(EXAMPLES.glob("**/run_*.sh"))


# What a recipe asks of Python before it starts: the release that the test names, else that of the newest recipes.
AS_VERL = 'if [ "$1" = -c ]; then echo "${VERL:-0.9.1}"; exit 0; fi'


def name(recipe: Path) -> str:
    return str(recipe.relative_to(EXAMPLES))


@dataclass(frozen=True)
class Machine:
    """An empty folder to start recipes in, with programs of our own on PATH. `model` and `data` exist."""

    folder: Path

    @property
    def programs(self) -> Path:
        return self.folder / "bin"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.folder / "home"),
            "PATH": f"{self.programs}:/usr/bin:/bin",
            "MODEL_PATH": str(self.folder / "model"),
            "TRAIN_FILE": str(self.folder / "data.parquet"),
            "TEST_FILE": str(self.folder / "data.parquet"),
        }

    def install(self, program: str, text: str) -> None:
        """Put a shell script on PATH."""
        file = self.programs / program
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def run(self, recipe: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return run(recipe, *arguments, folder=self.folder, environment={**self.environment, **environment})


def run(
    recipe: Path, *arguments: str, folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", str(recipe), *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=30
    )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine with verl and NPUs, as far as a recipe can tell: `npu-smi`, and a `python3` that knows a version."""
    built = Machine(tmp_path)
    built.programs.mkdir()
    (tmp_path / "model").mkdir()
    (tmp_path / "data.parquet").write_bytes(b"")
    built.install("npu-smi", "exit 0")
    built.install("python3", AS_VERL)
    return built
