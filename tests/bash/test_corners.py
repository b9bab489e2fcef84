# ruff: noqa: E501
"""Corners of bash that generated programs once found us wrong about."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

SCRIPTS = {
    "a name continues behind a brace": "x=1 x1=2 xa=3; p $x{1,a} ${x}{1,a}",
    "braces in an argument of declare": "arr=(one 'two  w'); declare y=1{1,}${arr[@]:1:1}; p $y",
    "a backslash from a letter range": "p {Z..a}",
    "status of a fallen-through item": "case a in a) false;;& b) p no;; esac; p $?",
    "status without a matching item": "false; case a in b) ;; esac; p $?",
    "status of an assignment": 'f() { return 1; }; f; u="$(false)"; p $?; f; u=1; p $?; f; u=$(true)$(false) v=2; p $?',
    "negative length of an empty array": 'unset a; p "[${a[@]:0:-1}]" $?',
    "signs after a number": "n=2; p $((9+++n)) $n $((n++ + n)) $((n---1)) $((- -n)) $((5--2))",
    "edited lists in an assignment": 'IFS=x; a=(b c); v="${a[@]:0}"; p "$v"; v="${!a[@]}"; p "$v"; v="${a[@]}"; p "$v"',
    "edited lists in a here-string": 'IFS=x; a=(b c); IFS= read -r v <<< "${a[@]^}"; p "$v"',
    "a default that is assigned": 'set -- p q; IFS=; p ${u=$*} "$u"',
    "patterns are expanded once": 'n=0; case x in "$((n++))") ;; *) ;; esac; p $n',
    "an empty list in quotes": 'set --; x=; p "$x$@"; p ""$@; p "a$@"; p "${@}${x}"; p "$@"""',
    "lists and separators": 'set -- a \'\' b; IFS=:; p $*; p $@; p "$*"; v=$*; p "$v"; v=$@; p "$v"',
    "keys of an associative array": 'declare -A m; for k in {a..z} é "x y" {1..30}; do m[$k]=1; done; p "${!m[@]}"',
    "lengths of arrays under nounset": "set -u\np ${#b[@]}; p same\np $? ${#@}\np ${#b}\np no",
    "an edited list joined unquoted": 'IFS=:; a=(x y); read -r v <<< ${a[@]/%x/z}; p $v; v=${a[@]%x}; p "$v"',
    "an index before the first": 'a=(1 2); p "[${a[-3]}]" $?; a[-5]=x; p same\np $?',
    "a backslash at the end of a string": "eval 'p a\\\\'; eval 'p a \\\\'",
    "an empty key": 'declare -A m; m[""]=1; p same\np $?; declare -A q=([""]=1 [b]=2); p $? "${q[@]}"',
    "elements under nounset": "set -u; a=; b=(1); p $((a[1])) $((b[3])); (p $((zz[1]))); p $?",
    "words behind a brace in declare": "arr=(a b); declare y=${!arr[@]}{1,2}; p $? $y",
    "ambiguous redirections": 'p a > $u; p $?; p b > ""; p $?; x="c d"; p e > $x; p f > "$x"; { p g; } > $u; p $?',
    "locals are expanded before they are made": 'f() { local a=1 b=$a; p "[$b]"; local c=("${c[@]}" 2); p "${c[@]}"; }; c=(1); f',
    "an error discards the line": "p $((1/0)); p same\np next $?",
    "an error discards the function and its caller": "f() { p $((1/0)); p in; }\nf; p same\np next $?",
    "a trap sees the status": "trap 'p trap $?; exit 9' EXIT; exit 3",
    "a condition around a substitution": 'set -e; x=$(set -e; false; echo hi) || p or; p "[$x]"',
    "lengths under nounset": "set -u; a=(); p ${#a[@]}; (p ${#b[@]}); p $?; p ${#c}",
    "elements read into": "read 'a[7]' <<< r; p ${a[7]} ${!a[@]}; printf -v 'a[3]' q; p ${!a[@]}",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_as_bash(name: str) -> None:
    assert_same_as_bash(SCRIPTS[name])


@pytest.mark.parametrize("script", ["p a\\", "p a \\", "p a \\\n\\", "p a\\\\"])
def test_a_backslash_at_the_end_of_the_file(script: str) -> None:
    assert_same_as_bash(script)
