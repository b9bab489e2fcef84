"""Files are written whole, and stay what they are: their mode, their links, their folder without remains."""

import os
import stat
from pathlib import Path

import pytest

from lint.files.writing import write_whole


def test_a_new_file_has_the_mode_that_the_user_gives_new_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["new"]


def test_a_script_stays_executable_and_a_link_a_link(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("old")
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "link").symlink_to("run.sh")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "run.sh").read_text() == "new"
    assert os.access(tmp_path / "run.sh", os.X_OK)


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run.sh").write_text("old")

    def fail(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "run.sh", b"new")
    assert (tmp_path / "run.sh").read_text() == "old"
    assert os.listdir(tmp_path) == ["run.sh"]


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_whole("/dev/null", b"x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
