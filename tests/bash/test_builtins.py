# ruff: noqa: E501, W291
"""Builtins: our reading equals what real bash would start."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

SCRIPTS = [
    r"""
x=$(echo a; echo b; echo)
p "$x" $x
p "$(printf 'a\n\n\n')" "$(echo -n hi)" "$(echo -e 'a\tb\c' z)" $(echo 'x   y') "`echo \`echo nested\``"
""",
    r"""
eval 'x=1
p "$x"'; eval p a b; c='p "q r"'; eval "$c"; eval -- p c -- d; eval --; $c; eval "f() { p evalf; }"
f; eval
p $?; eval 'return 1' 
p $?
""",
    r"""
p "$(printf '%b|' '\"' '\?' '\1012' '\01012' '\8' '\0' 'a\cb' x)"
printf -v x '%03d-%s' 7 abc
p "$x"
p "$(printf '%s\n' a b c)" "$(printf '%d %x %o %5s|%-5s|' 10 255 8 ab cd)" "$(printf '%q' "a b")" "$(printf '%%')" "$(printf '%b' 'a\tb')" "$(printf '%.2f' 3.14159)" "$(printf '%c' hello)" "$(printf "%s-%s\n" 1 2 3)" "$(printf 'no args %s|')" "$(printf '%5d|%-5d|%+d' 42 42 42)" "$(printf '\x41\101')"
""",
    r"""
while getopts "ab:c" o; do p "$o" "${OPTARG-}" $OPTIND; done
p end
""",
    r"""
set -- -a -b val -cb2 -- rest; while getopts "ab:c" o; do p "$o" "${OPTARG-}" $OPTIND; done; shift $((OPTIND-1))
p "$@"
set -- -x -b; OPTIND=1; while getopts ":ab:" o; do p "$o" "${OPTARG-}"; done
""",
    r"""
A=1 B=2 p x; A=1 f; f() { p "$A"; }; A=5 f; p "${A-un}"; A=7; A=8 p2 $A; p $A; A=9 eval 'p $A'; p $A; IFS=, read a b <<< 1,2; p "$a" "$b"
""",
    r"""
type f >/dev/null && p no
f() { :; }; type f >/dev/null && p yes; command -v f >/dev/null && p cv; command -v nope || p nocv
p "$(command -v f)" "$(type -t f)" "$(type -t if)" "$(type -t cd)"; command p x; builtin echo hi
p $?
""",
    r"""
shopt -s nullglob
p *.none end; shopt -u nullglob
p *.none; shopt -s extglob; x=aab
p ${x##+(a)} ${x/@(a|b)/X}
""",
    r"""
p "$(cd / && pwd)" "$(echo $((1+2)) | { read v; echo "v=$v"; })"; echo a | { read x
p $x; }
p "${x-un}"
printf '1\n2\n3\n' | { while read n; do s=$((s+n)); done
p $s; }
""",
    r"""
while read -r a b; do p "$a" "$b"; done <<EOF
1 x y
2 z

3
EOF
p "$a"
""",
    r"""
set -- a b
f() { set -- c
p "$@"; shift
p $#; }
f x y z
p "$@"; eval "set -- 'q r' s"
p "$@" $#
set -- $(echo 1 2 3)
p $3
set -- "${@:2}"
p "$@"
set -- "$@" new
p "$@"
p "${@:$#}" "${!#}" "${@: -1:1}"
""",
    r"""
printf -v a '%s,' x y z
p "${a%,}"
printf -v 'b[2]' %d 7
p "${b[2]}"
p "$(printf '%s' a b)" "$(printf '[%s]\n' a b)" "$(printf '%d%%' 50)" "$(printf '%05.2f' 3.14159)" "$(printf '%e' 12345.678)" "$(printf '%g' 0.0001)" "$(printf '%i' -5)" "$(printf '%u' -1)" "$(printf '%x' -1)" "$(printf '%#x %#o' 255 8)" "$(printf '%+d % d' 5 5)" "$(printf '%*d' 5 42)" "$(printf '%-*d|' 5 42)" "$(printf '%.*f' 2 1.005)" "$(printf '%5s|%-5s|%.2s' ab cd efg)" "$(printf "%d" "'A")" "$(printf '%d' 0x1f)" "$(printf '%d' 010)" "$(printf '%d' '')" "$(printf '%s')" "$(printf 'a\nb\t\\')" "$(printf '%b' 'x\ny\0101')" "$(printf '%s\n' "a\nb")" "$(printf '%d' abc 2>/dev/null)"
printf '%d' abc 2>/dev/null
p $?
printf
p $?
""",
    r"""
p "$(echo -n a; echo b)" "$(echo -e 'a\tb\\n')" "$(echo -E 'a\tb')" "$(echo 'a\tb')" "$(echo -ne 'x\n\n')" "$(echo -- a)" "$(echo -z a)" "$(echo - a)" "$(echo -e 'a\cb' c)" "$(echo -e '\x41\0101\u0041')" "$(echo)" "$(echo "  a  ")" $(echo "  a  ")
""",
    r"""
cat() { while IFS= read -r l; do p "cat: $l"; done; }; cat <<E
a
b $((1+2))
E
cat <<< "here"; echo x | cat; f() { read a b; p "$b" "$a"; }; echo 1 2 | f; f <<< "3 4"
""",
    r"""
i=0; while true; do i=$((i+1)); if [ $i -eq 3 ]; then continue; fi; [ $i -ge 5 ] && break; p $i; done; while (( i > 0 )); do (( i -= 2 )) || true; p $i; done; until [ "$x" = aaa ]; do x=a$x; done; p $x; n=0; for a in 1 2; do for b in 1 2; do for c in 1 2; do ((n++)); [ $n = 3 ] && break 2; done; done; done; p $n; while read -r l; do [ "$l" = q ] && break; p $l; done <<< $'x\nq\ny'
""",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_as_bash(script: str) -> None:
    assert_same_as_bash(script)
