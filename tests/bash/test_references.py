"""What a nameref stands for: elements, subscripts with variables in them, the turns of a loop; as real bash has it."""

import pytest

from tests.bash.real_bash import assert_same_as_bash, read_script, run_bash

HEAD = "x=1; n=5; declare -A m=([k]=v); l=(a b c)\n"

CASES = r"""
declare -n e='l[1]'; p "${#e}" "$e" "${e[@]}" "${#e[@]}" "${!e}" "${e:0:1}" "${e-un}" "${e:+s}" "${e^^}"
declare -n e='m[k]'; p "${#e}" "$e"; e=q; p "${m[k]}"
declare -n e='l[1]'; e+=q; p "${l[@]}"; unset e; p "${l[@]}"
declare -n e='l[1]'; ((e = 7)); p "${l[@]}"; read e <<< q; p "${l[@]}"; printf -v e r; p "${l[@]}"
declare -n e='l[1]'; [[ -v e ]]; p $?
declare -n e='l[1]'; e[0]=q; p no
declare -n e='l[1]'; e=(1 2); p no
declare -n e='l[1]'; read -a e <<< 'q r'; p "${l[@]}" $?
declare -n e='l[1]'; mapfile e <<< q; p "${l[@]}" $?
declare -n e=l; declare "e[1]=q"; p "${l[@]}" "${e[@]}"
declare -n e=l; declare e[1]=q; p "${l[@]}"
declare -n e=l; declare "e[1]"; p "${l[@]}" "${!e}"
declare -n e=l; declare e=q; p "${l[@]}"
declare -n e='l[1]'; declare "e[1]=q"; p "${l[@]}"
k() { local -n e=l; declare e=q; p "${l[@]}"; }; k; p "${l[@]}"
k() { local -n e=l; declare "e[1]=q"; p "${l[@]}"; }; k; p "${l[@]}"
k() { local -n e='l[1]'; declare e=q; p "${l[@]}"; }; k; p "${l[@]}"
k() { declare "e[1]=q"; p "${e[@]}"; }; declare -n e=l; k; p "${l[@]}"
k=k; declare -n e='m[$k]'; p "${e-un}"; e=q; p "${!m[@]}" "${m[@]}"
k=k; declare -n e='m["$k"]'; p "${e-un}"; e=q; p "${m[@]}"
i=1; declare -n e='l[$i]'; p "$e"; i=2; p "$e"; e=q; p "${l[@]}"; unset e; p "${l[@]}"
i=1; declare -n e='l[${i}]'; p "$e"; e+=q; p "${l[@]}"
i=1; declare -n e='l[i+1]'; p "$e"; e=q; p "${l[@]}"
i=1; declare -n e='y[$i]'; e=q; p "${!y[@]}" "${y[@]}"
u() { declare -n e=$1; local k=zz; e=q; }; k=v; u 'm[$k]'; p "${m[zz]}" "${m[v]-un}"
declare -n e='l[1]'; for e in l x; do p "$e"; done; p "${!e}" "${l[@]}"
declare -n e=x; for e in l n 'm[k]'; do p "$e" "${!e}"; done; p "$x"
declare -n e; for e in 'l[0]' 'm[k]'; do p "$e"; done
declare -n e=x; for e in l 1x n; do p "$e"; done; p "${!e}"
for_each() { local -n r; for r in "$@"; do p "${r[@]}"; done; }; for_each l x; p "$x"
"""


@pytest.mark.parametrize("case", CASES.strip().split("\n"))
def test_as_bash(case: str) -> None:
    assert_same_as_bash(f"{HEAD}{case}; true\np next; true", status=False)


def test_a_subscript_that_a_command_gives_is_not_known() -> None:
    reading = read_script(f"{HEAD}declare -n e='l[$(date)]'; p \"$e\"")
    assert reading.commands[-1].words[1].value is None


OFFSETS = r"""
p "${z:$'1'}" "${z:$'1+1'}" "${z: $'-1'}" "${z:$'1':$'1+1'}" "${z:"1+1"}" ${z:"1"}
p ${z:$'1'}; p no
p "${z:'1'}"; p no
p "${z:$'\x31'}" "${z::$'2'}" "${z:$"1"}" ${z:$"1"}
"""


@pytest.mark.parametrize("case", OFFSETS.strip().split("\n"))
def test_quotes_in_an_offset(case: str) -> None:
    assert_same_as_bash(f"z=abcdef\n{case}\np next", status=False)


def test_an_offset_that_bash_reads_twice_is_not_read() -> None:
    reading = read_script("z=abcdef o=2\np \"${z:$'$o'}\"")
    assert [word.value for word in reading.commands[0].words] == ["p", None]


FIRST = [
    "{\np b\n}",
    "if true; then\np b\nfi",
    "for i in 1; do\np b\ndone",
    "[[ a ]]",
    "((1))",
    "case a in\na) p b;;\nesac",
]


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("head", ["", "# a comment\n\n", "x=1\n"])
def test_the_line_of_a_sourced_file_before_its_first_command(first: str, head: str) -> None:
    scripts = {"inner.sh": f'{head}{first} > "$none"\np c $LINENO\n'}
    for outer in ("\n. ./inner.sh\np end $LINENO\n", "p a; . ./inner.sh\n", "f() {\n\n. ./inner.sh\n}\nset -E\nf\n"):
        assert_same_as_bash(f"trap 'p err $LINENO' ERR\n{outer}", scripts=scripts, status=False)


def test_a_text_that_may_be_empty_may_end_the_script() -> None:
    reading = read_script("trap 'p end' EXIT\nx=$(date)\np \"${x:?none}\"\np after")
    ways = [(command.words[0].shown, command.words[-1].shown, bool(command.scenario)) for command in reading.commands]
    assert ways[1:] == [
        ("p", "end", True),
        ("p", "<unknown: output of `date`>", False),
        ("p", "after", False),
        ("p", "end", False),
    ]
    assert run_bash("trap 'p end' EXIT\nx=$(:)\np \"${x:?none}\"\np after") == ([["p", "end"]], 1)
