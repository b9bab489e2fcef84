# ruff: noqa: E501
"""Every form of `${...}`: our reading equals what real bash would start."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

SCRIPTS = [
    r"""
x=1; y=2
p $x{1,2} {$x,y} ${x}{a,b} {1..3..0} {1..-3..2} +{1,2} a=b{1,2} {a,b\,c} {+1..3} {0..03} {00..3} {-5..-05..-2}
""",
    r'''
set --; x=
p "$x$@"
p ""$@
p "$@"
p "$@"""
p "a$@"
p "${@}${x}"
p $x"$@"
p "$*"
p $*
p "${x}$*"
''',
    r"""
x="a b  c"
p $x "$x" ${x} ${x// /_} ${x/b/X} ${x#a} ${x##* } ${x%c} ${x%% *} ${#x} ${x:2} ${x:0:3} ${x: -1} ${x:(-3):2} ${x:1:-1}
""",
    r"""
x=hello
p ${x^} ${x^^} ${x^^[el]} ${x/l/L} ${x//l/L} ${x/#he/HE} ${x/%lo/LO} ${x//l} ${x/l} ${x/%} ${x/#/pre} ${x/%/post} "${x//?/[&]}" "${x//l/\&}"; y=HELLO
p ${y,} ${y,,} ${y~} ${y~~} ${y,,[L]}
""",
    r"""
p ${u-d} ${u:-d e} "${u:-d e}" ${u:-"d e"} "${u:-"d e"}" "${u:-'d e'}" ${u:-'d e'} ${u+x} ${u:+x}; e=
p ${e-d} ${e:-d} ${e+x} ${e:+x} "${e}" $e "${e+}" ${u=asg} $u ${e:=new} $e
""",
    r"""
echo ${x:?msg}
p no
""",
    r"""
x=abc; p "${x:1:1}" "${x:0}" "${x:3}" "${x:4}" "${x: -5}" "${x:0:-1}" "${x:1:0}"; p ${x:2:-2}; p end
p $?
""",
    r"""
v=x
p "${v:+"quoted $v"}" ${v:+a b} "${v:+a b}" ${v:+"a b"} ${v:+'$v'} "${v:+'$v'}"
""",
    r"""
IFS=' :'; x=' a : b::c '
p $x; IFS=:; x=:a::b:
p $x; IFS=; x='a b'
p $x; unset IFS
p $x; IFS=$'\n'; x=$'l 1\nl 2\n\nl3'
p $x; IFS=x; y=axbxxc
p $y "$y" ${y}; IFS='x '; y=' axb x c x'
p $y
""",
    r"""
x=foo.tar.gz
p ${x%.*} ${x%%.*} ${x#*.} ${x##*.} ${x%.[a-z]*} ${x/./_} ${x//./_} ${x/#foo/bar} ${x/%gz/xz} ${x%nomatch} ${x#f?o} "${x%.gz}.zip" ${x/[.]/} ${x//[!a-z]/-}
""",
    r"""
x='a b'; y="${x:-"q r"}"
p "$y"; z=${u:-$x}
p "$z"
p ${u:-$x} "${u:-$x}" ${u:-"$x"} "${u:-"$x"}"
p "${u:-a\"b}" "${u:-\$x}" "${u:-a}b}"
p ${u:-a\}b} ${u:-'}'} "${u:-'}'}"
""",
    r"""
p "${u:-"a  b"}" ${u-} "${u-}" ${u-""} ${u:-""}x "$u"$u ""$u '' $u"" "${u:-}"${u:-}
""",
    r"""
set -- 1 2 3; while [ $# -gt 0 ]; do case "$1" in 2) p two; shift;; *) p other $1; shift;; esac; done
p $#
set -- --a=b -c d e --; while [[ $# -gt 0 ]]; do case $1 in --a=*) p "${1#*=}";; -c) p "$2"; shift;; --) p dd;; *) p rest $1;; esac; shift; done
""",
    r"""
p ${x:0:${#x}}; x=abcdef
p ${x:$((1+1)):2} ${x:1+1} ${x:i:2} ${x: -3:2} ${x:(-3)} ${x:0:${#x}-1} ${x::2} ${x:2:} "${x:$u}" ${x:1?2:3}
""",
    r"""
for f in *.none a*.x "*.q"; do p "$f"; done
for i in {1..3} {a..c}; do p $i; done
for ((i=0, n=3; i<n; ++i)) { p $i; }
for x in; do p no; done
p "${x-unset}"
""",
    r"""
p "${x:-$(echo sub)}" ${x:-`echo bt`} "${x:-$((1+1))}" "${x:-${y:-${z:-end}}}" "${x:=$(echo as)}" "$x" "${x/$(echo a)/$(echo b)}" "${x:$((0)):$(echo 1)}" "${x#"$(echo a)"}"
""",
    r"""
p "$((1 + $(echo 2)))" $(( ${x:-3} * 2 )) $(( $(echo 1)$(echo 2) + 1 )) $((`echo 4`)) "$(($((1+1))+1))" $(( "3" + 4 )) $(( x[0] + 1 )) $(( ${#y} )) $((
2
))
""",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_as_bash(script: str) -> None:
    assert_same_as_bash(script)
