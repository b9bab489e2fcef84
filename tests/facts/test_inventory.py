"""Every file of facts says when it was read, and the version tells it."""

import re

import pytest

import lint
from lint.__main__ import main
from lint.facts.inventory import data_files


def test_every_data_file_has_a_date() -> None:
    dates = {file.path: file.date for file in data_files()}
    assert {"facts/data/devices.json", "facts/data/environment.toml", "schema/data/verl-0.9.1.json"} <= set(dates)
    assert all(re.fullmatch(r"\d{4}-\d{2}-\d{2}", date) for date in dates.values())


@pytest.mark.parametrize("arguments", [["--version", "-v"], ["-V", "--verbose"], ["-v", "--version"]])
def test_the_version_tells_the_dates(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(arguments)
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == f"recipe-lint {lint.__version__}"
    assert rest == [f"  {file.date}  {file.path}" for file in data_files()]


def test_the_version_alone_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--version"])
    assert capsys.readouterr().out == f"recipe-lint {lint.__version__}\n"
