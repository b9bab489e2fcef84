"""Every rule is documented under the fixed headings, named after its module, and short."""

import re
from typing import get_args

import pytest

from lint.memory.terms import Phase
from lint.rules.documentation import HEADINGS, Undocumented, parse
from lint.rules.registry import ROOM, all_rules, groups, load, rule_modules
from lint.rules.rule import Rule

RULES = all_rules()
GOOD = """One sentence.

## What it finds
This.

## Why it hurts
That.

## When it fails
at start: an error

## Example that fails
```bash
python3 -m verl.trainer.main_ppo \\
    a=1 \\  # <- here
    b=2
```

## Example that passes
```bash
python3 -m verl.trainer.main_ppo
```

## Fix
Do that.

## Sources
- one.py :: function (0.9.1)
- two.py, which goes
  on
"""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_documented(rule: Rule) -> None:
    parse(rule.documentation)


def test_a_rule_is_named_after_its_module_and_stands_in_one_group() -> None:
    for name, module in rule_modules().items():
        rule = load(name)
        assert (rule.name, rule.group) == (name, module.split(".")[-2])
    assert len({rule.name for rule in RULES}) == len(list(ROOM.glob("*/[!_]*.py")))


def test_a_rule_module_has_at_most_120_lines() -> None:
    lengths = {file.name: len(file.read_text().splitlines()) for file in ROOM.glob("*/[!_]*.py")}
    assert {name: lines for name, lines in lengths.items() if lines > 120} == {}


def test_a_rule_takes_nothing_from_another_rule() -> None:
    of_rule = re.compile(rf"^from lint\.rules\.({'|'.join(groups())})(\.[a-z]| import [a-z])", re.MULTILINE)
    taking = [file.name for file in ROOM.glob("*/*.py") if of_rule.search(file.read_text())]
    assert taking == [], "what rules of a group share stands in a module of it whose name begins with `_`"


def test_phases_have_the_names_of_the_memory_model() -> None:
    named = {phase for file in ROOM.glob("*/*.py") for phase in re.findall(r'phase="(\w+)"', file.read_text())}
    assert named >= {"init", "generate", "update_actor"}
    assert named - {"advantage", "validation"} <= set(get_args(Phase))


def test_a_group_says_what_its_rules_are_about() -> None:
    assert all(text.endswith(".") for text in groups().values())


def test_examples_lose_their_mark_and_keep_its_line() -> None:
    documentation = parse(GOOD)
    assert documentation.failing.lines == (2,)
    assert documentation.failing.script == "python3 -m verl.trainer.main_ppo \\\n    a=1 \\\n    b=2\n"
    assert documentation.sources == ("one.py :: function (0.9.1)", "two.py, which goes on")


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_missing_heading_is_refused(heading: str) -> None:
    with pytest.raises(Undocumented, match="headings are"):
        parse(GOOD.replace(f"## {heading}\n", ""))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("One sentence.", "One phrase", "full stop"),
        ("at start: an error", "sometimes", "must start with one of"),
        ("This.", "", "nothing is said"),
        ("```bash\npython3 -m verl.trainer.main_ppo\n```", "none", "must hold a script"),
        ("- one.py", "one.py", "must be a list"),
    ],
)
def test_a_text_without_form_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(Undocumented, match=message):
        parse(GOOD.replace(old, new))


def test_a_module_without_a_rule_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lint.rules.registry.rule_modules", lambda: {"no-rule": "lint.versions"})
    with pytest.raises(TypeError, match=r"lint\.versions declares no rule"):
        load("no-rule")
