"""A new rule starts from a module that the tests refuse until it is filled in."""

from pathlib import Path

import pytest

from lint.rules import scaffold
from lint.rules.documentation import HEADINGS, Undocumented, parse


def test_a_new_rule_has_every_heading_and_is_refused_until_it_says_something(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(scaffold, "ROOM", tmp_path)
    path = Path(scaffold.new_rule("batch", "micro-batch-odd"))
    assert path == tmp_path / "batch" / "micro_batch_odd.py"
    text = path.read_text()
    compile(text, str(path), "exec")
    assert all(f"## {heading}\n" in text for heading in HEADINGS)
    with pytest.raises(Undocumented):
        parse(text.split('"""')[1])
    assert (tmp_path / "batch" / "__init__.py").exists()


@pytest.mark.parametrize(
    ("group", "name", "problem"),
    [
        ("batch", "token-budget", "there is a rule token-budget already"),
        ("batch", "3-wrong", "must be words"),
        ("../lint", "fine", "must be words"),
    ],
)
def test_a_name_that_is_taken_or_no_name_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, group: str, name: str, problem: str
) -> None:
    monkeypatch.setattr(scaffold, "ROOM", tmp_path)
    with pytest.raises(ValueError, match=problem):
        scaffold.new_rule(group, name)
