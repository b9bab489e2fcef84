"""`$@`, `$*` and arrays beside other text: where words end, whatever IFS is."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

HEAD = "set -- a 'b c' ''\nl=(one 'two 2' three) e=('') s='x y:z' u2=\nunset u\n"

WORDS = {
    "a slice with a star beside another list is split": 'p "${l[*]:0:2}${l[@]}"',
    "a list and a list in the word of an expansion": 'IFS=:; p ${s+"$@"$@}',
    "a list that is joined and split again": "IFS=:; p ${u-$*} ${u-$@} ${u:-${l[@]}}",
    "an edited list while IFS is empty": "IFS=; p ${l[*]/o/0} ${*^} $*",
    "a count beside a list": 'IFS=1; p "$((12))$@" "${#l[@]}$*"',
    "a colon in the word of an expansion beside a list": 'IFS=:; p "${l[@]}${u-a:b c}"',
    "no parameters at all": 'set --; p "$@" "x$@" "$@"\'\' "${u-$@}" ${s+"$@"} "$*"',
    "keys and names of variables": 'xa=1 xb=2; IFS=:; p "${!l[*]}" ${!l[@]} "${!x*}" "${!x@}" ${!x*}',
    "by another name": 'r="l[@]" t="l[*]"; IFS=:; p "${!r}" "${!t}" ${!t}',
    "a scalar as a list": 'p "${s[@]}" "${s[*]:2}" "${s[@]^}"',
    "a list in a pattern and in a replacement": 'p "${s#"$@"}" "${s/y/"${l[@]}"}" ${s/y/$*}',
}
TEXTS = {
    "a case subject with an empty last argument": 'case "$@" in "a b c ") p same ;; *) p other ;; esac',
    "a case subject while IFS is empty": "IFS=; case ${u-$*} in ab*) p joined ;; *) p apart ;; esac",
    "a list as a pattern is its first word": 'case a in "$@") p first ;; *) p none ;; esac',
    "empty quotes beside other text in a pattern": 'case "a b" in ${u-""}"a b") p same ;; *) p other ;; esac',
    "a list in a test": 'IFS=:; if [[ $* == "a b c " ]]; then p spaces; else p other; fi',
    "an assignment": 'IFS=:; v=$@ w=$* x="$*" y=${l[@]} z=${l[*]#o}; p "$v" "$w" "$x" "$y" "$z"',
    "an argument of declare": 'IFS=:; declare v=$@ w=$* x=${l[*]}; p "$v" "$w" "$x"',
    "a key and a value of an associative array": 'declare -A d; IFS=:; d=([$*]=$@ [x:~]=~:$s); p "${d[@]}" "${!d[@]}"',
    "a here-document and a here-string": 'IFS=:; read -r v <<E\n$*${l[*]}${u-$@}\nE\np "$v"; read -r v <<<$*; p "$v"',
}
TILDES = {
    "before a colon, what follows is taken as it is": 'p ~:$s ~:x/$s ~:"$s"',
    "in an array": 'l=(~ x=~ ~/a:~ "~"); p "${l[@]}"',
    "in the word of an expansion that is assigned": 'v=${u-a:~}:~/b; p "$v"',
}


@pytest.mark.parametrize("command", WORDS.values(), ids=WORDS)
def test_words(command: str) -> None:
    assert_same_as_bash(HEAD + command)


@pytest.mark.parametrize("command", TEXTS.values(), ids=TEXTS)
def test_texts(command: str) -> None:
    assert_same_as_bash(HEAD + command)


@pytest.mark.parametrize("command", TILDES.values(), ids=TILDES)
def test_tildes(command: str) -> None:
    assert_same_as_bash(HEAD + command)
