"""What an expression of a workflow becomes before anything runs."""

from __future__ import annotations

import pytest

from lint.callers.expressions import choices, filled, rows, value

NAMES = {"matrix.engine": "vllm", "matrix.flag": "false", "matrix.empty": "", "env.STEPS": "2", "env.TOKEN": None}


@pytest.mark.parametrize(
    ("expression", "known"),
    [
        (" matrix.engine ", "vllm"),
        ("env.STEPS", "2"),
        ("'it''s'", "it's"),
        ("1.5", "1.5"),
        ("matrix.absent", ""),  # GitHub makes nothing of what is not there
        ("matrix.empty || 'other'", "other"),
        ("false || 'other'", "other"),
        ("'false' || 'other'", "false"),
        ("matrix.flag || 'other'", None),  # the text 'false' is true
        ("matrix.flag", "false"),
        ("env.ABSENT", None),  # an action may set it
        ("env.TOKEN", None),
        ("secrets.TOKEN", None),
        ("needs.setup.outputs.label || 'L20x8'", None),
        ("contains(github.ref, 'main')", None),
    ],
)
def test_literals_matrix_and_env_are_known(expression: str, known: str | None) -> None:
    assert value(expression, NAMES) == known


def test_a_text_is_known_if_all_its_expressions_are() -> None:
    assert filled("run-${{ matrix.engine }}-${{ env.STEPS }}", NAMES) == "run-vllm-2"
    assert filled("run-${{ github.sha }}", NAMES) is None
    assert filled("nothing to fill in", NAMES) == "nothing to fill in"


def test_a_fallback_is_a_choice_though_only_a_run_decides() -> None:
    assert choices("${{ needs.setup.outputs.label || 'L20x8' }}", NAMES) == ("L20x8",)
    assert choices("${{ matrix.engine }}", NAMES) == ("vllm",)
    assert choices("gpu-${{ github.sha }}", NAMES) == ()
    assert choices("ubuntu-latest", NAMES) == ("ubuntu-latest",)


def test_a_matrix_has_every_combination_but_the_excluded_ones() -> None:
    found = rows({"a": ["1", "2"], "b": ["x", "y"]}, [], [{"a": "1", "b": "y"}])
    assert list(found) == [{"a": "1", "b": "x"}, {"a": "2", "b": "x"}, {"a": "2", "b": "y"}]


def test_what_is_included_extends_the_rows_that_it_fits_or_is_one() -> None:
    found = rows({"a": ["1", "2"]}, [{"a": "1", "more": "yes"}, {"a": "3"}, {"all": "yes"}], [])
    assert list(found) == [{"a": "1", "more": "yes", "all": "yes"}, {"a": "2", "all": "yes"}, {"a": "3"}]
    assert list(rows({}, [{"runner": "L20x8"}], [])) == [{"runner": "L20x8"}]


def test_a_matrix_has_no_more_rows_than_github_starts_jobs() -> None:
    assert len(list(rows({}, [{"size": str(size)} for size in range(5000)], []))) == 256


def test_a_job_without_a_matrix_has_one_row() -> None:
    assert list(rows({}, [], [])) == [{}]
