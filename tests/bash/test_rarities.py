"""What random programs found: rules of bash that few scripts meet, each as bash has it."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

BRACES = {
    "in double quotes inside an expansion": 'p "${u:-"{a,b}"}" "x${u:-"{1..3}"}y"',
    "a brace closes only what has a comma": "p {abc},d} {a\\,b}\\{a,b} {a..{b,c}} {},x} x{}{a,b}",
    "no tilde behind = once braces were expanded": "p a=~/{b,c} a=~/{b}; declare v=b:~/{a..b}; p $v",
    "an element with braces is no assignment": "l=([1]={a,b} [3]=c); p ${!l[@]} ${l[@]}",
}
PATTERNS = {
    "an empty match is replaced, too": "shopt -s extglob; p ${a//*(x)/-} ${a/*(q)/-} ${a//?(o)/<&>} ${u//*/x}",
    "a bracket alone is no pattern": "shopt -s nullglob; [ x ] && p yes [ a[",
    "letters whose other case is longer": "declare -u v=ﬁß; declare -c w=$u'xY'Z; p $v $w; declare -lu x=Ab; p $x",
}
ARRAYS = {
    "all elements are expanded before the first subscript": "i=1; l=([i++]=$i [i++]=$i); p ${!l[@]} ${l[@]}",
    "a bad subscript loses its element only": "l=([-9]=x y); p ${l[@]}",
    "an element of a map sees the ones before it": "declare -A d=([k]=1); d+=([k]=2 [m]=${d[k]}); p ${d[m]}",
    "quotes in a subscript": 'l=(a b); p ${l["1"]}; p "${l[\'1\']}"\np next',
    "a map is asked for the key @": "declare -A d=([k]=v); [[ -v d[@] ]] || p no; [[ -v d[k] ]] && p one",
    "a nameref that is set again": "declare -n r=a; declare -n r=b; b=2; p $r",
    "the whole list as a statement": 'set -- a "b c"; p "${*@A}" "${@@A}"; m=(); p "${m[@]@A}"',
    "a word with brackets over blanks": "l=([a b] c); p ${#l[@]}",
}
ERRORS = {
    "a bad substitution loses its line": "p ${x!}; p same line\np next",
    "what is assigned before an error stays": "((a = 5, b = 'x')); p $a",
    "under set -e some errors end the script": "l=(); set -e; if p ${l[-1]}; then p yes; fi; p end",
    "a break that is no number": "for i in 1 2; do continue 1/0; done; p never",
    "a break of no loops under set -e": "( set -e; for i in 1; do break 0; done; p never ); p $?",
    "a text that is not bash": "eval 'if'; p $?",
    "nothing behind an exclamation mark": "!\np $?",
    "set -e inside of what is negated": "! { set -e; false; p never; }; p never",
}
OTHERS = {
    "local options": "g() { local -; set -f; p $-; }; g; p $-",
    "a name that goes on behind a line continuation": 'ab=1 a=2; p $a\\\nb "$a\\\nb"',
    "an assignment cut by a continuation": "p a\\\nb=~",
    "an escaped quote in the word of an expansion": 'p "${u:-\\\'x}" "${u:-it\\\'s}"',
    "a source that returns": "source <(echo 'p $1; return 3') arg; p $?; . /dev/stdin <<< 'p in'",
    "the states of a pipeline": 'false | true; p "${PIPESTATUS[@]}"; ! [[ x ]]; p $PIPESTATUS; { true | false; }',
    "the number of characters so far": "printf -v v 'ab%nc' n; p $v $n; printf -v v '%#o' 0 8; p $v",
    "printf counts bytes": 'printf -v v "%5s|%.2s|%3c" é aé ""; p "$v"',
    "a tilde in a pattern": 'p "${HOME/~/x}" "${HOME/#~/x}" "${HOME#~}"',
    "a subscript is expanded once": "i=0; declare l[1]=$((++i)); p $i ${l[1]}; IFS=-; p ${l[@]@A}",
    "a here-document that the file ends": "read -r v <<E\nlast",
}
KINDS = BRACES | PATTERNS | ARRAYS | ERRORS | OTHERS


@pytest.mark.parametrize("script", KINDS.values(), ids=KINDS)
def test_is_read_as_bash_runs_it(script: str) -> None:
    assert_same_as_bash("a=foo\n" + script)
