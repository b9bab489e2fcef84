"""What README.md shows is what the tool prints, and what it tells to type works."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.readme import README, regenerated

ROOT = README.parent
RECIPE = "examples/ascend_extras/grpo_trainer/run_qwen3_32b_fsdp.sh"


def typed() -> list[str]:
    """The commands of README.md in their order: those on lines of their own, then those in the text that are whole."""
    text = README.read_text("utf-8")
    blocks = re.findall(r"^    ((?:\.venv/|recipe-lint|git|bash|\$EDITOR|[A-Z_]+=\S+ bash).*)$", text, re.MULTILINE)
    inline = re.findall(r"`(recipe-lint (?:check|settings|rules|explain|--version)[^`]*)`", text.replace("\n", " "))
    return [*blocks, *(re.sub(r"\bPATH\b(\.\.\.)?", "run_mine.sh", command) for command in inline)]


def test_every_output_in_the_readme_is_the_real_one() -> None:
    text = README.read_text("utf-8")
    assert regenerated(text) == text, "run `python -m tests.readme` and look at the difference"


def test_every_command_in_the_readme_works(tmp_path: Path) -> None:
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    tool = programs / "recipe-lint"
    tool.write_text(f"#!/bin/sh\nPYTHONPATH='{ROOT}' exec '{sys.executable}' -m lint \"$@\"\n")
    tool.chmod(0o755)
    (tmp_path / RECIPE).parent.mkdir(parents=True)
    for name in (RECIPE, "examples/run.sh", "my_script.sh"):
        shutil.copy(ROOT / RECIPE, tmp_path / name)
    (tmp_path / ".gitignore").write_text(".venv\n")
    (tmp_path / "pyproject.toml").write_text('[tool.recipe-lint.copies]\nroot = "examples"\nrecipes = ["run.sh"]\n')
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "EDITOR": "true", "DATA_ROOT": "/tmp"}
    who = "-c user.name=x -c user.email=x@example.org"
    made = f"git init -q -b main && git add . && git {who} commit -q -m x"
    for command in (made, "git branch release/v0.9.0 && git branch release/v0.8.0", *typed()):
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        found = "recipe-lint" in command and "|" not in command  # something, perhaps: it is the recipe of somebody
        assert done.returncode in ((0, 1) if found else (0,)), f"{command}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("wanted", ["recipe-lint check run_mine.sh", "git apply", "DRY_RUN=1", "recipe-lint settings"])
def test_the_commands_of_the_readme_are_found(wanted: str) -> None:
    assert any(wanted in command for command in typed())
