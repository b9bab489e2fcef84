"""`break` and `continue` where bash itself does not know well in which loop it is."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

RULES = {
    "a menu without items is never left": "trap 'p exit' EXIT; select v in; do :; done; "
    "for v in 1; do continue 2; done; p never",
    "a menu without items in a function is": "trap 'p exit' EXIT; f() { select v in; do :; done; }; f; "
    "for v in 1; do continue 2; done; p on",
    "a menu without items in a text is": "eval 'select v in; do :; done'; break; p on",
    "who looks for the end of a loop runs no trap": "(trap 'p exit' EXIT; select v in; do :; done; break); p on",
    "a loop whose first expression fails is never left": "for ((1=;;)); do :; done; p $?; break; p never",
    "one whose other expressions fail is": "for ((i = 0; 1/0; )); do :; done; break; p on; "
    "for ((; ; i=)); do p $i; done; break; p on",
    "an error forgets all loops": "select v in; do :; done; p $((1/0))\nbreak; p on",
    "an error in a text forgets that its loops are left": "for w in 1 2; do eval 'for v in 1; do p $((1/0)); done\n"
    "p in; break 2; p never'; p never; done; p never",
    "a substitution is in the loop around it": "for v in 1 2; do x=$(echo a; for w in 1 2; do break 2; done; echo b); "
    'p "$x" $?; done; for v in 1; do p `echo a; continue; echo b`; read x < <(break; echo a); p "$x" $?; done',
    "other subshells are not": "for v in 1 2; do (break; p a); { break; p b; } | :; { break; p c; } & wait; done; p on",
    "a substitution that leaves its loop has its status": "for v in 1; do x=$(break 0; echo b); p $?; "
    "x=$(break x; echo b); p $?; x=$(trap 'echo exit' EXIT; false; break; echo b); p \"$x\" $?; done",
    "the words of a loop are in it": "for v in $(break; echo a) b; do p $v; done; "
    "select v in $(break; echo a) b; do p $v; break; done <<< 1; "
    "for ((i = $(break; echo 3)1; i < 3; i++)); do p $i; done",
    "the trap of a process that ends in a loop is in it": "trap 'p a; break; p exit' EXIT; f() { exit; }; "
    "(trap 'break; p b' EXIT; for v in 1; do exit; done); for v in 1; do (trap 'break; p c' EXIT; f); done; "
    "for v in 1; do x=$(trap 'break; echo d' EXIT; exit); p x$x; done; "
    "x=$(trap 'break; echo e' EXIT; for v in 1; do exit; done); p x$x; "
    "(trap 'break; p f' EXIT; set -u; for v in 1; do p $none; done); while exit 3; do :; done",
    "the trap before each turn is in its loop": "trap 'break; p trap' DEBUG; for v in 1 2; do p x; done; p on",
}


@pytest.mark.parametrize("script", RULES.values(), ids=RULES)
def test_is_read_as_bash_runs_it(script: str) -> None:
    assert_same_as_bash(script)
