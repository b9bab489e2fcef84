"""Which checkout of verl a script runs with."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint.files.checkout import checkout_of, is_checkout


def repository(top: Path, *checkouts: str) -> Path:
    """A git repository that holds trees of verl's sources in these folders, and a folder `scripts`."""
    (top / ".git").mkdir(parents=True)
    (top / "scripts").mkdir()
    for folder in checkouts:
        module = top / folder / "verl/trainer/main_ppo.py"
        module.parent.mkdir(parents=True)
        module.touch()
    return top


@pytest.mark.parametrize("folder", [".", "verl", "src", "training/verl"])
def test_a_script_runs_with_the_checkout_around_it_or_with_the_one_of_its_repository(
    folder: str, tmp_path: Path
) -> None:
    top = repository(tmp_path, folder)
    assert checkout_of(str(top / "scripts/run.sh")) == top / folder


def test_the_checkout_nearest_to_the_script_counts(tmp_path: Path) -> None:
    top = repository(tmp_path, "verl", "second/verl")
    (top / "second/scripts").mkdir()
    assert checkout_of(str(top / "second/scripts/run.sh")) == top / "second/verl"


def test_of_two_that_are_equally_near_none_is_chosen(tmp_path: Path) -> None:
    top = repository(tmp_path, "verl", "verl_modified")
    assert checkout_of(str(top / "scripts/run.sh")) is None


def test_outside_of_a_repository_nothing_is_searched(tmp_path: Path) -> None:
    top = repository(tmp_path, "verl")
    (top / ".git").rmdir()
    assert checkout_of(str(top / "scripts/run.sh")) is None


def test_a_fork_may_call_the_folder_of_its_trainers_otherwise(tmp_path: Path) -> None:
    top = repository(tmp_path)
    version = top / "Agent-RL/verl/version/version"
    version.parent.mkdir(parents=True)
    version.write_text("0.2.0\n")
    assert checkout_of(str(top / "scripts/run.sh")) == top / "Agent-RL"
    assert is_checkout(str(top / "Agent-RL"))
