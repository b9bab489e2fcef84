"""Which files a script may read: its repository's, else its checkout's of verl, else its folder's."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint.bash.files import Checkout, NoFiles
from lint.files.sources import Files, files_beside
from lint.text import Source


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


class Remembering(NoFiles):
    """A reader of one file that remembers what it was asked to read."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def read(self, path: str) -> Source | None:
        self.asked.append(path)
        return Source(path, "X=1\n") if path == "common.sh" else None


def test_a_file_is_read_once_and_its_absence_is_looked_up_once() -> None:
    reader = Remembering()
    files = Files(reader, ".")
    for _ in range(3):
        assert files.read("common.sh") == Source("common.sh", "X=1\n")
        assert files.read("missing.sh") is None
    assert reader.asked == ["common.sh", "missing.sh"]
    assert [digest is None for digest in files.looked_up.values()] == [False, True]


def test_a_link_out_of_the_tree_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.sh").write_text("X=1\n")
    root = tmp_path / "tree"
    root.mkdir()
    (root / "link.sh").symlink_to(tmp_path / "secret.sh")
    (root / "own.sh").write_text("X=2\n")
    reader = Checkout(root.resolve(), root.resolve())
    assert [reader.read(name) is None for name in ("link.sh", "../secret.sh", "own.sh")] == [True, True, False]
    assert [reader.exists(name) for name in ("link.sh", "own.sh")] == [None, True]
    assert reader.names("..") is None
