"""Traps that run between commands, pipelines whose end runs in this shell, and coprocesses: as in real bash."""

import pytest

from tests.bash.real_bash import assert_same_as_bash, read_script
from tests.bash.real_programs import read_starts, really_started

DEBUG = "trap 'trainer debug $LINENO' DEBUG\n"
ERR = "trap 'trainer err $LINENO $?' ERR\n"
RETURN = "trap 'trainer return $LINENO $? ${FUNCNAME-none}' RETURN\n"


@pytest.mark.parametrize(
    "script",
    [
        f"{DEBUG}a=1\ntrainer x\n:; :\n[[ -n x ]]\n((1 + 1))\ncase x in x) : ;; esac",
        f"{DEBUG}for i in 1 2; do\n:\ndone\nfor ((i = 0; i < 2; i++)); do\n:; done",
        f"{DEBUG}if true; then :; fi\nwhile false; do :; done\n{{ :; }}\n! true && :",
        f"f() {{\n:\ntrainer in f\n}}\n{DEBUG}f\n(:)\nx=$(trainer sub)\n: | :",
        f"f() {{\n:\ntrainer in f\n}}\nset -T\n{DEBUG}f\n(:)\nx=$(trainer sub)\n",
        f"f() {{\n{DEBUG}:\n}}\nf\n:\n",
        f"f() {{ :; }}\n{DEBUG}g() {{ f; }}\ng\ntrap - DEBUG\ng",
        "trap 'false; trainer $?' DEBUG\nfalse\ntrainer $?",
        "trap 'exit 3' DEBUG\ntrainer never",
        "trap 'exit 3' DEBUG\ntrainer never &\nwait",
        *(
            f"set -e\nn=0\ntrap 'n=$((n + 1)); ((n < {count}))' DEBUG\n{loop}\ntrainer $n"
            for count in (1, 2, 3, 4, 5)
            for loop in (
                "select v in a b; do trainer $v; break; done <<< 1",
                "for ((i = 0; i < 2; i++)); do trainer $i; done",
                "for v in a b; do trainer $v; done",
                "f() { trainer in; }\nf",
            )
        ),
        f"{ERR}false\n! true\nfalse || :\nif false; then :; fi\n(exit 3)\nfalse | true\ntrue | false",
        f"{ERR}f() {{ false; :; }}\nf\nset -E\nf\n(false; :)\nx=$(false; trainer sub)",
        f"f() {{\n{ERR}false\n}}\nf\nfalse",
        f"{ERR}set -e\nfalse\ntrainer never",
        "trap 'trainer err; false' ERR\nfalse\ntrainer $?",
        f"{RETURN}f() {{ :; }}\nf\nset -T\nf\ng() {{ f; return 3; }}\ng\ntrainer $?",
        f"f() {{ {RETURN} return 4\n}}\nf\ng() {{ :; }}\ng",
        f"set -T\n{RETURN}f() {{ local x=1; trap 'trainer $x' RETURN; }}\nf",
        f"{DEBUG}{ERR}{RETURN}set -ET\nf() {{ false; }}\nf",
        "trap 'trainer one' EXIT\ntrap 'trainer two' EXIT\n(trap 'trainer sub' EXIT)\ntrainer x",
        "trap 'trainer exit $?; exit 5' EXIT\nexit 3",
        "f() { trap 'trainer in f' EXIT; }\nf\ntrainer x",
        "trap 'trainer bye $?' EXIT\n: | trainer $((1/0))\n: | declare -i n=1/0\n: | eval ': $((1/0))'\ntrainer on\n:",
        "trap 'trainer bye $?' EXIT\n: | trainer ${x?}\n: | : > $((1/0))\n: | > $((1/0))\n: | n=$((1/0))\ntrainer y\n:",
        "trap 'trainer bye $?' EXIT\ntrainer $((1/0)) & wait\n: > $((1/0)) & wait\ntrainer on\n:",
        "trap 'trainer never' EXIT\ntrap - EXIT\ntrap '' ERR\nfalse",
        "eval 'trainer $LINENO\ntrainer $LINENO'\ntrainer $LINENO",
        "trap 'trainer at $LINENO' EXIT\n\n:",
        "trap 'trainer d $LINENO' DEBUG\ntrap 'trainer bye' EXIT\n:",
        "trap 'trainer err $LINENO' ERR\n(\n:\nfalse\n)\n:",
        "echo 'trainer in $LINENO; g() { :; }; g' > f\n" + RETURN + ". ./f\nset -T\n. ./f",
        "echo 'trainer in $LINENO' > f\n" + DEBUG + ". ./f\nset -T\n. ./f",
        "shopt -s lastpipe\necho a b | read x y\ntrainer $x $y",
        "shopt -s lastpipe\nprintf '1\\n2\\n' | while read n; do last=$n; done\ntrainer $last",
        "shopt -s lastpipe\nset -o pipefail\nfalse | { z=1; true; }\ntrainer $? ${PIPESTATUS[@]} $z",
        "shopt -s lastpipe\n(echo 1 | read v; trainer $v)\nshopt -u lastpipe\necho 2 | read v\ntrainer $v",
        'shopt -s lastpipe\nset -m\necho a | read w\ntrainer "$w"',
        "shopt -s lastpipe\necho x | (read v; trainer $v)\ntrainer ${v-none}\ntrue | exit 3\ntrainer never",
        "coproc trainer x\nwait\ntrainer y",
        "coproc NAME { trainer in; }\nwait\ntrainer after",
        "(exec trainer 1; trainer never); trainer 2; exec trainer 3",
        "f() { exec trainer 1; }; (f; trainer never); trainer 2",
        "trainer a & trainer b & wait\ntrainer c",
        "{ trainer a; trap 'trainer bye' EXIT; } &\nwait\ntrainer $?",
    ],
)
def test_as_in_real_bash(script: str) -> None:
    expected = really_started(script, ())
    starts = read_starts(script)
    if "&" in script or "coproc" in script:
        assert sorted(map(str, starts)) == sorted(map(str, expected))
    else:
        assert starts == expected


@pytest.mark.parametrize(
    "script",
    [
        "exec 3>&1 >/dev/null; run 1; exec >&3 3>&-; run 2; exec < /dev/null; read x || run $?",
        "exec 3<<< 'a b'; read x y <&3; run $y; exec 3<&-",
    ],
)
def test_exec(script: str) -> None:
    assert_same_as_bash(script)


def test_a_trap_may_start_a_launch() -> None:
    assert [start.words for start in read_starts("trap 'trainer last' EXIT\nexit 1")] == [("last",)]


def test_the_text_of_the_command_is_not_known() -> None:
    starts = read_starts("trap 'trainer \"$BASH_COMMAND\"' DEBUG\n:")
    assert [start.words for start in starts] == [("<unknown: value of $BASH_COMMAND>",)]


def test_what_a_program_writes_may_be_nothing() -> None:
    reading = read_script("ask > f; [ -s f ]; p $?")
    assert reading.commands[-1].words[1].value is None
