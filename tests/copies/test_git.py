"""git is read without a checkout, whatever names it is asked for."""

from __future__ import annotations

import shlex
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
    assert list(repository.files(commit)) == ["a b\u00e9.sh", "empty.sh"]
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
    assert list(Repository.at(work.folder).files(work.commit())) == ["a.sh"]


def test_links_to_files_of_the_commit_are_followed(work: Work) -> None:
    work.write("deep/a.sh", "x")
    for name, target in {
        "good": "deep/a.sh",
        "none": "b.sh",
        "out": "/etc/passwd",
        "up": "../a.sh",
        "round": "round",
    }.items():
        (work.folder / name).symlink_to(target)
    commit = work.commit()
    repository = Repository.at(work.folder)
    assert repository.read(commit, ["none", "good", "out", "up", "round", "deep/a.sh"]) == {
        "good": b"x",
        "deep/a.sh": b"x",
    }


@pytest.mark.parametrize(
    "name", ["a\nb.sh", "a b.sh", "\u00e9\u4e2d.sh", ":a.sh", "-a.sh", "a\tb.sh", '"a".sh', "\udcff.sh"]
)
def test_files_of_any_name_are_listed_and_read(name: str, work: Work) -> None:
    (work.folder / name).write_text("text")
    repository = Repository.at(work.folder)
    (found,) = repository.files(work.commit()).items()
    assert (found[0], repository.blobs([found[1]])) == (name, [b"text"])


def test_what_is_too_large_for_a_script_is_not_read(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = work.commit(a_sh="x" * 1001, b_sh="x" * 1000)
    monkeypatch.setattr("lint.copies.git.LARGEST", 1000)
    repository = Repository.at(work.folder)
    assert list(repository.files(commit)) == ["b.sh"]
    with pytest.raises(NotRead, match=r"a\.sh has 1001 bytes in that commit: too large to be a script"):
        repository.read(commit, ["a.sh"])


def test_a_work_tree_of_its_own_is_read(work: Work, tmp_path: Path) -> None:
    commit = work.commit(a_sh="x")
    work.git("worktree", "add", "--quiet", "-b", "other", str(tmp_path / "other"))
    repository = Repository.at(tmp_path / "other")
    assert (repository.top, repository.commit("other")) == (tmp_path / "other", commit)


def test_a_submodule_is_a_repository_of_its_own(work: Work, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    within = Work(inner)
    within.git("init", "--quiet")
    commit = within.commit(a_sh="inner")
    work.git("-c", "protocol.file.allow=always", "submodule", "add", "--quiet", str(inner), "sub")
    assert list(Repository.at(work.folder).files(work.commit(b_sh="outer"))) == [".gitmodules", "b.sh"]
    assert Repository.at(work.folder / "sub").read(commit, ["a.sh"]) == {"a.sh": b"inner"}


def test_a_repository_with_longer_ids_is_read(tmp_path: Path) -> None:
    work = Work(tmp_path)
    work.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main")
    commit = work.commit(a_sh="x")
    repository = Repository.at(tmp_path)
    assert (len(commit), repository.commit("main")) == (64, commit)
    assert repository.blob(repository.identity(b"x")[:12]) == b"x"


def test_in_a_hook_the_repository_is_that_of_the_folder(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git sets these variables for hooks, `rebase --exec` and aliases."""
    commit = work.commit(a_sh="x")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_PREFIX", "deep/")
    assert Repository.at(work.folder).read(commit, ["a.sh"]) == {"a.sh": b"x"}


def test_outside_of_any_repository_the_one_of_the_environment_is_read(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = work.commit(a_sh="x")
    monkeypatch.setenv("GIT_DIR", str(work.folder / ".git"))
    (tmp_path / "empty").mkdir()
    assert Repository.at(tmp_path / "empty").read(commit, ["a.sh"]) == {"a.sh": b"x"}


def test_a_branch_that_looks_like_an_option_is_a_branch(work: Work) -> None:
    commit = work.commit(a_sh="x")
    work.git("update-ref", "refs/heads/--help", commit)
    repository = Repository.at(work.folder)
    assert [branch.label for branch in repository.branches()] == ["--help", "main"]
    assert repository.commit("--help") == commit


def test_what_a_partial_clone_lacks_is_not_fetched(work: Work, tmp_path: Path) -> None:
    work.commit(a_sh="x")
    work.git("config", "uploadpack.allowFilter", "true")
    url = f"file://{work.folder}"
    work.git("clone", "--quiet", "--no-checkout", "--filter=blob:none", url, str(tmp_path / "clone"))
    repository = Repository.at(tmp_path / "clone")
    commit = repository.commit("main")
    with pytest.raises(NotRead):
        repository.blobs(list(repository.files(commit).values()))


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


def test_the_command_that_is_named_gets_a_branch_into_a_clone_of_another_one(work: Work, tmp_path: Path) -> None:
    work.commit(a_sh="x")
    work.git("branch", "release/v0.8.0")
    clone = Work(tmp_path / "clone")
    work.git("clone", "--quiet", "--depth=1", f"file://{work.folder}", str(clone.folder))
    with pytest.raises(NotRead, match="if it is a branch, run `git fetch") as refused:
        Repository.at(clone.folder).commit("release/v0.8.0")
    clone.git(*shlex.split(str(refused.value).split("`")[1])[1:])
    assert Repository.at(clone.folder).commit("release/v0.8.0") == work.git("rev-parse", "HEAD")


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
