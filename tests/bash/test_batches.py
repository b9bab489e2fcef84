"""`xargs` and `parallel`: one command for each part of a known input; `find -exec`: one for all that it finds."""

import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bash.real_bash import commands_of, read_script
from tests.bash.real_programs import Start, read_starts, really_started

INPUT = "printf 'a b\\n  c \"d e\" f\\\\\\\\ g\\n\\nh'"


@pytest.mark.parametrize(
    "options",
    ["", "-n 2", "-n1 -P 4", "-t", "-L1", "-L 2", "-r", "-I {}", "-I@", "-d '\\n'", "-d, -n1", "-0", "--max-args=3"],
)
@pytest.mark.parametrize("words", ["trainer x", "trainer {} '{}@'", "env A=2 trainer", "bash -c 'trainer \"$@\"' name"])
def test_as_real_xargs(options: str, words: str) -> None:
    script = f"{INPUT} | xargs {options} {words}"
    assert sorted(map(str, read_starts(script))) == sorted(map(str, really_started(script, ("xargs", "bash", "env"))))


@given(st.text("ab \n\"'\\", max_size=12))
@settings(max_examples=60, deadline=None)
def test_any_input_of_xargs(text: str) -> None:
    quoted = "'" + text.replace("'", "'\\''") + "'"
    script = f"printf %s {quoted} | xargs trainer"
    expected = really_started(script, ("xargs",))
    if expected:  # xargs refuses an unmatched quote
        assert read_starts(script) == expected


@pytest.mark.parametrize(
    ("command", "starts"),
    [
        ("parallel trainer ::: 1 2", [("1",), ("2",)]),
        ("parallel -j 4 trainer lr={} ::: 'a b' '$A'", [("lr=a b",), ("lr=$A",)]),
        ("parallel --jobs=2 'trainer {1} {2}' ::: 1 2 ::: x y", [("1", "x"), ("1", "y"), ("2", "x"), ("2", "y")]),
        ("printf '%s\\n' 1 '2 3' | parallel 'trainer {}'", [("1",), ("2 3",)]),
        ("parallel trainer {#} {} :::: unknown", [("1", "<unknown: argument of parallel>")]),
    ],
)
def test_parallel(command: str, starts: list[tuple[str, ...]]) -> None:
    assert [start.words for start in read_starts(command)] == starts


def test_an_unknown_input_is_one_unknown_command() -> None:
    assert read_starts("hosts | xargs -I{} ssh {} trainer x") == [Start(("x",), {})]
    assert commands_of(read_script("hosts | xargs run"))[-1] == ["run", "<unknown: input of xargs>"]


FOUND = "<unknown: a file that find finds>"


@pytest.mark.parametrize(
    ("command", "starts"),
    [
        ("find . -name '*.sh' -exec trainer x {} \\;", [("x", FOUND)]),
        ("find . -exec bash -c 'trainer \"$1\"' _ {} ';' -o -execdir trainer {} +", [(FOUND,), (FOUND,)]),
        ("find . -type f -exec env A=1 trainer a{}b \\; -print", [(f"a{FOUND}b",)]),
        ("find . -name exec -o -exec", []),
    ],
)
def test_what_find_runs(command: str, starts: list[tuple[str, ...]]) -> None:
    assert [start.words for start in read_starts(command)] == starts


@pytest.mark.parametrize(
    "command", ["find . -exec echo x \\;", "hosts | xargs -I{} echo x", "parallel echo x :::: file"]
)
def test_what_an_unknown_number_of_commands_writes_is_not_known(command: str) -> None:
    assert commands_of(read_script(f"run $({command})"))[-1] == ["run", f"<unknown: output of `{command}`>"]


def test_many_commands_are_read_in_part_and_that_is_said() -> None:
    reading = read_script("seq 1000 | xargs -n1 trainer")
    assert len(reading.commands) == 202
    assert [place.reason for place in reading.unchecked] == ["only the first 200 commands of this xargs were read"]


def test_real_xargs_is_here() -> None:
    assert shutil.which("xargs")
