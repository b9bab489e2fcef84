"""Settings: the nearest file, exact errors, and what holds for one script."""

from pathlib import Path

import pytest

from lint import settings
from lint.settings import BadSettings, Settings


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    settings.nearest.cache_clear()
    return tmp_path


def load(project: Path, text: str, name: str = "recipe-lint.toml") -> Settings:
    (project / name).write_text(text)
    found = settings.load(project / name)
    assert found is not None
    return found


def test_the_nearest_file_holds_and_a_pyproject_without_our_table_is_none(project: Path) -> None:
    (project / "a" / "b").mkdir(parents=True)
    (project / "pyproject.toml").write_text('[tool.recipe-lint]\nrelease = "0.8.0"\n')
    (project / "a" / "pyproject.toml").write_text("[tool.other]\n")
    (project / "a" / "b" / "recipe-lint.toml").write_text('release = "0.9.0"\n')
    assert settings.settings_for("a/run.sh").common.release == "0.8.0"
    assert settings.settings_for("a/b/run.sh").common.release == "0.9.0"


def test_recipe_lint_toml_wins_in_its_folder(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.recipe-lint]\nrelease = "0.8.0"\n')
    (project / "recipe-lint.toml").write_text('release = "0.9.0"\n')
    assert settings.settings_for("run.sh").common.release == "0.9.0"


def test_tables_for_paths_are_laid_over_in_order(project: Path) -> None:
    found = load(
        project,
        """
        release = "0.9.1"
        severity = { shellcheck = "info" }
        [[paths]]
        match = ["examples/release/0.8.0/**"]
        release = "0.8.0"
        severity = { SC2086 = "off" }
        [[paths]]
        match = ["*_a3.sh"]
        device = "ascend-a3"
        """,
    )
    chosen = found.for_script("examples/release/0.8.0/x/run_a3.sh")
    assert (chosen.release, chosen.device) == ("0.8.0", "ascend-a3")
    assert chosen.severity == {"shellcheck": "info", "SC2086": "off"}
    assert chosen.origins["release"] == "recipe-lint.toml (paths: examples/release/0.8.0/**)"
    assert found.for_script("examples/run.sh").release == "0.9.1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('releese = "0.9.1"', "recipe-lint.toml:1: unknown setting 'releese'; did you mean 'release'?"),
        ("\n\nrelease = 9", "recipe-lint.toml:3: release must be a string that is not empty, not 9"),
        ("select = ['hydrra']", "recipe-lint.toml:1: select: no rule or group is called 'hydrra'"),
        ("[severity]\nsyntax-error = 'eror'", "severity.syntax-error must be one of error, warning, info, off"),
        (
            "[rules.syntax-eror]\nx = 1",
            "rules.syntax-eror: no rule is called 'syntax-eror'; did you mean 'syntax-error'?",
        ),
        ("[rules.syntax-error]\nx = 1", "unknown option 'rules.syntax-error.x'"),
        ("[rules.no-checkpoint]\nsteps = 'x'", "recipe-lint.toml:2: rules.no-checkpoint.steps: it must be a number"),
        ("[rules.no-checkpoint]\nsteps = -1", "rules.no-checkpoint.steps: it must be a number from 0 on, not -1"),
        ("[rules.memory-utilization-ceiling]\nceilings = 0.5", "ceilings: it must be a table, not 0.5"),
        (
            "[rules.memory-utilization-ceiling.ceilings]\nQwen3-8B = 0.5",
            "rules.memory-utilization-ceiling.ceilings: 'Qwen3-8B' is no size of a model; write it as in '32B'",
        ),
        (
            "[rules.memory-utilization-ceiling.ceilings]\n32B = 60",
            "the ceiling of 32B must be a share between 0 and 1, not 60",
        ),
        ("[[paths]]\nmatch = ['*.sh']\ndevise = 'h100'", "unknown setting 'paths.devise'; did you mean 'device'?"),
        ("[[paths]]\nrelease = '0.9.1'", "paths: table 1 names no files"),
        ("nodes = 0", "nodes must be a whole number of at least 1, not 0"),
        ("shellcheck = 'no'", "shellcheck must be true or false, not 'no'"),
        ("release = ", "recipe-lint.toml: not valid TOML"),
        ("x = " + "[" * 5000, "recipe-lint.toml: not read: its values are nested too deep"),
        ("[environment]\n'A B' = 'x'", "environment: 'A B' is no name of a variable"),
        ("exclude = 'a'", "exclude must be a list of strings, not 'a'"),
    ],
)
def test_every_mistake_is_an_error_that_names_its_place(project: Path, text: str, message: str) -> None:
    with pytest.raises(BadSettings) as error:
        load(project, text)
    assert message in str(error.value)


def test_excluded_paths_are_relative_to_the_file(project: Path) -> None:
    found = load(project, 'exclude = ["third_party/", "*.gen.sh"]')
    assert found.excludes("third_party/x/run.sh")
    assert found.excludes("a/b.gen.sh")
    assert not found.excludes("a/third.sh")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool]\nrecipe-lint = 3", "tool.recipe-lint must be a table, not 3"),
        ("[[tool.recipe-lint]]\nselect = []", "tool.recipe-lint must be a table, not [{"),
    ],
)
def test_the_table_of_a_project_is_a_table(project: Path, text: str, message: str) -> None:
    with pytest.raises(BadSettings) as error:
        load(project, text, "pyproject.toml")
    assert message in str(error.value)


def test_a_project_without_a_table_of_tools_has_no_settings(project: Path) -> None:
    (project / "pyproject.toml").write_text("tool = 3")
    assert settings.load(project / "pyproject.toml") is None
