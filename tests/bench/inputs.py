"""What the command is measured on, made from the scripts of a checkout: a crowd of scripts, a repository of copies."""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

RECIPES = 200
BRANCHES = ("release/v0.8.0", "release/v0.9.0")
COPIES = """\
[tool.recipe-lint.copies]
root = "examples"
recipes = ["**/*.sh"]

[[tool.recipe-lint.copies.places]]
branches = ["release/v*"]
"""


def make_crowd(scripts: Sequence[str], folder: Path, count: int) -> Path:
    """A folder of many scripts, each with a learning rate and a comment of its own."""
    for number, path in zip(range(count), itertools.cycle(scripts), strict=False):
        room = folder / f"{number // 100:03}"
        room.mkdir(parents=True, exist_ok=True)
        text = Path(path).read_text("utf-8", "surrogateescape")
        text = re.sub(r"\b[1-9]e-6\b", f"{1 + number % 9}.{number}e-6", text) + f"\n# script {number}\n"
        (room / f"{number:05}_{Path(path).name}").write_text(text, "utf-8", "surrogateescape")
    return folder


def make_copies(scripts: Sequence[str], folder: Path) -> Path:
    """A repository of recipes with a copy of each on two branches, every copy different from its recipe."""
    recipes = [path for path in scripts if "verl.trainer" in Path(path).read_text("utf-8", "replace")]
    folder.mkdir()
    (folder / "pyproject.toml").write_text(COPIES, "utf-8")
    _git(folder, "init", "-q")
    for branch in ("main", *BRANCHES):
        _git(folder, "checkout", "-q", "-b", branch)
        for number, path in zip(range(RECIPES), itertools.cycle(recipes), strict=False):
            text = Path(path).read_text("utf-8", "surrogateescape")
            if branch != "main":
                text = re.sub(r"trainer\.save_freq=\S+", f"trainer.save_freq={1000 + number}", text)
            copy = folder / "examples" / str(number % 10) / f"run_{number:03}_{Path(path).name}"
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(f"{text}\n# {branch} {number}\n", "utf-8", "surrogateescape")
        _git(folder, "add", ".")
        _git(folder, "commit", "-q", "-m", branch)
    _git(folder, "checkout", "-q", "main")
    return folder


def _git(folder: Path, *arguments: str) -> None:
    person = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "init.defaultBranch=first")
    subprocess.run(("git", *person, *arguments), cwd=folder, check=True, stdout=subprocess.DEVNULL)
