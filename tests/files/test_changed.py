"""Which files a run with `--changed` looks at."""

from pathlib import Path

import pytest

from lint.files.changed import NoRepository, changed_files
from tests.files.test_git import git


def commit(folder: Path, name: str, text: str = "true\n") -> None:
    (folder / name).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", name)


def names(reference: str) -> set[str]:
    return {Path(path).name for path in changed_files(reference)}


@pytest.fixture
def branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A branch with a commit of its own, where main has gone on."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "first.sh")
    git(folder, "checkout", "-q", "-b", "branch")
    commit(folder, "mine.sh")
    git(folder, "checkout", "-q", "main")
    commit(folder, "first.sh", "false\n")
    git(folder, "checkout", "-q", "branch")
    monkeypatch.chdir(folder)
    return folder


def test_what_differs_from_a_commit_or_from_where_the_branch_left_it(branch: Path) -> None:
    assert names("main") == {"first.sh", "mine.sh"}
    assert names("main...") == {"mine.sh"}
    assert names("HEAD...") == set()


def test_what_is_gone_or_has_another_name_is_not_looked_for(branch: Path) -> None:
    git(branch, "mv", "mine.sh", "yours.sh")
    (branch / "first.sh").unlink()
    assert names("HEAD") == {"yours.sh"}


@pytest.mark.parametrize("reference", ["nowhere", "nowhere...", "...", "main..HEAD", "main...HEAD"])
def test_a_commit_that_is_none_is_named(branch: Path, reference: str) -> None:
    with pytest.raises(NoRepository, match="git knows no commit"):
        changed_files(reference)


def test_a_part_of_the_history_is_said_to_be_one(branch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", branch.as_uri(), "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    with pytest.raises(NoRepository, match="'HEAD~1': this clone holds a part of the history"):
        changed_files("HEAD~1")
    git(tmp_path / "shallow", "fetch", "-q", "--depth", "1", "origin", "main:main")
    with pytest.raises(NoRepository, match=r"this branch left 'main': this clone .* `git fetch --unshallow`"):
        changed_files("main...")
