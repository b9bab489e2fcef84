"""Patterns that stand for programs and scripts of the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint.bash.evaluator import read
from lint.bash.files import Checkout
from lint.bash.parser import parse
from lint.text import Source


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    for name in (
        "ex/run_2.sh",
        "ex/run_10.sh",
        "ex/.run_0.sh",
        "ex/a/run.sh",
        "ex/b/run.sh",
        "ex/b/go.py",
        "ex/data.json",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text('train "$0" "$@"\n')
    return Checkout(tmp_path, tmp_path)


def argv(checkout: Checkout, script: str) -> list[list[str]]:
    reading = read(parse(Source("start.sh", script)), files=checkout)
    return [[word.shown for word in command.words] for command in reading.commands]


def test_each_script_of_a_folder_is_read(checkout: Checkout) -> None:
    assert argv(checkout, 'for s in ex/run_*.sh; do bash "$s" lr=1; done') == [
        ["bash", "ex/run_10.sh", "lr=1"],
        ["train", "ex/run_10.sh", "lr=1"],
        ["bash", "ex/run_2.sh", "lr=1"],
        ["train", "ex/run_2.sh", "lr=1"],
    ]


def test_a_pattern_below_the_folder_of_the_script_is_one_of_the_checkout(checkout: Checkout) -> None:
    script = 'here=$(cd "$(dirname "$0")" && pwd); p "$here"/ex/*/run.sh'
    place = "<unknown: working directory>"
    assert argv(checkout, script)[-1] == ["p", f"{place}/ex/a/run.sh", f"{place}/ex/b/run.sh"]


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("ex/*/*.py", ["ex/b/go.py"]),
        ("ex/*/*.sh", ["ex/a/run.sh", "ex/b/run.sh"]),
        ("./ex//run_[0-9].sh", ["./ex//run_2.sh"]),
        ("ex/*/none.sh", ["ex/*/none.sh"]),
        ("ex/*.py", ["ex/*.py"]),
        ("'ex'/run_1*.sh", ["ex/run_10.sh"]),
        ("ex/.run*.sh", ["ex/.run_0.sh"]),
    ],
)  # fmt: skip
def test_a_pattern_becomes_the_names_that_it_matches_or_stays(checkout: Checkout, word: str, names: list[str]) -> None:
    assert argv(checkout, f"p {word}") == [["p", *names]]


@pytest.mark.parametrize(
    "script",
    [
        "p ex/*.json",  # a run may write data
        "p nowhere/*.sh",  # a folder that is not in the checkout
        "echo hi >ex/run_7.sh; p ex/run_*.sh",
        "rm ex/run_2.sh; p ex/run_*.sh",
        "shopt -s globstar; p ex/**/*.sh",
        "shopt -s nocaseglob; p ex/RUN*.sh; p ex/run_*.sh",
        "GLOBIGNORE=ex/run_2.sh; p ex/run_*.sh",
        'cd "$(run)"; p ex/run_*.sh',
    ],
)  # fmt: skip
def test_what_only_a_run_can_tell_stays_unknown(checkout: Checkout, script: str) -> None:
    assert "<unknown: files that match" in argv(checkout, script)[-1][-1]
