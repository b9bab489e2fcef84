"""Suppressions that the tool writes: each stands where it is a comment, and silences what it was written for."""

import pytest

from lint.bash.parser import parse
from lint.findings import Finding
from lint.fixes.fix import edited
from lint.output.report import Report
from lint.suppression import directives, suppress
from lint.suppression.insert import with_suppressions
from lint.suppression.suppress import Commented, Names
from lint.text import Source, Span

RULE = "unknown-key"
NAMES = Names(lambda name: None, lambda name: True, lambda path, name: True, lambda name: None)


def finding(text: str, marked: str, rule: str = RULE) -> Finding:
    start = text.index(marked)
    return Finding(rule, "error", "high", Span("run.sh", start, start + len(marked)), "m")


def suppressed(text: str, *findings: Finding) -> str:
    """The script with what is inserted for its findings."""
    report = with_suppressions(Report(findings, sources={"run.sh": Source("run.sh", text)}), "because")
    fixes = {one.fix: None for one in report.findings if one.fix is not None}
    return edited(text, [edit for fix in fixes for edit in fix.edits])


PLACES = {
    "a command": "set -e\ntrain HERE\n",
    "a command of several lines": "set -e\ntrain \\\n    a=1 \\\n    HERE \\\n    b=2\n",
    "an element of an array": "A=(\n    x=1\n    HERE\n)\ntrain\n",
    "an array in one line": 'A=(x=1 HERE)\ntrain "${A[@]}"\n',
    "a string of several lines": 'x="one\nHERE\nthree"\ntrain\n',
    "a here-document": "cat <<EOF\none\nHERE\nEOF\ntrain\n",
    "a substitution in a string": 'x="$(\n    echo HERE\n)"\n',
    "the head of an if": "if [[ HERE == x ]]; then\n    train\nfi\n",
    "inside of an if": "if true; then\n    train \\\n        HERE\nfi\n",
    "behind a command on the same line": "true; train \\\n    HERE\n",
    "a line with a shebang above": "#!/usr/bin/env bash\ntrain HERE\n",
    "the first line": "train HERE\n",
}


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES.keys())
def test_what_is_written_silences_the_finding_and_changes_nothing_else(text: str) -> None:
    found = finding(text, "HERE")
    written = suppressed(text, found)
    (line,) = [line for line in written.split("\n") if "ignore[" in line]
    assert line.strip() == f"# recipe-lint: ignore[{RULE}] -- because"
    assert written.replace(line + "\n", "", 1) == text
    script = parse(Source("run.sh", written))
    assert not script.errors
    files = {"run.sh": Commented(script, directives.parse(script))}
    assert suppress.apply([finding(written, "HERE")], files, {"run.sh"}, NAMES).findings == ()


def test_rules_of_one_place_share_a_comment() -> None:
    text = "train HERE THERE\n"
    written = suppressed(text, finding(text, "HERE"), finding(text, "THERE", "moved-key"), finding(text, "train"))
    assert written == f"# recipe-lint: ignore[moved-key, {RULE}] -- because\n{text}"


def test_a_finding_about_the_whole_script_is_suppressed_for_the_file() -> None:
    text = "#!/usr/bin/env bash\n# Trains.\ntrain\n"
    written = suppressed(text, finding(text, "#!/usr/bin/env bash"))
    assert written.split("\n")[:2] == ["#!/usr/bin/env bash", f"# recipe-lint: ignore-file[{RULE}] -- because"]


def test_what_cannot_be_suppressed_stays() -> None:
    text = "train HERE\n"
    assert suppressed(text, finding(text, "HERE", "syntax-error")) == text
