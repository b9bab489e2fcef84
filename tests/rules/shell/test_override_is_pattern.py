"""Overrides that a shell takes for file name patterns."""

from __future__ import annotations

import pytest

from tests.rules.pipeline import found, repaired

LAUNCH = "python3 -m verl.trainer.main_ppo "


@pytest.mark.parametrize(
    "word", ["trainer.logger=['a','b']", "trainer.logger=[a,$b]", "data.val_files=/data/*.parquet"]
)
def test_a_bare_pattern_is_found(word: str) -> None:
    assert len(found("override-is-pattern", f"{LAUNCH}{word}\n")) == 1


@pytest.mark.parametrize(
    "word",
    [
        "trainer.logger='[\"a\"]'",
        'trainer.logger="[$a]"',
        r"trainer.logger=\[a\]",
        "'trainer.logger=[a]'",
        "trainer.logger=[a",  # no closing bracket: no pattern
        "trainer.logger=$list",  # shellcheck's matter
    ],
)
def test_what_is_quoted_is_none(word: str) -> None:
    assert found("override-is-pattern", f"list='[a]'\n{LAUNCH}{word}\n") == []


def test_elements_of_arrays_count_and_are_told_once() -> None:
    (finding,) = found("override-is-pattern", f'A=(trainer.logger=[a] model.betas=[1])\n{LAUNCH}"${{A[@]}}"\n')
    assert "trainer.logger (and 1 more)" in finding.message


def test_the_fix_passes_the_same_word() -> None:
    script = f"{LAUNCH}trainer.logger=['a','b']\n"
    assert repaired("override-is-pattern", script) == f"{LAUNCH}'trainer.logger=[a,b]'\n"
    assert repaired("override-is-pattern", f"{LAUNCH}trainer.logger=[$a]\n") == f"{LAUNCH}trainer.logger=[$a]\n"


def test_a_script_for_bash_is_sure_enough() -> None:
    (finding,) = found("override-is-pattern", f"{LAUNCH}trainer.logger=[a]\n")
    assert finding.confidence == "medium"
    (finding,) = found("override-is-pattern", f"#!/usr/bin/env bash\n{LAUNCH}trainer.logger=[a]\n")
    assert finding.confidence == "low"
