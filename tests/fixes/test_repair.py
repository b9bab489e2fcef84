"""Repairing scripts in rounds: until nothing is left to fix, and never to something worse."""

from collections.abc import Callable, Sequence

import pytest

from lint.checking.examination import Request
from lint.checking.run import Job
from lint.findings import Edit, Finding, Fix
from lint.fixes.repair import Repaired, repair
from lint.output.report import Report
from lint.settings import ScriptSettings
from lint.text import Source, Span

REQUEST = Request(ScriptSettings(), ScriptSettings())


def finding(start: int, end: int, text: str, rule: str = "unknown-key") -> Finding:
    """A finding with a fix that replaces a stretch of the script."""
    span = Span("run.sh", start, end)
    return Finding(rule, "error", "high", span, "m", fix=Fix("mend it", True, (Edit(span, text),)))


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


def test_a_fix_that_makes_work_for_the_next_without_end_is_taken_back() -> None:
    done = repaired("abc\n", lambda text: [finding(at, at, "abcdefgh" * 20) for at in range(0, len(text), 4)])
    assert (done.texts, done.fixed, done.refused) == ({}, (), ("run.sh",))
    assert len(done.report.findings) == 1


@pytest.mark.parametrize(("start", "end"), [(2, 1), (0, 9), (-1, 1), (8, 9)])
def test_an_edit_outside_of_the_script_is_not_applied(start: int, end: int) -> None:
    done = repaired("abc\n", lambda text: [finding(start, end, "x")])
    assert (done.texts, done.fixed) == ({}, ())
