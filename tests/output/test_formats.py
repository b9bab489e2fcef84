"""The formats that other programs read: valid by their own rules, and saying what the report says."""

import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import lint.output
from lint.findings import Finding
from lint.output import FORMATS, automatic, render
from lint.output.fingerprint import fingerprints
from lint.output.report import Report
from lint.output.terminal import Style
from lint.text import Source, Span
from tests.output.report import CLEAN, ERROR, REPORT, TEXT

PLAIN = Style(False)
BYTES = Report(
    findings=(Finding("SC2034", "warning", "high", Span("a\udcff.sh", 0, 1), "value '\udcfe'"),),
    sources={"a\udcff.sh": Source("a\udcff.sh", "\udcfe\n")},
)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("report", [REPORT, CLEAN, BYTES], ids=["everything", "clean", "bytes"])
def test_every_format_can_be_sent_as_utf_8(name: str, report: Report) -> None:
    assert render(name, report, PLAIN).encode("utf-8") or report is CLEAN


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_says_what_was_not_checked(name: str) -> None:
    for report in (REPORT, replace(REPORT, findings=())):
        text = render(name, report, PLAIN)
        assert "other.sh" in text
        assert "the file is a binary file, not a script" in text


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_names_the_scenario_that_a_finding_needs(name: str) -> None:
    odd = replace(ERROR, scenario={"DEVICE": "npu", "MODE": "x"})
    text = render(name, replace(REPORT, findings=(odd,)), PLAIN)
    if name == "json":
        assert json.loads(text)["findings"][0]["scenario"] == {"DEVICE": "npu", "MODE": "x"}
    elif name == "text":
        assert "= when: DEVICE=npu, MODE=x\n" in text
    else:
        assert "(when DEVICE=npu, MODE=x)" in text


def test_auto_is_github_inside_actions_only() -> None:
    assert automatic({"GITHUB_ACTIONS": "true"}) == "github"
    assert automatic({}) == "text"


def test_json_follows_its_published_schema() -> None:
    schema = json.loads(Path(lint.output.__file__).with_name("check.schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for report in (REPORT, CLEAN, BYTES):
        validator.validate(json.loads(render("json", report, PLAIN)))


def test_json_says_where_and_what_and_how_to_repair() -> None:
    document = json.loads(render("json", REPORT, PLAIN))
    found = document["findings"][1]
    assert (found["line"], found["column"], found["end_line"], found["end_column"]) == (5, 2, 5, 64)
    assert found["related"] == [
        {"path": "run.sh", "line": 2, "column": 8, "message": "value of gen_tp comes from here"}
    ]
    edit = found["fix"]["edits"][0]
    assert TEXT[: edit["start"]] + edit["text"] + TEXT[edit["end"] :] == TEXT.replace("gen_tp=6", "gen_tp=8")
    assert document["checked"] == {"scripts": 2, "launches": 1}
    assert document["unchecked"][0]["path"] == "other.sh"


def test_github_annotations_cannot_be_broken_out_of() -> None:
    lines = render("github", REPORT, PLAIN).splitlines()
    assert len(lines) == len(REPORT.findings) + len(REPORT.unchecked)
    assert lines[0] == (
        "::warning title=recipe-lint (SC2034),file=run.sh,line=3,endLine=3,col=10,endColumn=15"
        "::a %25message, with: commas,\\x0aand a line end"
    )
    odd = replace(ERROR, span=Span("a,b:c%.sh", 0, 0))
    assert ",file=a%2Cb%3Ac%25.sh," in render("github", Report((odd,)), PLAIN)


def test_gitlab_names_each_finding_once() -> None:
    rows = json.loads(render("gitlab", replace(REPORT, findings=(ERROR, ERROR), unchecked=()), PLAIN))
    assert len({row["fingerprint"] for row in rows}) == 2
    assert rows[0]["location"] == {"path": "run.sh", "lines": {"begin": 5, "end": 5}}
    assert {row["severity"] for row in rows} <= {"info", "minor", "major", "critical", "blocker"}


def test_fingerprints_hold_when_lines_move() -> None:
    moved = "# a new line\n" + TEXT
    shifted = replace(ERROR, span=Span("run.sh", ERROR.span.start + 13, ERROR.span.end + 13))
    before = Report((ERROR,), sources={"run.sh": Source("run.sh", TEXT)})
    after = Report((shifted,), sources={"run.sh": Source("run.sh", moved)})
    assert list(fingerprints(before)) == list(fingerprints(after))


def test_checkstyle_and_junit_are_xml_that_says_the_same() -> None:
    checkstyle = ElementTree.fromstring(render("checkstyle", REPORT, PLAIN))
    assert [(error.get("line"), error.get("severity")) for error in checkstyle.iter("error")] == [
        ("1", "info"),  # other.sh was not checked
        ("3", "warning"),
        ("5", "error"),
        ("6", "info"),
    ]
    junit = ElementTree.fromstring(render("junit", REPORT, PLAIN))
    assert len(list(junit.iter("failure"))) == 3
    assert [junit.get(name) for name in ("tests", "failures", "skipped")] == ["4", "3", "1"]
    assert len(list(junit.iter("skipped"))) == 1
    clean = ElementTree.fromstring(render("junit", CLEAN, PLAIN))
    assert [len(list(clean.iter(tag))) for tag in ("testcase", "failure")] == [1, 0]


def test_markdown_cells_stay_cells() -> None:
    lines = render("markdown", replace(REPORT, findings=(replace(ERROR, message="a | b\n*c*"),)), PLAIN).splitlines()
    assert lines[2].startswith("| run.sh:5 | error `syntax-error` | a \\| b\\\\x0a\\*c\\*")
    assert len(re.findall(r"(?<!\\)\|", lines[2])) == 4


# ------------------------------------------------------------------------------------------------------------ SARIF


def sarif(report: Report) -> Any:
    return json.loads(render("sarif", report, PLAIN))


def test_sarif_has_the_structure_of_the_standard() -> None:
    schema = json.loads(Path(__file__).with_name("sarif-2.1.0-reduced.schema.json").read_text("utf-8"))
    for report in (REPORT, CLEAN, BYTES):
        jsonschema.Draft7Validator(schema).validate(sarif(report))


def test_sarif_rules_are_documented_and_referenced() -> None:
    run = sarif(REPORT)["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert "## Why it hurts" in next(rule for rule in rules if rule["id"] == "syntax-error")["help"]["markdown"]


def test_sarif_carries_the_edits_of_a_fix() -> None:
    result = next(result for result in sarif(REPORT)["runs"][0]["results"] if "fixes" in result)
    replacement = result["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert replacement["deletedRegion"] == {"startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 9}
    assert replacement["insertedContent"] == {"text": "8"}
