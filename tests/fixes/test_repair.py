"""Repairing scripts in rounds: until nothing is left to fix, and never to something worse."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from lint.checking.examination import Request
from lint.checking.run import Job
from lint.findings import Edit, Finding, Fix, Severity
from lint.fixes.repair import Repaired, repair
from lint.output.report import Report
from lint.settings import ScriptSettings
from lint.text import Source, Span

REQUEST = Request(ScriptSettings(), ScriptSettings())


def finding(
    start: int, end: int, text: str, rule: str = "unknown-key", severity: Severity = "error", message: str = "m"
) -> Finding:
    """A finding with a fix that replaces a stretch of the script."""
    span = Span("run.sh", start, end)
    return Finding(rule, severity, "high", span, message, fix=Fix("mend it", True, (Edit(span, text),)))


def repaired(text: str, check: Callable[[str], list[Finding]]) -> Repaired:
    """Repair a script with a tool that finds in a text what `check` says."""

    def run(jobs: Sequence[Job]) -> Report:
        (job,) = jobs
        assert job.data is not None
        return Report(tuple(check(job.data.decode())), sources={"run.sh": Source("run.sh", job.data.decode())})

    job = Job("run.sh", REQUEST, text.encode())
    return repair([job], run([job]), run, unsafe=False)


def test_a_fix_that_uncovers_another_is_followed() -> None:
    done = repaired("a", lambda text: [finding(0, 1, {"a": "b", "b": "c"}[text])] if text in "ab" else [])
    assert done.texts["run.sh"].text == "c"
    assert (len(done.fixed), done.refused, done.report.findings) == (2, (), ())


def test_a_fix_that_breaks_the_script_is_left_out() -> None:
    done = repaired("a", lambda text: [finding(0, 1, "if")] if text == "a" else [finding(0, 2, "", "syntax-error")])
    assert (done.texts, done.fixed, done.refused) == ({}, (), ("run.sh",))
    assert [one.rule for one in done.report.findings] == ["unknown-key"]


def test_a_fix_of_a_warning_that_brings_an_error_is_left_out_and_the_others_are_applied() -> None:
    def check(text: str) -> list[Finding]:
        found = [finding(0, 1, "b", "one", "warning", "first")] if text[0] == "a" else [finding(0, 0, "x", "bad")]
        return [*found, *([finding(1, 2, "b", "one", "warning", "second")] if text[1] == "a" else [])]

    done = repaired("aa", check)
    assert done.texts["run.sh"].text == "ab"
    assert [(one.message, brought) for one, brought in done.withheld] == [("first", "bad")]
    assert ([one.message for one in done.fixed], [one.rule for one in done.report.findings]) == (["second"], ["one"])


def test_fixes_that_undo_each_other_are_left_out() -> None:
    def check(text: str) -> list[Finding]:
        other = {"1": "2", "2": "1"}[text[0]]
        return [
            finding(0, 1, other, message=text[0]),
            *([finding(1, 2, "b", "info", "info")] if text[1] == "a" else []),
        ]

    done = repaired("1a", check)
    assert done.texts["run.sh"].text == "1b"
    assert [one.message for one, _ in done.withheld] == ["1", "2"]
    assert [one.rule for one in done.fixed] == ["info"]


def test_an_error_is_mended_whatever_comes_to_light_then() -> None:
    def check(text: str) -> list[Finding]:
        hidden = finding(1, 1, "", "value-type")
        return [finding(0, 1, "b")] if text[0] == "a" else [replace(hidden, fix=None)]

    done = repaired("a1", check)
    assert (done.texts["run.sh"].text, done.withheld) == ("b1", ())
    assert [one.rule for one in done.report.findings] == ["value-type"]


def test_a_fix_that_makes_work_for_the_next_without_end_is_taken_back() -> None:
    done = repaired("abc\n", lambda text: [finding(at, at, "abcdefgh" * 20) for at in range(0, len(text), 4)])
    assert (done.texts, done.fixed, done.refused) == ({}, (), ("run.sh",))
    assert len(done.report.findings) == 1


@pytest.mark.parametrize(("start", "end"), [(2, 1), (0, 9), (-1, 1), (8, 9)])
def test_an_edit_outside_of_the_script_is_not_applied(start: int, end: int) -> None:
    done = repaired("abc\n", lambda text: [finding(start, end, "x")])
    assert (done.texts, done.fixed) == ({}, ())
