"""The verl that a repository asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from lint.files.required import required_verl
from lint.files.statements import Required
from lint.schema.load import shipped


def required(top: Path, files: dict[str, str], script: str = "run.sh") -> Required | None:
    (top / ".git").mkdir()
    for name, text in {script: "", **files}.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text, encoding="utf-8")
    return required_verl(str(top / script))


@pytest.mark.parametrize(
    ("name", "text", "release", "allowed"),
    [
        ("requirements.txt", "torch==2.8\nverl==0.8.0\n", "0.8.0", True),
        ("requirements.txt", "verl[vllm, gpu] == 0.7.1\n", "0.7.1", True),
        ("pyproject.toml", 'dependencies = ["verl>=0.7.1,<0.9.0"]\n', "0.8.0", True),
        ("pyproject.toml", 'dependencies = ["verl>=0.7"]\n', "0.9.1", True),
        ("setup.py", "install_requires=['verl~=0.9.0'],\n", "0.9.1", True),
        ("requirements.txt", "verl==0.7.*\n", "0.7.1", True),
        ("requirements.txt", "verl===0.8.0\n", "0.8.0", True),
        ("requirements.txt", "torch  # not verl==0.7.1\nverl==0.8.0\n", "0.8.0", True),
        ("requirements.txt", "verl==0.7.0\n", "0.7.1", False),
        ("requirements.txt", "verl==0.4.0.dev0\n", "0.6.1", False),
        ("requirements.txt", "verl>=1.0\n", "0.9.1", False),
        ("requirements.txt", "verl @ git+https://github.com/verl-project/verl.git@v0.8.0\n", "0.8.0", True),
        ("requirements.txt", "verl @ git+https://github.com/somebody/verl.git@v0.8.0\n", "0.9.1", False),
        ("requirements.txt", "git+https://github.com/volcengine/verl@8e9e73723fd1cc729bed\n", "0.9.1", False),
        ("REQUIRED_VERL.txt", "MODE=pinned_tag\nTAG=v0.6.1\nPIP_INSTALL=pip install verl==0.6.1\n", "0.6.1", True),
        ("REQUIRED_VERL.txt", "VERL_COMMIT=ddfbf4ea01b27ab47ac9de50514a9c9dcb631e7a\n", "0.9.1", False),
        (".gitmodules", '[submodule "verl"]\n\tpath = external/verl\n', "0.9.1", False),
        (
            "pyproject.toml",
            '[project.optional-dependencies]\nrl = [\n  "torch",\n  "verl[vllm]==0.8.0",\n]\n',
            "0.8.0",
            True,
        ),
        ("pyproject.toml", '[dependency-groups]\nrl = [{include-group = "x"}, "verl<0.8"]\n', "0.7.1", True),
        ("pyproject.toml", '[tool.poetry.dependencies]\nverl = "^0.8.0"\n', "0.8.0", True),
        (
            "pyproject.toml",
            '[tool.poetry.group.rl.dependencies]\nverl = {version = "~0.7", extras = ["vllm"]}\n',
            "0.7.1",
            True,
        ),
        ("pyproject.toml", '[tool.poetry.dependencies.verl]\nversion = "0.7.1"\n', "0.7.1", True),
        ("pyproject.toml", '[tool.poetry.dependencies]\nverl = ">=0.7,<0.9"\n', "0.8.0", True),
        (
            "pyproject.toml",
            '[project]\ndependencies = ["verl>=0.7"]\n'
            '[tool.uv.sources]\nverl = {git = "https://github.com/volcengine/verl", tag = "v0.8.0"}\n',
            "0.8.0",
            True,
        ),
        ("pyproject.toml", '[tool.uv.sources]\nverl = {git = "https://github.com/me/verl.git"}\n', "0.9.1", False),
        ("pyproject.toml", 'broken = [\ndependencies = ["verl==0.8.0"]\n', "0.8.0", True),
        ("Pipfile", '[packages]\nverl = "==0.8.0"\n', "0.8.0", True),
        ("uv.lock", '[[package]]\nname = "verl"\nversion = "0.8.0"\nsource = { registry = "x" }\n', "0.8.0", True),
        (
            "uv.lock",
            '[[package]]\nname = "verl"\nversion = "0.8.0"\nsource = { git = "https://github.com/me/verl?rev=1#2" }\n',
            "0.9.1",
            False,
        ),
        ("uv.lock", '[[package]]\nname = "verl"\nversion = "0.10.0.dev0"\n', "0.9.1", False),
        ("poetry.lock", '[[package]]\nname = "verl"\nversion = "0.7.1"\ndescription = ""\n', "0.7.1", True),
        ("Pipfile.lock", '{"default": {"verl": {\n"hashes": [],\n"version": "==0.7.1"\n}}}', "0.7.1", True),
    ],
)
def test_a_statement_names_the_nearest_release(
    tmp_path: Path, name: str, text: str, release: str, allowed: bool
) -> None:
    found = required(tmp_path, {name: text})
    assert found is not None
    assert found.place == name
    assert (found.nearest(shipped()), found.allows(release)) == (release, allowed)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "# verl==0.4.0\nverl\nmy-verl==0.4.0\nverl-tool==0.1\n"),
        ("uv.lock", '[[package]]\nname = "verl"\nversion = "0.10.0"\nsource = { editable = "." }\n'),
        ("pyproject.toml", '[tool.poetry.dependencies]\nverl = "*"\n'),
        ("pyproject.toml", '[project]\ndependencies = ["verl"]\n'),
        ("requirements.txt", "-r requirements.txt\n-r /etc/passwd\n-c https://example.org/verl.txt\n"),
        ("pyproject.toml", '[tool.setuptools.package-data]\nverl = ["version/*"]\n'),
        (".gitmodules", '[submodule "recipe"]\n\tpath = recipe\n\turl = https://github.com/verl-project/verl-recipe\n'),
    ],
)
def test_what_asks_for_no_version_says_nothing(tmp_path: Path, name: str, text: str) -> None:
    assert required(tmp_path, {name: text}) is None


def test_files_that_requirements_include_are_read(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "-r requirements/gpu.txt  # on machines\ntorch\n",
        "requirements/gpu.txt": "--constraint=../pins.txt\n-r gpu.txt\nverl\n",
        "pins.txt": "verl==0.8.0\n",
    }
    found = required(tmp_path, files)
    assert found is not None
    assert (found.text, found.place) == ("verl==0.8.0", "pins.txt")


@pytest.mark.parametrize(
    ("constraint", "allowed", "refused"),
    [
        ("^0.8.0", "0.8.5", "0.9.0"),
        ("^1.2", "1.9", "2.0"),
        ("^0", "0.9", "1.0"),
        ("~0.8", "0.8.9", "0.9"),
        ("~1", "1.9", "2"),
    ],
)
def test_carets_and_tildes_are_read_as_poetry_does(tmp_path: Path, constraint: str, allowed: str, refused: str) -> None:
    found = required(tmp_path, {"pyproject.toml": f'[tool.poetry.dependencies]\nverl = "{constraint}"\n'})
    assert found is not None
    assert (found.allows(allowed), found.allows(refused)) == (True, False)


def test_a_lock_is_more_exact_than_what_it_was_made_of(tmp_path: Path) -> None:
    lock = '[[package]]\nname = "verl"\nversion = "0.7.1"\n'
    found = required(tmp_path, {"uv.lock": lock, "pyproject.toml": '[project]\ndependencies = ["verl>=0.7"]\n'})
    assert found is not None
    assert (found.text, found.place) == ("verl==0.7.1", "uv.lock")


def test_the_folder_of_the_script_comes_before_those_above_it(tmp_path: Path) -> None:
    files = {"dapo/REQUIRED_VERL.txt": "PIP_INSTALL=pip install verl==0.6.1", "requirements.txt": "verl==0.9.0"}
    found = required(tmp_path, files, "dapo/scripts/run.sh")
    assert found is not None
    assert found.text == "verl==0.6.1"


def test_outside_of_a_repository_nothing_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("verl==0.6.1", encoding="utf-8")
    assert required_verl(str(tmp_path / "run.sh")) is None
