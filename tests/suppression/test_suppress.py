"""Suppression by comments: what it reaches, what it demands, and what is said when it is not needed."""

import pytest

from lint.bash.parser import parse
from lint.findings import Finding
from lint.fixes.fix import edited
from lint.suppression import directives, suppress
from lint.suppression.suppress import Commented, Names, Suppressed
from lint.text import Source, Span

RULES = frozenset({"one", "two", "stern", "unused"})
NAMES = Names(
    unknown=lambda name: None if name in RULES else f"no rule is called {name!r}",
    suppressible=lambda name: name != "stern",
    ran=lambda path, name: name != "unused",
    nearest=lambda name: "two" if name == "tow" else None,
)


def silence(text: str, *findings: tuple[str, str]) -> Suppressed:
    """Apply the comments of a script to findings, each a rule and the text that it marks."""
    source = Source("run.sh", text)
    script = parse(source)
    found = [
        Finding(rule, "warning", "high", Span("run.sh", text.index(marked), text.index(marked) + len(marked)), "m")
        for rule, marked in findings
    ]
    return suppress.apply(found, {"run.sh": Commented(script, directives.parse(script))}, {"run.sh"}, NAMES)


def messages(result: Suppressed) -> list[str]:
    return [finding.message for finding in result.findings if finding.message != "m"]


REACH = {
    "end of its line": "a=HERE  # recipe-lint: ignore[one] -- r\n",
    "line before": "# recipe-lint: ignore[one] -- r\na=HERE\n",
    "line before, over blanks and comments": "# recipe-lint: ignore[one] -- r\n\n# note\na=HERE\n",
    "continued command, from its last line": "python3 \\\n  HERE \\\n  x  # recipe-lint: ignore[one] -- r\n",
    "continued command, from before": "# recipe-lint: ignore[one] -- r\npython3 \\\n  x \\\n  HERE\n",
    "pipeline, from before": "# recipe-lint: ignore[one] -- r\npython3 x |\n  tee HERE\n",
    "array, from before": "# recipe-lint: ignore[one] -- r\nA=(\n  x\n  HERE\n)\n",
    "array element, at its end": "A=(\n  x\n  HERE  # recipe-lint: ignore[one] -- r\n)\n",
    "array element, from before": "A=(\n  x\n  # recipe-lint: ignore[one] -- r\n  HERE\n)\n",
    "quoted text of several lines": "# recipe-lint: ignore[one] -- r\necho 'x\nHERE\n'\n",
    "indented in a block": "if true; then\n    # recipe-lint: ignore[one] -- r\n    echo HERE\nfi\n",
    "whole file": "echo HERE\n# recipe-lint: ignore-file[one] -- r\n",
    "one of several rules": "a=HERE  # recipe-lint: ignore[two,one] -- r\nb=1 # x\n",
}


@pytest.mark.parametrize("text", REACH.values(), ids=REACH)
def test_a_suppression_reaches(text: str) -> None:
    result = silence(text, ("one", "HERE"))
    assert result.count == 1
    assert [finding.rule for finding in result.findings if finding.message == "m"] == []


NO_REACH = {
    "another rule": "a=HERE  # recipe-lint: ignore[two] -- r\n",
    "the next line": "a=1  # recipe-lint: ignore[one] -- r\nb=HERE\n",
    "the line after the next": "# recipe-lint: ignore[one] -- r\na=1\nb=HERE\n",
    "the rest of a block": "# recipe-lint: ignore[one] -- r\nif true; then\n    echo HERE\nfi\n",
    "the next array element": "A=(\n  # recipe-lint: ignore[one] -- r\n  x\n  HERE\n)\n",
    "text in quotes": "a='HERE # recipe-lint: ignore[one] -- r'\n",
    "here-document": "cat <<E\nHERE # recipe-lint: ignore[one] -- r\nE\n",
    "without a reason": "a=HERE  # recipe-lint: ignore[one]\n",
}


@pytest.mark.parametrize("text", NO_REACH.values(), ids=NO_REACH)
def test_a_suppression_does_not_reach(text: str) -> None:
    assert silence(text, ("one", "HERE")).count == 0


