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


def test_without_places_the_branches_of_known_releases_are_taken(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    work.commit(examples__run_a_sh=launch(f"{TP}=8"))
    for branch in ("release/v0.9.0", "release/v0.0.1", "release/vnext", "other"):
        work.git("branch", branch)
    work.write("examples/run_a.sh", launch(f"{TP}=4"))
    monkeypatch.chdir(work.folder / "examples")
    status, out = copies("--format", "json")
    document = json.loads(out[: out.rindex("}") + 1])
    assert status == 1
    assert [copy["copy"] for copy in document["copies"]] == ["release/v0.9.0:examples/run_a.sh"]
    assert [one["key"] for one in document["copies"][0]["differences"]] == [TP]
    assert "recipe-lint: no places in the settings: copies are looked for on release/v0.9.0\n" in out


def test_without_places_and_without_such_branches_it_says_what_to_write(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.write("pyproject.toml", "[tool.recipe-lint]\n")
    work.commit()
    monkeypatch.chdir(work.folder)
    status, text = copies()
    assert status == 2
    assert "no places of copies: add [[tool.recipe-lint.copies.places]] with `branches` or a `folder`" in text


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
    assert copies() == (0, "1 copy of 1 recipe: 1 as declared\n")
    assert "old drivers" in copies("--all")[1]


def test_a_declaration_holds_only_for_what_it_names(released: Work) -> None:
    released.write("examples/run_a.sh", launch(f"{TP}=4"))
    for bound in (declare(TP, releases=["0.8.0"]), declare(TP, recipes=["run_b.sh"])):
        released.write("pyproject.toml", PLACES + bound)
        assert copies()[0] == 1


def test_a_missing_copy_is_reported_unless_declared(released: Work) -> None:
    released.write("examples/deep/run_b.sh", launch())
    status, text = copies()
    assert status == 1
    assert "release/v0.9.0:examples/deep/run_b.sh (verl 0.9.0): missing" in text
    released.write("pyproject.toml", PLACES + declare("missing", "newer", recipes=["deep/run_b.sh"]))
    assert copies() == (0, "2 copies of 2 recipes: 1 same, 1 as declared\n")


def test_a_copy_without_a_recipe_is_reported(released: Work) -> None:
    on_release(released, examples__run_only_there_sh=launch())
    status, text = copies()
    assert status == 1
    assert "run_only_there.sh (verl 0.9.0): only there\n" in text


def test_a_copy_under_a_former_name_is_the_copy_of_the_recipe(released: Work) -> None:
    more = "".join(f"export NAME_{number}=1\n" for number in range(20))
    released.commit(examples__run_former_sh=launch(f"{TP}=8", before=more))
    released.git("branch", "--force", "release/v0.9.0")
    released.git("mv", "examples/run_former.sh", "examples/run_present.sh")
    released.commit(examples__run_present_sh=launch(f"{TP}=4", before=more))
    status, text = copies()
    assert status == 1
    assert "run_present.sh\n  release/v0.9.0:examples/run_former.sh (verl 0.9.0): 1 difference\n" in text
    assert "2 copies of 2 recipes: 1 same, 1 different" in text
    told = copies("--format", "markdown", "--history")[1]
    assert "`run_present.sh (as run_former.sh)` in `release/v0.9.0` | recipe |" in told


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


@pytest.mark.parametrize(("branch", "release"), [("release/v0.9.x", "0.9.1"), ("release/0.7", "0.7.1")])
def test_a_branch_of_a_line_of_releases_is_for_the_newest_of_them(branch: str, release: str, released: Work) -> None:
    released.git("branch", "--quiet", "-m", "release/v0.9.0", branch)
    released.write("pyproject.toml", PLACES.replace("release/v*", "release/*"))
    assert f"{branch}:examples/run_a.sh (verl {release}): same" in copies("--all")[1]


def test_a_branch_of_an_unknown_release_needs_to_be_told(released: Work) -> None:
    released.git("branch", "--quiet", "-m", "release/v0.9.0", "release/v0.5.0")
    status, text = copies()
    assert status == 2
    assert "branch 'release/v0.5.0' is for no release that is known (0.6.1, " in text
    released.write("pyproject.toml", PLACES + 'release = "0.6.1"\n')
    assert "(verl 0.6.1): same" in copies("--all")[1]


def test_only_what_the_patterns_name_is_a_copy(released: Work) -> None:
    released.write("pyproject.toml", PLACES + FOLDER)
    released.write("examples/old/0.8.0/run_a.sh", launch(f"{TP}=8"))
    released.write("examples/old/0.8.0/helper.sh", launch())
    assert copies() == (0, "2 copies of 1 recipe: 2 same\n")


def test_copies_that_a_branch_holds_in_a_folder_are_no_recipes(released: Work) -> None:
    """A copy of a copy: the folder of copies is on the branch, too."""
    released.write("pyproject.toml", PLACES + FOLDER)
    released.commit(**{"examples__old__0.8.0__run_a_sh": launch(f"{TP}=8")})
    released.git("branch", "--force", "release/v0.9.0")
    assert copies() == (0, "2 copies of 1 recipe: 2 same\n")


def test_the_place_of_a_copy_is_no_difference(released: Work) -> None:
    """What a script makes of `$0` is the same for its copy in another folder."""
    text = 'here=$(cd "$(dirname "$0")" && pwd)\n. "$(dirname "$0")/common.sh"\n'
    released.write("pyproject.toml", PLACES + FOLDER)
    for folder in ("examples", "examples/old/0.8.0"):
        released.write(f"{folder}/common.sh", f"tp={len(folder)}\n")
        released.write(f"{folder}/run_a.sh", launch(f"{TP}=$tp", "trainer.default_local_dir=$here/out", before=text))
    output = copies()[1]
    rows = [line.split() for line in output.partition("examples/old/0.8.0/run_a.sh")[2].splitlines()]
    assert [(row[0], row[1], row[4]) for row in rows if row and "." in row[0]] == [(TP, "8", "18")]


def test_a_pattern_without_a_branch_is_an_error(released: Work) -> None:
    released.git("branch", "--quiet", "-D", "release/v0.9.0")
    status, text = copies()
    assert status == 3
    assert "no branch matches 'release/v*'" in text
    assert "git fetch origin '+refs/heads/release/v*:refs/remotes/origin/release/v*'" in text


def test_a_shallow_clone_has_no_history_to_tell(
    released: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released.commit(examples__run_a_sh=launch(f"{TP}=4"))
    clone = (
        "clone",
        "--quiet",
        "--depth=1",
        "--no-single-branch",
        f"file://{released.folder}",
        str(tmp_path / "clone"),
    )
    released.git(*clone)
    monkeypatch.chdir(tmp_path / "clone")
    assert copies()[0] == 1
    status, text = copies("--history")
    assert status == 3
    assert "is a shallow clone without the history that both branches share: run `git fetch --unshallow`" in text


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("[tool.recipe-lint.copies]\nrot = 'x'\n", "unknown setting 'rot'; did you mean 'root'?"),
        ("[[tool.recipe-lint.copies.places]]\nroot = 'x'\n", "name either `branches` or a `folder`"),
        ("[[tool.recipe-lint.copies.places]]\nfolder = 'x'\n", "the name of folder 'x' tells no release"),
        ("[[tool.recipe-lint.copies.places]]\nfolder = 'x'\nrelease = '9.9'\n", "release '9.9' is not known"),
        ("[[tool.recipe-lint.copies.places]]\nbranches = 'x'\n", "branches must be a list of strings"),
        ("[[tool.recipe-lint.copies.declared]]\nkey = 'x'\n", "needs a `reason`"),
        ("[[tool.recipe-lint.copies.declared]]\nreason = 'x'\n", "needs a `key`"),
        ("[tool.recipe-lint.copies]\nplaces = 1\n", "places must be a list of tables"),
        ("[[tool.recipe-lint.copies.places]]\nfolder = '../0.8.0'\n", "must lie below the folder of the settings file"),
        (
            declare("x", releases=["0.9"]),
            "pyproject.toml:2: tool.recipe-lint.copies.declared: release '0.9' is not known",
        ),
        (declare("x") + declare("y", reason=" "), "pyproject.toml:6: tool.recipe-lint.copies.declared: the declared"),
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
    assert "changed" not in first["differences"][0]
    assert (second["recipe"], second["missing"]) == ("examples/run_b.sh", True)


def test_markdown_tells_a_difference_once_for_all_copies(released: Work) -> None:
    on_release(released, **{f"examples__run_{name}_sh": launch(f"{TP}=8") for name in "bcde"})
    for name in "bcde":
        released.write(f"examples/run_{name}.sh", launch(f"{TP}=4"))
    released.write("examples/run_a.sh", launch(f"{TP}=2"))
    lines = copies("--format", "markdown")[1].splitlines()
    assert lines[0] == "**5 copies of 5 recipes: 5 different** in `release/v0.9.0`"
    assert lines[2:4] == ["| key | recipe | copy | copies |", "| --- | --- | --- | --- |"]
    assert lines[4] == f"| `{TP}` | `2` | `8` | `run_a.sh` in `release/v0.9.0` |"
    assert "| `4` | `8` | <details><summary>4 recipes in `release/v0.9.0`</summary>`run_b.sh`<br>" in lines[5]


def test_markdown_lists_what_no_row_can_tell(released: Work) -> None:
    on_release(released, examples__run_only_there_sh=launch(), examples__run_a_sh=launch(f"{TP}=8", "trainer.v2=1"))
    released.write("pyproject.toml", PLACES + declare("trainer.save_freq"))
    released.write("examples/run_b.sh", launch())
    text = copies("--format", "markdown")[1]
    assert "- Without a recipe in `release/v0.9.0`: `run_only_there.sh`\n" in text
    assert "- Missing in `release/v0.9.0`: `run_b.sh`\n" in text
    assert "- Refused by the release of the copy: `no key trainer.v2` of `run_a.sh` in `release/v0.9.0`" in text
    assert "- Declared, but nothing differs: `trainer.save_freq` (on purpose)\n" in text


def test_a_value_that_is_markup_stays_text(released: Work) -> None:
    released.write("examples/run_a.sh", launch(f"{TP}=8", "trainer.project_name='a|b`c'"))
    assert "| a\\|b\\`c |" in copies("--format", "markdown")[1]


# ----------------------------------------------------------------------------------------------- declared in vain


def test_a_declaration_that_no_copy_needs_is_reported(released: Work) -> None:
    released.write("pyproject.toml", PLACES + declare(TP, "old drivers", releases=["0.8.0"]))
    status, text = copies()
    assert status == 1
    assert f"declared, but nothing differs: {TP} (old drivers)\n" in text
    assert json.loads(copies("--format", "json")[1])["stale"] == [
        {"key": TP, "reason": "old drivers", "releases": ["0.8.0"], "recipes": []}
    ]


def test_it_is_a_finding_at_its_line(released: Work) -> None:
    settings = PLACES + declare("trainer.save_freq") + declare(TP)
    released.write("pyproject.toml", settings)
    released.write("examples/run_a.sh", launch(f"{TP}=4"))
    line = settings.splitlines().index("[[tool.recipe-lint.copies.declared]]") + 1
    assert (
        f"pyproject.toml:{line}:1: warning[release-copy-drift]: a difference of trainer.save_freq"
        in copies("--format", "concise")[1]
    )


# -------------------------------------------------------------------------------------------------------- history


def test_the_side_that_changed_is_told_with_its_commits(released: Work) -> None:
    released.commit(examples__run_b_sh=launch(f"{TP}=8"), examples__run_c_sh=launch(f"{TP}=8"))
    released.git("branch", "--force", "release/v0.9.0")
    on_release(released, examples__run_b_sh=launch(f"{TP}=2"), examples__run_c_sh=launch(f"{TP}=2"))
    released.commit(examples__run_a_sh=launch(f"{TP}=4"), examples__run_c_sh=launch(f"{TP}=4"))
    found = {copy["recipe"]: copy for copy in json.loads(copies("--history", "--format", "json")[1])["copies"]}
    changed = {name[-4]: copy["differences"][0]["changed"] for name, copy in found.items()}
    assert changed == {"a": "recipe", "b": "copy", "c": "both"}
    head, branch = (released.git("rev-parse", "--short", name) for name in ("main", "release/v0.9.0"))
    assert found["examples/run_a.sh"]["recipe_commits"] == [{"id": head, "subject": "x"}]
    assert found["examples/run_b.sh"]["copy_commits"] == [{"id": branch, "subject": "x"}]
    text = copies("--history", "--format", "markdown")[1]
    assert f"Commits that copies lack:\n\n| commit | subject | recipes |\n| --- | --- | --- |\n| {head} | x |" in text
    assert "| changed in |" in text.splitlines()[2]


def test_a_recipe_that_came_later_is_judged_by_the_text_that_both_got(released: Work) -> None:
    """`b` was picked and then edited on the branch; `c` came to each side in a form of its own."""
    released.commit(examples__run_b_sh=launch(f"{TP}=8"), examples__run_c_sh=launch(f"{TP}=8"))
    on_release(released, examples__run_b_sh=launch(f"{TP}=8"), examples__run_c_sh=launch(f"{TP}=2"))
    on_release(released, examples__run_b_sh=launch(f"{TP}=4"))
    found = json.loads(copies("--history", "--format", "json")[1])["copies"]
    changed = {copy["recipe"][-4]: [each.get("changed") for each in copy["differences"]] for copy in found}
    assert changed == {"a": [], "b": ["copy"], "c": [None]}


def test_which_side_made_the_other_missing_is_told(released: Work) -> None:
    texts = {name: launch(*(f"trainer.{name}_{number}=1" for number in range(9))) for name in ("b", "c", "new", "hot")}
    released.commit(examples__run_b_sh=texts["b"], examples__run_c_sh=texts["c"])
    released.git("branch", "--force", "release/v0.9.0")
    (released.folder / "examples/run_b.sh").unlink()
    released.commit(examples__run_new_sh=texts["new"])
    released.git("checkout", "--quiet", "release/v0.9.0")
    (released.folder / "examples/run_c.sh").unlink()
    released.commit(examples__run_hot_sh=texts["hot"])
    released.git("checkout", "--quiet", "main")
    text = copies("--history")[1]
    for name, state in {
        "b": "only there (the recipe was removed since)",
        "c": "missing (the copy was removed)",
        "hot": "only there (only the branch has got it)",
        "new": "missing (the recipe is new since)",
    }.items():
        assert f"release/v0.9.0:examples/run_{name}.sh (verl 0.9.0): {state}\n" in text


def test_a_picked_commit_is_not_told(released: Work) -> None:
    """What the branch has as another commit with the same change is not to be brought over."""
    picked = released.commit(examples__run_a_sh=launch(f"{TP}=4"))
    released.git("checkout", "--quiet", "release/v0.9.0")
    released.commit(other_sh="x")
    released.git("cherry-pick", picked)
    released.git("checkout", "--quiet", "main")
    later = released.commit(examples__run_a_sh=launch(f"{TP}=2"))
    (copy,) = json.loads(copies("--history", "--format", "json")[1])["copies"]
    assert [commit["id"] for commit in copy["recipe_commits"]] == [later[: len(copy["recipe_commits"][0]["id"])]]


@pytest.mark.parametrize("format", ["github", "sarif", "concise", "junit", "checkstyle", "gitlab"])
def test_differences_are_findings_in_the_other_formats(format: str, released: Work) -> None:
    released.write("examples/run_a.sh", launch(f"{TP}=4"))
    status, text = copies("--format", format)
    assert status == 1
    assert "release-copy-drift" in text
    assert "in the copy release/v0.9.0:examples/run_a.sh" in text


def test_what_one_side_does_not_set_is_said_in_words(released: Work) -> None:
    released.write("examples/run_a.sh", launch(f"{TP}=8", "+data.more=1"))
    assert "data.more is 1, but not set in the copy release/v0.9.0:examples/run_a.sh" in copies("-f", "concise")[1]


def test_a_key_that_the_release_of_a_copy_lacks_is_told_from_one_that_is_not_set(released: Work) -> None:
    lacked, free = "trainer.use_v1=True", "+actor_rollout_ref.rollout.engine_kwargs.vllm.seed=1"
    released.write("examples/run_a.sh", launch(f"{TP}=8", lacked, free))
    released.git("branch", "release/v0.8.0", "release/v0.9.0")
    told = copies()[1], copies("-f", "markdown")[1], copies("-f", "concise")[1]
    assert "not in verl 0.8.0" in told[0]
    assert "| `trainer.use_v1` | `True` | not in verl 0.8.0 |" in told[1]
    assert "run_a.sh: verl 0.8.0 has no such key" in told[2]
    assert "vllm.seed` | `1` | not set |" in told[1]
    rows = [row for copy in json.loads(copies("-f", "json")[1])["copies"] for row in copy["differences"]]
    assert {row["key"]: row.get("lacking") for row in rows if row["copy_value"] is None} == {
        "trainer.use_v1": "0.8.0",
        "actor_rollout_ref.rollout.engine_kwargs.vllm.seed": None,
    }
