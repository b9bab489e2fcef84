"""Patches: what `git apply` takes, whatever the path."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lint.fixes.patch import patch


@pytest.mark.parametrize("name", ["run.sh", "a folder/run me.sh"])
@pytest.mark.parametrize("text", ["n=1\n", "n=1"])
def test_git_applies_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "apply"], input=patch(name, text, "n=2\n"), text=True, check=True)
    assert file.read_text() == "n=2\n"


def test_an_absolute_path_counts_from_the_root() -> None:
    assert patch("/home/me/run.sh", "n=1\n", "n=2\n").startswith("--- a/home/me/run.sh\n+++ b/home/me/run.sh\n")
    assert patch("/home/me/run.sh", None, "n=2\n").startswith("diff --git a/home/me/run.sh b/home/me/run.sh\n")
