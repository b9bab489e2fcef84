"""Which files are checked, and what happens to those that are no scripts."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from lint.files import discovery
from lint.files.discovery import Unreadable


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(root: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


NOWHERE = "no such file or folder"


def everything(path: str) -> bool:
    return False


def test_folders_give_their_scripts_in_order(tree: Path) -> None:
    write(
        tree,
        {
            "b.sh": "",
            "a/z.sh": "",
            "a/y.bash": "",
            "a/launch": "#!/usr/bin/env bash\n",
            "a/tool": "#!/usr/bin/env python3\n",
            "a/makefile": "#!/bin/sh\n",
            "a/notes.txt": "#!/bin/bash\n",
            ".hidden/x.sh": "",
            "env/pyvenv.cfg": "",
            "env/bin/activate.sh": "",
            "node_modules/x.sh": "",
        },
    )
    found = discovery.discover(["."], everything)
    assert found.paths == ("b.sh", "a/launch", "a/y.bash", "a/z.sh")


@pytest.mark.parametrize(
    ("line", "script"),
    [
        ("#!/bin/bash", True),
        ("#!/bin/sh -e", True),
        ("#! /usr/bin/env bash", True),
        ("#!/usr/bin/env -S bash -e", True),
        ("#!/usr/bin/python", False),
        ("#!/bin/fish", False),
        ("echo hello", False),
    ],
)
def test_a_shebang_makes_a_file_a_script(tree: Path, line: str, script: bool) -> None:
    write(tree, {"bin/run": f"{line}\n"})
    assert discovery.discover(["bin"], everything).paths == (("bin/run",) if script else ())


def test_gitignore_and_exclude_hold_for_folders_but_not_for_named_files(tree: Path) -> None:
    write(
        tree,
        {".gitignore": "old/\n*.tmp.sh\n!keep.tmp.sh\n", "old/a.sh": "", "b.tmp.sh": "", "keep.tmp.sh": "", "c.sh": ""},
    )
    assert discovery.discover(["."], lambda path: path == "c.sh").paths == ("keep.tmp.sh",)
    assert discovery.discover(["old/a.sh", "c.sh"], lambda path: True).paths == ("old/a.sh", "c.sh")


def test_gitignore_of_the_repository_holds_in_the_folder_that_is_named(tree: Path) -> None:
    write(
        tree, {".git/HEAD": "", ".gitignore": "*.gen.sh\n/a/old/\n", "a/b.gen.sh": "", "a/old/c.sh": "", "a/d.sh": ""}
    )
    assert discovery.discover(["a"], everything).paths == ("a/d.sh",)


def test_each_file_is_given_once_and_missing_ones_are_named(tree: Path) -> None:
    write(tree, {"a.sh": ""})
    found = discovery.discover(["a.sh", "./a.sh", ".", "nowhere.sh"], everything)
    assert found == discovery.Inputs(("a.sh",), (Unreadable("nowhere.sh", NOWHERE),))


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_folders_that_cannot_be_looked_into_are_named(tree: Path) -> None:
    write(tree, {"a/shut/run.sh": "", "a/open.sh": ""})
    (tree / "a/shut").chmod(0)
    shut = Unreadable("a/shut", "cannot be read: permission denied")
    try:
        assert discovery.discover(["a"], everything) == discovery.Inputs(("a/open.sh",), closed=(shut,))
        assert discovery.discover(["a/shut"], everything) == discovery.Inputs((), missing=(shut,))
        (inside,) = discovery.discover(["a/shut/run.sh"], everything).missing
        assert inside.reason == "cannot be read: permission denied"
    finally:
        (tree / "a/shut").chmod(0o755)


def test_links_to_folders_are_not_followed(tree: Path) -> None:
    write(tree, {"a/run.sh": ""})
    (tree / "a" / "loop").symlink_to(tree, target_is_directory=True)
    assert discovery.discover(["."], everything).paths == ("a/run.sh",)


def test_what_cannot_be_read_says_why(tree: Path) -> None:
    (tree / "folder").mkdir()
    os.mkfifo(tree / "pipe")
    (tree / "dangling").symlink_to("nowhere")
    assert discovery.read("folder") == Unreadable("folder", "is a folder")
    assert discovery.read("pipe") == Unreadable("pipe", "is not a regular file")
    assert discovery.read("dangling") == Unreadable("dangling", "does not exist")


@pytest.mark.parametrize("data", [b"\x7fELF\x02\0\0", "run".encode("utf-16")])
def test_binary_files_are_no_scripts(data: bytes) -> None:
    assert discovery.decode("x", data) == Unreadable("x", "is a binary file, not a script")


@pytest.mark.parametrize(
    "data",
    [
        *(b"\0", b"a\0\n", b"a\nb\0\n", b"#!/bin/bash\na=\0\nb", b"#!/bin/bash\na\nb\0\n", b"#!/bin/sh\0\na\n"),
        *(b"#!/bin/bash\n#" + b"x" * count + b"\0\n" for count in (66, 67)),  # the 80th byte, and the one behind it
        b"#" + b"!" * 79 + b"\n\0",
    ],
)
def test_bash_says_of_the_same_files_that_they_are_binary(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "run.sh").write_bytes(data)
    ended = subprocess.run(["bash", "run.sh"], cwd=tmp_path, capture_output=True, check=False)
    assert (b"cannot execute binary file" in ended.stderr) == isinstance(discovery.decode("x", data), Unreadable)


def test_a_workflow_is_refused_with_the_way_that_it_is_read() -> None:
    refused = discovery.decode(".github/workflows/x.yml", b"name: t\non: push\n")
    assert isinstance(refused, Unreadable)
    assert refused.reason.startswith("is YAML, not a script; workflows are read as callers")


@pytest.mark.parametrize("name", ["x.json", "x.ipynb", "x.py", "x.YAML"])
def test_files_of_other_languages_are_no_scripts_unless_a_shell_runs_them(name: str) -> None:
    assert isinstance(discovery.decode(name, b"first\n"), Unreadable)
    assert not isinstance(discovery.decode(name, b"#!/bin/bash\nfirst\n"), Unreadable)


@pytest.mark.parametrize("program", ["zsh", "fish", "tcsh", "python3.11", "perl"])
def test_scripts_of_other_interpreters_are_left_out_and_refused_by_name(tree: Path, program: str) -> None:
    (tree / "other.sh").write_text(f"#!/usr/bin/env {program}\nprint x\n")
    (tree / "ours.sh").write_text("#!/bin/sh\necho x\n")
    assert discovery.discover(["."], lambda path: False).paths == ("ours.sh",)
    refused = discovery.decode("other.sh", (tree / "other.sh").read_bytes())
    assert refused == Unreadable("other.sh", f"is a script of {program}, not of a shell that is read here")


def test_any_other_bytes_survive_the_round_trip() -> None:
    data = b"echo \xff\xfe \r\n# \0 in a later line"
    source = discovery.decode("x", b"first\n" + data)
    assert not isinstance(source, Unreadable)
    assert source.encode() == b"first\n" + data


def test_links_in_a_circle_and_pipes_below_a_folder_are_passed_over(tree: Path) -> None:
    write(tree, {"a.sh": ""})
    (tree / "b.sh").symlink_to("c.sh")
    (tree / "c.sh").symlink_to("b.sh")
    os.mkfifo(tree / "d.sh")
    os.mkfifo(tree / ".gitignore")
    assert discovery.discover(["."], everything) == discovery.Inputs(("a.sh",))


def test_an_empty_argument_is_a_file_that_does_not_exist(tree: Path) -> None:
    assert discovery.discover([""], everything) == discovery.Inputs((), (Unreadable("''", NOWHERE),))
