"""Small git repositories, and scripts to compare."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from lint.copies.sides import Side, of_file
from lint.text import Source

QUIET = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


@dataclass(frozen=True)
class Work:
    """A repository to write into."""

    folder: Path

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env={**os.environ, **QUIET},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def commit(self, **files: str) -> str:
        """Write files (`__` in a name stands for `/`, `_sh` for `.sh`) and commit everything."""
        for name, text in files.items():
            self.write(name.replace("__", "/").replace("_sh", ".sh"), text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "x")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def work(tmp_path: Path) -> Work:
    """An empty repository whose branch is `main`."""
    folder = tmp_path / "work"
    folder.mkdir()
    made = Work(folder)
    made.git("init", "--quiet", "--initial-branch=main")
    return made


def launch(*overrides: str, head: str = "", before: str = "") -> str:
    """A script that starts the trainer with these overrides, one a line."""
    words = " \\\n    ".join(["python3 -m verl.trainer.main_ppo", *overrides])
    return f"#!/usr/bin/env bash\n{head}{before}{words}\n"


def side(text: str, path: str = "a.sh", release: str | None = "0.9.1") -> Side:
    """A side that needs no file."""
    return of_file(Source(path, text), {}, release)
