"""Every recipe is compared with its copies on branches and in folders, as the settings say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lint.__main__ import application
from lint.settings import nearest
from tests.copies.conftest import Work, launch

TP = "actor_rollout_ref.rollout.tensor_model_parallel_size"
PLACES = """
[tool.recipe-lint.copies]
root = "examples"
recipes = ["**/run_*.sh"]

[[tool.recipe-lint.copies.places]]
branches = ["release/v*"]
"""
FOLDER = '\n[[tool.recipe-lint.copies.places]]\nfolder = "examples/old/0.8.0"\n'


def declare(key: str, reason: str = "on purpose", **bounds: list[str]) -> str:
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in {"key": key, "reason": reason, **bounds}.items()]
    return "\n[[tool.recipe-lint.copies.declared]]\n" + "".join(lines)


@pytest.fixture(autouse=True)
def _fresh_settings() -> None:
    nearest.cache_clear()


@pytest.fixture
def released(work: Work, monkeypatch: pytest.MonkeyPatch) -> Work:
    """main and release/v0.9.0 hold the same recipe."""
    work.write("pyproject.toml", PLACES)
    work.commit(examples__run_a_sh=launch(f"{TP}=8"))
    work.git("branch", "release/v0.9.0")
    monkeypatch.chdir(work.folder)
    return work


def copies(*arguments: str) -> tuple[int, str]:
    nearest.cache_clear()
    words = ["copies", *arguments]
    result = CliRunner().invoke(application(words), words, catch_exceptions=False)
    return result.exit_code, result.stdout + result.stderr


def on_release(work: Work, **files: str) -> None:
    """Commit files on the release branch, then go back to main."""
    work.git("checkout", "--quiet", "release/v0.9.0")
    work.commit(**files)
    work.git("checkout", "--quiet", "main")


def test_equal_copies_are_fine(released: Work) -> None:
    assert copies() == (0, "1 copy of 1 recipe: 1 same\n")


def test_a_difference_is_shown_with_both_values_and_lines(released: Work) -> None:
    released.write("examples/run_a.sh", launch(f"{TP}=4", head="# more\n"))
    status, text = copies()
    assert status == 1
    assert "release/v0.9.0:examples/run_a.sh (verl 0.9.0): 1 difference" in text
    assert [line.split() for line in text.splitlines() if TP in line] == [[TP, "4", "line", "4", "8", "line", "3"]]


def test_text_alone_is_no_difference(released: Work) -> None:
    released.write("examples/run_a.sh", launch(f"{TP}=8", head="# more\n", before="gen_tp=3\n"))
    assert copies()[0] == 0


def test_a_declared_difference_is_fine_and_shown_on_request(released: Work) -> None:
    released.write("pyproject.toml", PLACES + declare(TP, "old drivers", releases=["0.9.0"]))
    released.write("examples/run_a.sh", launch(f"{TP}=4"))
    assert copies()[0] == 0
    assert "old drivers" in copies("--all")[1]


def test_a_declaration_holds_only_for_what_it_names(released: Work) -> None:
    released.write("examples/run_a.sh", launch(f"{TP}=4"))
    for other in ({"releases": ["0.8.0"]}, {"recipes": ["run_b.sh"]}):
        released.write("pyproject.toml", PLACES + declare(TP, **other))
        assert copies()[0] == 1


def test_a_missing_copy_is_reported_unless_declared(released: Work) -> None:
    released.write("examples/deep/run_b.sh", launch())
    status, text = copies()
    assert status == 1
    assert "release/v0.9.0:examples/deep/run_b.sh (verl 0.9.0): missing" in text
    released.write("pyproject.toml", PLACES + declare("missing", "newer", recipes=["deep/run_b.sh"]))
    assert copies()[0] == 0


def test_a_copy_without_a_recipe_is_reported(released: Work) -> None:
    on_release(released, examples__run_only_there_sh=launch())
    status, text = copies()
    assert status == 1
    assert "only there: no such recipe" in text


def test_a_copy_is_checked_against_its_own_release(released: Work) -> None:
    text = launch("trainer.v1.trainer_mode=sync", f"{TP}=8")
    released.commit(examples__run_a_sh=text)
    released.git("branch", "release/v0.8.0")
    on_release(released, examples__run_a_sh=text)
    status, said = copies()
    assert status == 1
    assert "refused: line 3: no key `trainer.v1" in said.replace("line 4", "line 3")
    assert "1 same" in said


def test_folders_hold_copies_too(released: Work) -> None:
    released.write("pyproject.toml", PLACES + FOLDER)
    released.write("examples/old/0.8.0/run_a.sh", launch(f"{TP}=2"))
    status, text = copies()
    assert status == 1
    assert "examples/old/0.8.0/run_a.sh (verl 0.8.0): 1 difference" in text
    assert "2 copies of 1 recipe: 1 same, 1 different" in text


def test_the_work_tree_is_compared_from_any_folder(released: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(released.folder / "examples")
    assert copies()[0] == 0


def test_remote_branches_are_compared(released: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released.commit()
    released.git("clone", "--quiet", str(released.folder), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    assert copies() == (0, "1 copy of 1 recipe: 1 same\n")


def test_a_pattern_without_a_branch_is_an_error(released: Work) -> None:
    released.git("branch", "--quiet", "-D", "release/v0.9.0")
    status, text = copies()
    assert status == 3
    assert "no branch matches 'release/v*'" in text


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("[tool.recipe-lint]\n", "names no branches and no folder"),
        ("[tool.recipe-lint.copies]\nrot = 'x'\n", "unknown setting 'rot'; did you mean 'root'?"),
        ("[[tool.recipe-lint.copies.places]]\nroot = 'x'\n", "name either `branches` or a `folder`"),
        ("[[tool.recipe-lint.copies.places]]\nfolder = 'x'\n", "the name of folder 'x' tells no release"),
        ("[[tool.recipe-lint.copies.places]]\nfolder = 'x'\nrelease = '9.9'\n", "release '9.9' is not known"),
        ("[[tool.recipe-lint.copies.places]]\nbranches = 'x'\n", "branches must be a list of strings"),
        ("[[tool.recipe-lint.copies.declared]]\nkey = 'x'\n", "needs a `reason`"),
        ("[[tool.recipe-lint.copies.declared]]\nreason = 'x'\n", "needs a `key`"),
        ("[tool.recipe-lint.copies]\nplaces = 1\n", "places must be a list of tables"),
    ],
)
def test_wrong_settings_are_named(table: str, said: str, released: Work) -> None:
    released.write("pyproject.toml", table)
    status, text = copies()
    assert status == 2
    assert said in text


def test_json_follows_the_documented_form(released: Work) -> None:
    released.write("pyproject.toml", PLACES + declare(TP))
    released.write("examples/run_a.sh", launch(f"{TP}=4", "trainer.save_freq=5"))
    released.write("examples/run_b.sh", launch())
    status, text = copies("--format", "json")
    assert status == 1
    first, second = json.loads(text)["copies"]
    assert first == {
        "recipe": "examples/run_a.sh",
        "copy": "release/v0.9.0:examples/run_a.sh",
        "release": "0.9.0",
        "differences": [
            {
                "key": TP,
                "recipe_value": "4",
                "copy_value": "8",
                "recipe_line": 3,
                "copy_line": 3,
                "declared": "on purpose",
            },
            {
                "key": "trainer.save_freq",
                "recipe_value": "5",
                "copy_value": "-1",
                "recipe_line": 4,
                "copy_line": None,
                "declared": None,
            },
        ],
        "missing": False,
        "refused": [],
    }
    assert (second["recipe"], second["missing"]) == ("examples/run_b.sh", True)


def test_markdown_is_one_table(released: Work) -> None:
    released.write("examples/run_a.sh", launch(f"{TP}=4"))
    lines = copies("--format", "markdown")[1].splitlines()
    assert lines[0].startswith("| recipe | copy | key |")
    assert lines[1] == "| --- | --- | --- | --- | --- | --- |"
    assert lines[-1] == "1 copy of 1 recipe: 1 different."


@pytest.mark.parametrize("format", ["github", "sarif", "concise", "junit", "checkstyle", "gitlab"])
def test_differences_are_findings_in_the_other_formats(format: str, released: Work) -> None:
    released.write("examples/run_a.sh", launch(f"{TP}=4"))
    status, text = copies("--format", format)
    assert status == 1
    assert "release-copy-drift" in text
    assert "in the copy release/v0.9.0:examples/run_a.sh" in text
