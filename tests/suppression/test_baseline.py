"""The baseline knows findings by file, rule and the text of their line."""

import os
from collections import Counter
from pathlib import Path

import pytest

from lint.findings import Finding
from lint.output.report import Report
from lint.suppression import baseline
from lint.suppression.baseline import BadBaseline
from lint.text import Source, Span


def report(text: str, *marked: str) -> Report:
    """A report on one script: a finding of rule `one` at each of the marked texts."""
    findings = tuple(
        Finding("one", "warning", "high", Span("run.sh", text.index(mark), text.index(mark) + 1), mark)
        for mark in marked
    )
    return Report(findings, sources={"run.sh": Source("run.sh", text)})


OLD = baseline.collect(report("a=HERE\nb=1\n", "HERE"))


def compare(now: Report, complete: bool = True) -> baseline.Compared:
    return baseline.compare(now, OLD, ["run.sh"], complete)


def test_a_known_finding_is_left_out_wherever_its_line_moved() -> None:
    compared = compare(report("# new\n\n   a=HERE\nb=1\n", "HERE"))
    assert (compared.findings, compared.known) == ((), 1)
    assert compared.remaining == OLD


def test_a_changed_line_is_a_new_finding() -> None:
    compared = compare(report("a=HERE2\n", "HERE2"))
    assert len(compared.findings) == 1
    assert compared.remaining == Counter()


def test_equal_lines_are_counted() -> None:
    two = report("a=HERE\n", "HERE")
    twice = Report((*two.findings, *two.findings), sources=two.sources)
    compared = compare(twice)
    assert (len(compared.findings), compared.known) == (1, 1)


def test_what_is_gone_is_pruned_only_for_what_was_wholly_checked() -> None:
    clean = report("a=1\n")
    assert compare(clean).remaining == Counter()
    assert compare(clean, complete=False).remaining == OLD
    assert baseline.compare(clean, OLD, ["other.sh"], True).remaining == OLD


def test_it_is_written_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    baseline.save(file, OLD)
    assert baseline.load(file) == OLD


ROW = '{"version": 1, "findings": [{"path": "a", "rule": "b", "line": %s, "count": %s}]}'


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "null", '{"version": 2}', '{"version": 1, "findings": [{}]}', "{"),
        *(ROW % ("[]", "1"), ROW % ('"c"', "1e400"), ROW % ('"c"', "-5"), ROW % ('"c"', '"1"')),
    ],
)
def test_a_file_that_is_no_baseline_is_an_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "baseline.json"
    file.write_text(text)
    with pytest.raises(BadBaseline, match=r"baseline\.json"):
        baseline.load(file)


def test_a_baseline_that_cannot_be_read_or_written_is_said(tmp_path: Path) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for file in (deep, pipe, tmp_path):
        with pytest.raises(BadBaseline, match=file.name):
            baseline.load(file)
    for file in (tmp_path, tmp_path / "no" / "folder.json"):
        with pytest.raises(BadBaseline, match="cannot be written"):
            baseline.save(file, Counter())
