"""The wheel holds all that the tool needs, on the oldest and the newest supported Python that is installed here.

    make package

Each is tried in a clean environment and from another folder, so that nothing of the checkout can help. Installing needs
the package index; that is why the name of this module keeps it out of `make test`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import lint
from lint.facts.inventory import data_files

ROOT = Path(__file__).parents[2]
SUPPORTED = ("3.10", "3.11", "3.12", "3.13")
RECIPE = ROOT / "examples/ascend_extras/grpo_trainer/run_qwen3_8b_lora_fsdp.sh"
BROKEN = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.gpu_memory_utilisation=0.6\n"


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, without what pytest and make leave in the environment."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def interpreters() -> Iterator[str]:
    """The oldest and the newest supported Python of this machine: on PATH, else among those of pyenv."""
    found = [path for version in SUPPORTED if (path := _interpreter(version)) is not None]
    yield from dict.fromkeys((found[0], found[-1]))


def _interpreter(version: str) -> str | None:
    installed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    candidates = [shutil.which(f"python{version}"), *map(str, installed)]
    for path in filter(None, candidates):  # a shim of pyenv may be on PATH without a Python behind it
        if run(path, "-c", "import venv, ensurepip", folder=ROOT).returncode == 0:
            return path
    return None


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the files that git knows, as a release would be."""
    source, output = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    listed = run("git", "ls-files", "lint", "docs/recipe-lint.1", "pyproject.toml", "README.md", "LICENSE", folder=ROOT)
    for name in listed.stdout.splitlines():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    built = run(sys.executable, "-m", "build", "--wheel", "--outdir", output, folder=source)
    assert built.returncode == 0, built.stdout + built.stderr
    (found,) = output.glob("*.whl")
    return found


@pytest.fixture(scope="session", params=interpreters(), ids=lambda path: run(path, "-V", folder=ROOT).stdout.strip())
def programs(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a clean environment that holds the wheel and what it asks for, nothing else."""
    environment = tmp_path_factory.mktemp("environment")
    made = run(request.param, "-m", "venv", environment, folder=ROOT)
    assert made.returncode == 0, made.stderr
    installed = run(environment / "bin/python", "-m", "pip", "install", "--quiet", wheel, folder=environment)
    assert installed.returncode == 0, installed.stderr
    return environment / "bin"


def test_every_data_file_is_in_the_wheel(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert {f"lint/{file.path}" for file in data_files()} <= inside
    schemas = {file.relative_to(ROOT).as_posix() for file in ROOT.glob("lint/output/*.schema.json")}
    assert {"lint/py.typed", *schemas} <= inside
    assert f"recipe_lint-{lint.__version__}.data/data/share/man/man1/recipe-lint.1" in inside
    assert not [name for name in inside if name.startswith(("tests/", "docs/", "examples/"))]
    assert wheel.name.startswith(f"recipe_lint-{lint.__version__}-")


def test_the_package_is_the_installed_one(programs: Path, tmp_path: Path) -> None:
    where = run(programs / "python", "-c", "import lint; print(lint.__file__)", folder=tmp_path)
    assert Path(where.stdout.strip()).is_relative_to(programs.parent)


def test_the_version_tells_the_dates(programs: Path, tmp_path: Path) -> None:
    told = run(programs / "recipe-lint", "--version", "-v", folder=tmp_path)
    assert told.stdout.splitlines()[0] == f"recipe-lint {lint.__version__}"
    assert len(told.stdout.splitlines()) == 1 + len(list(data_files()))


def test_scripts_are_checked_with_shellcheck(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.sh").write_text(f'#!/usr/bin/env bash\ncd "$1"\n{BROKEN}')
    checked = run(programs / "recipe-lint", "check", "--format", "concise", "broken.sh", folder=tmp_path)
    assert checked.returncode == 1, checked.stderr
    assert "[unknown-key]" in checked.stdout
    assert "[SC2164]" in checked.stdout


def test_a_recipe_is_clean_and_shown(programs: Path, tmp_path: Path) -> None:
    shutil.copy(RECIPE, tmp_path / "recipe.sh")
    checked = run(programs / "recipe-lint", "check", "recipe.sh", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    shown = run(programs / "recipe-lint", "show", "--format", "json", "recipe.sh", folder=tmp_path)
    assert '"entry_point": "verl.trainer.main_ppo"' in shown.stdout, shown.stderr
    memory = run(programs / "recipe-lint", "memory", "--format", "json", "recipe.sh", folder=tmp_path)
    assert '"verdict": "fits"' in memory.stdout, memory.stderr


def test_schemas_and_rules_are_there(programs: Path, tmp_path: Path) -> None:
    schemas = run(programs / "recipe-lint", "schema", "list", folder=tmp_path)
    assert [line.split()[0] for line in schemas.stdout.splitlines()] == ["0.6.1", "0.7.1", "0.8.0", "0.9.0", "0.9.1"]
    explained = run(programs / "recipe-lint", "explain", "model-divisible", folder=tmp_path)
    assert "## Sources" in explained.stdout


def test_the_editor_server_asks_for_what_it_needs(programs: Path, tmp_path: Path) -> None:
    started = run(programs / "recipe-lint", "server", folder=tmp_path)
    assert started.returncode == 2
    assert "recipe-lint[server]" in started.stderr
