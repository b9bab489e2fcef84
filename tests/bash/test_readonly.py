"""Readonly variables: which assignment fails, which gives the line up, and which ends the shell under `set -e`.

Where bash itself complains, rather than a builtin, `set -e` ends the shell at once: in conditions too, without an ERR
trap, and with the exit status before, if that is one of an error.
"""

import pytest

from tests.bash.real_bash import assert_same_as_bash

START = """readonly x=0; readonly -a r=(0); declare -i n; declare -a m
f() { local x=1; p f; }; g() { local r; r=1; p g; }; h() { declare -g x=1; p h; }
l() { local -r y=1; k; }; k() { local y=2; p k; }
"""

ASSIGNMENTS = [
    *("x=1", "x+=1", "r[1]=2", "r=(1)", "x=1 :", "x=1 p never", "((x = 1))", "let x=1", ": $((x = 1))", "(x=1)"),
    *("readonly x=1", "export x=1", 'readonly "x=3"', "readonly r=(1)", "readonly x", "declare -r x", "export r=5"),
    *(
        "declare x=1",
        "declare -i x",
        "declare x+=1",
        "declare r=(2)",
        "declare -A r=()",
        "typeset -r x=3",
        "f",
        "g",
        "h",
        "l",
    ),
    *("read x <<< 1", 'read -r y x <<< "1 2"', "read -a r <<< 1", 'read "r[0]" <<< 1', "mapfile r <<< 1"),
    *("printf -v x 1", "getopts a x", "unset x", "for x in 1; do p in; done", "select x in a; do break; done <<< 1"),
    *("exec {x}> /dev/null", "[[ x -eq x++ ]]", "declare -n q=1x", "declare -n q=x; q=1", "eval x=1"),
]
SHAPES = [
    "{} && p and\np on",
    "if {}; then p yes; else p no $?; fi; p on",
    "{}\np on",
    "(exit 3) || {}; p on",
    "(exit 3) || {}\np on",
    "if (exit 3) || {{ {}; }}; then p yes; else p no $?; fi; p on",
]


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
@pytest.mark.parametrize("options", ["set +e", "set -eE; trap 'p err $?' ERR; trap 'p exit $?' EXIT"])
def test_an_assignment_to_what_is_readonly(options: str, assignment: str) -> None:
    shapes = "\n".join(f"({options}; set -- -a; {shape.format(assignment)}; :); p out $?" for shape in SHAPES)
    assert_same_as_bash(START + shapes)


@pytest.mark.parametrize(
    "fault", ["n=1/0", "n+=a[", "read n <<< 1/0", "mapfile -t n <<< 1/0", "m[1/0]=2", "q=$(n=1/0)", ": ${n:=1/0}"]
)
def test_a_value_that_is_no_number_leaves_an_exit_status_of_an_error(fault: str) -> None:
    assert_same_as_bash(
        f"{START}((exit 3) || {fault}; p on; :); p $?; (exit 3) || {fault}\np $?; (set -e; (exit 3) || {fault}); p $?"
    )


def test_a_condition_in_which_a_text_runs_is_lenient() -> None:
    assert_same_as_bash(
        START
        + "set -e; if eval 'x=1; p never'; then p no; fi; p on; ! source /dev/stdin <<< 'x=1'; eval 'x=1'; p never"
    )