def test_what_must_not_be_silenced_is_not() -> None:
    result = silence("a=HERE  # recipe-lint: ignore[stern] -- r\n", ("stern", "HERE"))
    assert result.count == 0
    assert messages(result) == ["stern cannot be suppressed"]


def test_needless_and_wrong_suppressions_are_findings() -> None:
    assert messages(silence("a=1  # recipe-lint: ignore[one] -- r\n")) == ["nothing is left here for one to report"]
    assert messages(silence("a=1  # recipe-lint: ignore[tow] -- r\n")) == ["no rule is called 'tow'"]
    assert messages(silence("a=1  # recipe-lint: ignore[one]\n")) == [
        "the suppression gives no reason, so it has no effect"
    ]


def test_a_wrong_name_without_a_reason_is_wrong_twice() -> None:
    assert messages(silence("a=1  # recipe-lint: ignore[tow, one]\n")) == [
        "the suppression gives no reason, so it has no effect",
        "no rule is called 'tow'",
    ]


def test_a_rule_that_did_not_run_cannot_be_called_needless() -> None:
    assert messages(silence("a=1  # recipe-lint: ignore[unused] -- r\n")) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a=1  # recipe-lint: ignore[one] -- r\nb=2\n", "a=1\nb=2\n"),
        ("# recipe-lint: ignore[one] -- r\na=1\n", "a=1\n"),
        ("# note # recipe-lint: ignore[one] -- r\na=1\n", "# note\na=1\n"),
        ("a=HERE # recipe-lint: ignore[one, two] -- r\n", "a=HERE # recipe-lint: ignore[two] -- r\n"),
        ("a=HERE # recipe-lint: ignore[two, one] -- r\n", "a=HERE # recipe-lint: ignore[two] -- r\n"),
        ("a=HERE # recipe-lint: ignore[tow] -- r\n", "a=HERE # recipe-lint: ignore[two] -- r\n"),
    ],
)
def test_the_fix_of_a_suppression_changes_the_comment_alone(before: str, after: str) -> None:
    findings = [("two", "HERE")] if "HERE" in before else []
    fixes = [finding.fix for finding in silence(before, *findings).findings if finding.fix is not None]
    assert len(fixes) == 1
    assert fixes[0].safe
    assert edited(before, fixes[0].edits) == after


# ------------------------------------------------------------------------------------------------------ directives


def read(text: str) -> directives.Directives:
    return directives.parse(parse(Source("run.sh", text)))


def test_facts_stand_in_the_head() -> None:
    found = read("#!/bin/bash\n# recipe-lint: device=ascend-a3 release=0.9.1\n# recipe-lint: model=Qwen3-8B\necho\n")
    assert {name: fact.value for name, fact in found.facts.items()} == {
        "device": "ascend-a3",
        "release": "0.9.1",
        "model": "Qwen3-8B",
    }
    assert found.problems == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# recipe-lint: devise=ascend-a3\n", "a script cannot state 'devise' in this comment; did you mean 'device'?"),
        ("# recipe-lint: colour=red\n", "a script cannot state 'colour' in this comment"),
        ("# recipe-lint device=ascend-a3\n", "a comment that begins with '# recipe-lint' is not read"),
        ("# recipelint: release=0.9.1\n", "a comment that begins with '# recipelint:' is not read"),
        ("# Recipe_Lint: ignore[SC2086] -- why\n", "a comment that begins with '# Recipe_Lint:' is not read"),
        ("# recipe-lint: device = x\n", "the linter does not understand 'device' in this comment"),
        ("# recipe-lint: ignore[\n", "'ignore[' is no suppression"),
        ("# recipe-lint: ignore[] -- r\n", "the suppression names no rule"),
        ("echo\n# recipe-lint: device=ascend-a3\n", "device is stated after the head of the script and not read"),
    ],
)
def test_what_is_not_understood_is_said(text: str, message: str) -> None:
    assert read(text).problems[0].message == message


def test_a_comment_that_speaks_of_the_linter_is_no_directive() -> None:
    assert read("# recipe-lint finds this\necho recipe-lint device=x\n").problems == ()
    assert read("# run recipelint on this, then set device=npu\n").problems == ()
