"""The output for people: exact spans, aligned marks, nothing that acts on the terminal."""

import re
from dataclasses import replace

import pytest

from lint.findings import Finding
from lint.output import render
from lint.output.report import Report, when
from lint.output.terminal import Style, visible, wants_colour, width
from lint.text import Source, Span
from tests.output.report import CLEAN, ERROR, REPORT


def block(rule: str) -> list[str]:
    """The lines of one finding."""
    text = render("text", REPORT, Style(False))
    return next(part for part in text.split("\n\n") if f"[{rule}]" in part).split("\n")


def test_a_finding_shows_its_line_its_origin_and_what_to_write() -> None:
    assert block("syntax-error") == [
        "error[syntax-error]: tensor_model_parallel_size 6 does not divide 64 attention heads: 64 = 10 x 6 + 4",
        " --> run.sh:5:2",
        "  |",
        "2 | gen_tp=6",
        "  |        - value of gen_tp comes from here",
        "...",
        "5 |     actor_rollout_ref.rollout.tensor_model_parallel_size=${gen_tp} \\",
        "  |     " + "^" * 62,
        "  |",
        "  = when: DEVICE=npu",
        "  = note: Qwen3-8B has 64 heads",
        "  = help: write 4 or 8",
        "  = fix: write 8 (--fix)",
    ]


def test_of_many_conditions_those_are_said_whose_variables_the_finding_names() -> None:
    many = {f"SIZE_{number}": "2" for number in range(9)}
    assert when(replace(ERROR, scenario={**many, "gen_tp": "6"})) == "gen_tp=6, and 9 more"
    assert when(replace(ERROR, scenario=many)) == "SIZE_0=2, SIZE_1=2, SIZE_2=2, and 6 more"
    assert when(replace(ERROR, scenario={"A": "1", "B": "2", "C": "3", "D": "4"})) == "A=1, B=2, C=3, D=4"


def test_marks_are_aligned_behind_wide_characters() -> None:
    line, mark = block("SC2034")[3:5]
    assert width(line[: line.index("ready")]) == mark.index("^")
    assert mark.count("^") == len("ready")


def test_control_characters_are_shown_and_never_sent() -> None:
    text = render("text", REPORT, Style(False))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    assert r"\x1b[31mred" in text
    assert r"\x1b]0;characters\x07" in text


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [("\x1b", r"\x1b"), ("\u202e", r"\u202e"), ("\u200b", r"\u200b"), ("\udcff", r"\xff"), ("\r", r"\x0d"), ("é", "é")],
)
def test_invisible_characters_become_escapes(hidden: str, shown: str) -> None:
    assert visible(hidden) == shown


def test_a_long_line_is_cut_around_the_mark() -> None:
    text = "x" * 5000 + "HERE" + "y" * 1_000_000
    finding = Finding("syntax-error", "error", "high", Span("a.sh", 5000, 5004), "long")
    drawn = render("text", Report((finding,), sources={"a.sh": Source("a.sh", text)}), Style(False))
    source, mark = drawn.split("\n")[3:5]
    assert len(source) < 200
    assert source[mark.index("^") : mark.index("^") + 4] == "HERE"


def test_a_span_of_several_lines_is_marked_on_its_first() -> None:
    text = "echo 'one\ntwo'\n"
    finding = Finding("syntax-error", "error", "high", Span("a.sh", 5, 14), "open")
    drawn = render("text", Report((finding,), sources={"a.sh": Source("a.sh", text)}), Style(False)).split("\n")
    assert drawn[3:5] == ["1 | echo 'one", "  |      ^^^^"]


def test_a_span_at_the_end_of_the_file_is_marked_behind_the_text() -> None:
    finding = Finding("syntax-error", "error", "high", Span("a.sh", 7, 7), "end")
    drawn = render("text", Report((finding,), sources={"a.sh": Source("a.sh", "if true")}), Style(False)).split("\n")
    assert drawn[3:5] == ["1 | if true", "  |        ^"]


def test_the_summary_counts_findings_and_what_was_left_out() -> None:
    last = render("text", REPORT, Style(False)).splitlines()[-1]
    assert last == ("found 1 error, 1 warning, 1 remark in 2 scripts, 1 launch; 1 fixable with --fix; 1 suppressed")
    assert render("text", CLEAN, Style(False)) == "no findings in 1 script, 1 launch\n"


def test_what_was_not_checked_is_said() -> None:
    assert "not checked:\n  other.sh:1: the file is a binary file, not a script" in render("text", REPORT, Style(False))


class Terminal:
    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "environment", "colour"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_colour_follows_the_terminal_and_the_environment(
    terminal: bool, environment: dict[str, str], colour: bool
) -> None:
    assert wants_colour(Terminal(terminal), environment) is colour  # type: ignore[arg-type]


def test_colour_changes_nothing_but_colour() -> None:
    painted = render("text", REPORT, Style(True))
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == render("text", REPORT, Style(False))
