"""git is read without a checkout, whatever names it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint.copies.git import NotRead, Repository
from tests.copies.conftest import Work


def test_a_branch_a_tag_and_a_commit_name_the_same(work: Work) -> None:
    commit = work.commit(a_sh="x")
    work.git("tag", "-a", "v1", "-m", "x")
    repository = Repository.at(work.folder)
    assert {repository.commit(name) for name in ("main", "v1", "HEAD", commit[:8], "main^{commit}")} == {commit}


def test_files_are_read_from_any_folder_of_the_repository(work: Work) -> None:
    commit = work.commit(deep__er__a_sh="text")
    repository = Repository.at(work.folder / "deep" / "er")
    assert repository.top == work.folder
    assert repository.read(commit, ["deep/er/a.sh", "deep/none.sh"]) == {"deep/er/a.sh": b"text"}


def test_bytes_come_back_as_they_are(work: Work) -> None:
    data = bytes(range(256)) + b"\nmissing\n"
    (work.folder / "a b\u00e9.sh").write_bytes(data)
    (work.folder / "empty.sh").write_bytes(b"")
    commit = work.commit()
    repository = Repository.at(work.folder)
    assert repository.files(commit) == ["a b\u00e9.sh", "empty.sh"]
    assert repository.read(commit, ["a b\u00e9.sh", "empty.sh"]) == {"a b\u00e9.sh": data, "empty.sh": b""}


@pytest.mark.parametrize(
    "name", ["--help", "--batch", "-h", "--exec=touch made", "-", "", "a\nb", "main\n--help", "a\0b"]
)
def test_no_name_can_become_an_option(work: Work, name: str) -> None:
    work.commit(a_sh="x")
    with pytest.raises(NotRead, match="commit"):
        Repository.at(work.folder).commit(name)
    assert sorted(path.name for path in work.folder.iterdir()) == [".git", "a.sh"]


def test_no_path_can_become_an_option_or_a_second_question(work: Work) -> None:
    commit = work.commit(a_sh="x")
    assert Repository.at(work.folder).read(commit, ["--help", "a.sh\nHEAD:a.sh", "", "../a.sh", "/etc/passwd"]) == {}


def test_a_folder_is_no_file(work: Work) -> None:
    commit = work.commit(deep__a_sh="x")
    assert Repository.at(work.folder).read(commit, ["deep"]) == {}


def test_links_and_submodules_are_no_recipes(work: Work) -> None:
    work.write("a.sh", "x")
    (work.folder / "link.sh").symlink_to("a.sh")
    assert Repository.at(work.folder).files(work.commit()) == ["a.sh"]


def test_a_remote_branch_is_found_by_its_plain_name(work: Work, tmp_path: Path) -> None:
    work.commit(a_sh="old")
    commit = work.git("rev-parse", "HEAD")
    work.git("branch", "release/v0.8.0")
    work.git("clone", "--quiet", str(work.folder), str(tmp_path / "clone"))
    clone = Repository.at(tmp_path / "clone")
    assert clone.commit("release/v0.8.0") == commit
    assert [branch.label for branch in clone.branches()] == ["main", "origin/main", "origin/release/v0.8.0"]


def test_a_near_miss_is_named(work: Work) -> None:
    work.commit()
    work.git("branch", "release/v0.8.0")
    with pytest.raises(NotRead, match=r"did you mean 'release/v0\.8\.0'"):
        Repository.at(work.folder).commit("release/0.8.0")


def test_a_shallow_clone_says_what_to_fetch(work: Work, tmp_path: Path) -> None:
    first = work.commit(a_sh="x")
    work.commit(a_sh="y")
    work.git("clone", "--quiet", "--depth=1", f"file://{work.folder}", str(tmp_path / "clone"))
    with pytest.raises(NotRead, match=f"a shallow clone; run `git fetch origin {first}`"):
        Repository.at(tmp_path / "clone").commit(first)


def test_a_bare_repository_is_read_too(work: Work, tmp_path: Path) -> None:
    commit = work.commit(a_sh="x")
    work.git("clone", "--quiet", "--bare", str(work.folder), str(tmp_path / "bare"))
    assert Repository.at(tmp_path / "bare").read(commit, ["a.sh"]) == {"a.sh": b"x"}


def test_a_folder_outside_of_git_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotRead, match="not a git repository"):
        Repository.at(tmp_path)


def test_a_missing_git_is_said(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NotRead, match="git is not on PATH"):
        Repository.at(work.folder)


def test_the_work_tree_and_the_index_stay_as_they_are(work: Work) -> None:
    commit = work.commit(a_sh="x")
    work.write("a.sh", "edited")
    before = {path: path.stat().st_mtime_ns for path in work.folder.rglob("*") if path.is_file()}
    repository = Repository.at(work.folder)
    repository.read(repository.commit("main"), repository.files(commit))
    assert {path: path.stat().st_mtime_ns for path in work.folder.rglob("*") if path.is_file()} == before
