"""Which files a script may read: its repository's, else its checkout's of verl, else its folder's."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint.files.sources import files_beside


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A script two folders below the top, from where it is checked; both folders hold another one."""
    (tmp_path / "examples" / "sft").mkdir(parents=True)
    for name in ("run.sh", "examples/sft/train.sh", "examples/sft/all.sh"):
        (tmp_path / name).write_text("true\n")
    monkeypatch.chdir(tmp_path)
    return "examples/sft/all.sh"


@pytest.mark.parametrize("mark", [".git/HEAD", "verl/trainer/main_ppo.py"])
def test_paths_start_at_the_top_of_a_repository_or_checkout(script: str, mark: str) -> None:
    Path(mark).parent.mkdir(parents=True)
    Path(mark).write_text("")
    files = files_beside(script)
    assert files.read("examples/sft/train.sh") is not None
    assert files.read("run.sh") is not None


def test_elsewhere_nothing_above_the_folder_is_read(script: str) -> None:
    files = files_beside(script)
    assert files.read("train.sh") is not None
    assert files.read("../../run.sh") is None
