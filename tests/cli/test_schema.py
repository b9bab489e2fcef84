"""`recipe-lint schema`: what is known, and schemas of other trees."""

import json
from pathlib import Path
from typing import Any

import pytest

from lint.__main__ import main
from lint.schema import verify
from lint.schema.load import shipped
from lint.schema.schema import Schema
from lint.schema.store import parse
from tests.schema.trees import VERL, write, write_wheel


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> int:
    """The exit status of a call."""
    with pytest.raises(SystemExit) as ended:
        main(["schema", *arguments])
    return int(ended.value.code or 0)


def test_list_names_every_release_with_its_wheel(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(shipped())
    assert all("-py3-none-any.whl" in line and "sha256" in line for line in lines)


def test_build_writes_the_schema_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = write(tmp_path / "verl", VERL)
    assert run("build", str(tree), "--output", str(tmp_path / "schema.json")) == 0
    assert parse((tmp_path / "schema.json").read_text()).release == "0.9.1"
    assert "compositions equal Hydra's" in capsys.readouterr().err


def test_what_was_compared_with_hydra_is_not_compared_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = write(tmp_path / "verl", VERL)
    asked: list[Path] = []
    compose = verify._theirs

    def theirs(schema: Schema, case: verify.Case, root: Path) -> Any:
        asked.append(root)
        return compose(schema, case, root)

    monkeypatch.setattr(verify, "_theirs", theirs)
    said = []
    for change in ("", "", "# a change\n"):
        config = Path(tree, min(name for name in VERL if name.endswith(".yaml")))
        config.write_text(config.read_text() + change)
        assert run("build", str(tree), "--output", "schema.json") == 0
        said.append((len(asked), capsys.readouterr().err))
    counts, texts = [count for count, _ in said], [text for _, text in said]
    assert counts == [counts[0], counts[0], 2 * counts[0]]
    assert texts[0] == texts[1] == texts[2]


def test_build_writes_to_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = write_wheel(tmp_path / "verl-0.9.1-py3-none-any.whl", VERL)
    assert run("build", str(wheel), "--no-verify") == 0
    assert json.loads(capsys.readouterr().out)["origin"] == wheel.name


@pytest.mark.parametrize("name", ["nothing", "folder", "text.whl"])
def test_build_refuses_what_is_no_verl_tree(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.whl").write_text("text")
    assert run("build", str(tmp_path / name)) == 2
    assert str(tmp_path / name) in capsys.readouterr().err


def test_build_writes_nothing_where_hydra_composes_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from lint.schema import build, config_files
    from lint.schema.schema import ConfigFile

    reads = config_files.read_or_fault

    def misread(text: str, name: str) -> ConfigFile:
        found = reads(text, name)
        return ConfigFile(found.package, found.defaults, {**found.body, "extra": 1})

    monkeypatch.setattr(build, "read_or_fault", misread)
    tree = write(tmp_path / "verl", VERL)
    assert run("build", str(tree), "--output", str(tmp_path / "schema.json")) == 1
    assert not (tmp_path / "schema.json").exists()
    assert "but Hydra says" in capsys.readouterr().err
