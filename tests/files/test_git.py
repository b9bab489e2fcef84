"""git runs nothing that a repository names, whatever its configuration says."""

import subprocess
from pathlib import Path

import pytest

from lint.copies.git import Repository
from lint.files.changed import changed_files


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose every setting that names a program names one that leaves a mark."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / ".gitattributes").write_text("a.sh filter=one diff=one\nb.sh filter=two.x\n")
    for name in ("a.sh", "b.sh", "c.sh"):
        (folder / name).write_text("true\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "scripts")
    mark = tmp_path / "ran"
    run = f"touch '{mark}'; cat"
    for name in ("core.fsmonitor", "core.pager", "diff.external", "diff.one.command", "diff.one.textconv"):
        git(folder, "config", name, run)
    for name in ("filter.one.clean", "filter.one.smudge", "filter.two.x.process", "uploadpack.packObjectsHook"):
        git(folder, "config", name, run)
    git(folder, "config", "remote.origin.url", f"ext::sh -c touch% {mark}")
    git(folder, "config", "protocol.ext.allow", "always")
    git(folder, "config", "remote.origin.promisor", "true")
    for name in ("post-index-change", "reference-transaction", "post-checkout"):
        hook = folder / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\n{run}\n")
        hook.chmod(0o755)
    mark.unlink(missing_ok=True)
    for name in ("a.sh", "b.sh"):
        (folder / name).write_text("false\n")
    (folder / "new.sh").write_text("true\n")
    monkeypatch.chdir(folder)
    return folder


def test_asking_what_changed_runs_nothing(evil: Path) -> None:
    found = {Path(path).name for path in changed_files("HEAD")}
    assert found == {"a.sh", "b.sh", "new.sh"}
    assert not (evil.parent / "ran").exists()


def test_reading_commits_runs_nothing(evil: Path) -> None:
    repository = Repository.at(evil)
    commit = repository.commit("main")
    assert sorted(repository.files(commit)) == [".gitattributes", "a.sh", "b.sh", "c.sh"]
    assert repository.read(commit, ["a.sh", "missing.sh"]) == {"a.sh": b"true\n"}
    assert not (evil.parent / "ran").exists()
