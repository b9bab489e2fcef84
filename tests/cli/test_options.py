"""Options in groups, and what the help says of them."""

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
import typer.main

from lint import settings
from lint.__main__ import application
from lint.cli.examples import EXAMPLES
from lint.cli.flatten import flattened
from lint.cli.init import EXAMPLES as SETTINGS
from lint.cli.init import document
from lint.settings import FILE_KEYS, SCRIPT_KEYS
from lint.toml import loads
from tests.cli.conftest import BROKEN, SCRIPT, Run


@dataclass(frozen=True)
class Paint:
    """Paint"""

    colour: Annotated[str, typer.Option("--colour", "-c", help="Which one.")] = "red"
    layers: Annotated[int | None, typer.Option(help="How many.")] = None


def paint(wall: Annotated[str, typer.Argument()], *, paint: Paint) -> None:
    """Paint a wall."""
    print(wall, paint)


def test_a_group_of_options_reaches_the_command_as_one_value(capsys: pytest.CaptureFixture[str]) -> None:
    tool = typer.Typer()
    tool.command()(flattened(paint))
    tool(["north", "-c", "blue", "--layers", "2"], standalone_mode=False)
    tool(["north"], standalone_mode=False)
    assert capsys.readouterr().out.splitlines() == [
        "north Paint(colour='blue', layers=2)",
        "north Paint(colour='red', layers=None)",
    ]


def test_a_group_heads_its_options_in_the_help(run: Run) -> None:
    out = run("check", "--help").out
    headings = [line.strip("╭╮─ ") for line in out.splitlines() if line.startswith("╭")]
    assert headings[2:] == [
        *("Output", "Which findings", "Which scripts", "What to check against", "Changes of scripts", "Run"),
    ]


# ---------------------------------------------------------------------------------------------------------- examples


def commands(command: Any, name: str = "") -> dict[str, Any]:
    """Every subcommand by the words that call it."""
    found = {}
    for inner, one in getattr(command, "commands", {}).items():
        found[f"{name} {inner}".strip()] = one
        found.update(commands(one, f"{name} {inner}".strip()))
    return found


ALL = commands(typer.main.get_command(application([])))


@pytest.mark.parametrize("name", ALL)
def test_every_subcommand_has_examples_in_its_help(run: Run, name: str) -> None:
    out = run(*name.split(), "--help").out
    assert f"recipe-lint {EXAMPLES[name][0].arguments}"[:60] in " ".join(out.split())


@pytest.mark.parametrize("name", ALL)
def test_no_name_in_a_help_is_cut_off(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert "…" not in run(*name.split(), "--help").out


def test_the_name_that_ruff_has_for_an_option_is_known(run: Run) -> None:
    files = {"run.sh": BROKEN}
    assert run("check", "--output-format=concise", "--no-cache", files=files) == run(
        "check", "-f", "concise", "--no-cache"
    )


@pytest.mark.parametrize("example", [one for rows in EXAMPLES.values() for one in rows], ids=lambda one: one.arguments)
def test_the_options_of_every_example_exist(example: Any, folder: Path) -> None:
    words = shlex.split(example.arguments)
    name = max((name for name in ALL if words[: len(name.split())] == name.split()), key=len)
    arguments = [str(folder) if word == "~/verl" else word for word in words[len(name.split()) :]]
    with ALL[name].make_context(name, arguments) as context:
        assert context.params is not None


def test_every_example_belongs_to_a_subcommand() -> None:
    assert set(EXAMPLES) == set(ALL)


# ------------------------------------------------------------------------------------------------ files and settings


def test_the_scripts_to_check_can_be_listed(run: Run) -> None:
    files = {"a.sh": SCRIPT, "b/c.sh": SCRIPT, "d.txt": "", "e/f.sh": "", "recipe-lint.toml": "exclude = ['e/']\n"}
    ended = run("check", ".", "--show-files", files=files)
    assert (ended.status, ended.out) == (0, "a.sh\nb/c.sh\n")
    assert run("check", "nowhere", "--show-files").status == 3


def test_what_the_settings_exclude_is_checked_where_it_is_named_unless_told_otherwise(run: Run) -> None:
    files = {"a.sh": BROKEN, "third/b.sh": BROKEN, "recipe-lint.toml": "exclude = ['third/']\n"}
    call = ("check", "--no-shellcheck", "--no-cache", "--select", "unknown-key", "-f", "concise")
    assert "third/b.sh" in run(*call, "a.sh", "third/b.sh", files=files).out
    ended = run(*call, "--force-exclude", "a.sh", "third/b.sh")
    assert (ended.status, "a.sh" in ended.out, "third/b.sh" in ended.out) == (1, True, False)
    assert run(*call, "--force-exclude", "third/b.sh").status == 0
    assert run(*call, "--force-exclude", "-", "--stdin-filename", "third/b.sh", stdin=BROKEN).status == 0
    assert run(*call, "-", "--stdin-filename", "third/b.sh", stdin=BROKEN).status == 1


def test_the_settings_that_are_shown_are_those_with_the_command_line(run: Run) -> None:
    files = {"run.sh": SCRIPT, "recipe-lint.toml": "release = '0.8.0'\n[environment]\nA = '1'\n"}
    given = ("--release", "0.9.0", "--env", "B=2", "--ignore", "hydra")
    out = run("check", "run.sh", *given, "--show-settings", files=files).out
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert 'release = "0.9.0" (command line)' in rows
    assert 'ignore = ["hydra"] (command line)' in rows
    assert 'environment = {A = "1", B = "2"} (command line)' in rows
    assert 'release = "0.8.0" (recipe-lint.toml)' in " ".join(run("settings", "run.sh").out.split())


def test_a_first_settings_file_explains_every_setting(run: Run, folder: Path) -> None:
    assert run("init", "--device", "ascend-a3").status == 0
    text = (folder / "recipe-lint.toml").read_text()
    assert loads(text) == {"device": "ascend-a3"}
    for name in {**SCRIPT_KEYS, **FILE_KEYS}:
        assert f"{name} = " in text or name == "paths"
    assert run("settings", ".").status == 0
    ended = run("init")
    assert (ended.status, "recipe-lint.toml holds settings already" in ended.err) == (2, True)
    assert run("init", "--device", "h1000").status == 2


@pytest.mark.parametrize("name", SETTINGS)
def test_every_example_of_a_setting_is_a_valid_value(name: str, folder: Path) -> None:
    line = f"{name} = {SETTINGS[name]}"
    assert f"# {line}\n" in document({})
    (folder / "recipe-lint.toml").write_text(line + "\n")
    settings.nearest.cache_clear()
    assert settings.settings_for(".").file is not None


# ------------------------------------------------------------------------------------------------- output, statistics


def test_statistics_can_be_read_by_programs_and_written_to_a_file(run: Run, folder: Path) -> None:
    call = ("check", "run.sh", "--no-shellcheck", "--no-cache", "--select", "unknown-key", "--statistics")
    out = run(*call, "--format", "json", "-o", "counts.json", files={"run.sh": BROKEN}).out
    assert out == ""
    assert json.loads((folder / "counts.json").read_text()) == {
        "version": 1,
        "rules": [{"rule": "unknown-key", "severity": "error", "count": 1, "fixable": 0}],
        "checked": {"scripts": 1, "launches": 1},
    }


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ((), {}, False),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
    ],
)
def test_colour_follows_the_option_before_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], environment: dict[str, str], coloured: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out = run("check", "run.sh", "--no-shellcheck", "--no-cache", *arguments, files={"run.sh": BROKEN}).out
    assert ("\x1b[" in out) is coloured
