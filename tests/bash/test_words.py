# ruff: noqa: E501, W291
"""Words: braces, quoting, tilde, splitting, file name patterns: our reading equals what real bash would start."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

SCRIPTS = [
    r"""
p {a,b}c{d,e} {1..3} {01..10..3} {a,b{1,2}} {a} {} {a,} x{,y}z {1..a} {a..e..2} {5..1..2} "{a,b}" {"a,b",c} {a,b}{ {a,{b,c}}} {{a,b} a{b,c}d}e {-01..2} {001..-3} {a..C} {,} {{a},b} {a,b}}
""",
    r"""
p a{b,c{d,e}f,g}h {,a}{,b} {a,{b},c} {a{b,c}
""",
    r"""
p {z..w..-2} {1..10..4} {1..1} {3..1..-1} {0x1..3} {1..2..x} {a..3}
""",
    r"""
IFS=:; v=1
p a:$v
set -- a '' b
p $*
p $@
p "$*"; y=$*
p "$y"; y=$@
p "$y"; y="$@"
p "$y"
p x$@y "x$@y"
""",
    r"""
set -- a '' b; IFS=
p $*; y=$*
p "[$y]"
p $@ "$*"; unset IFS
p $* "$*"
""",
    r"""
p [a-z] *.nope ? [abc "*" \* a*b x=[1,2] key=['a','b'] 
set -f
p *
""",
    r"""
x=5; x+=6; p $x; declare -i n=3; n+=4; p $n; n=2*3; p $n; a=x; a+=y; p $a; declare -u U=abc; p $U; declare -l L=ABC; p $L; readonly R=1; R=2; p no
p after $?
""",
    r"""
select x in a b; do p "$x"; break; done
p end
""",
    r"""
declare -a q='(1 2 "3 4")'
p "$(declare -p q)"
""",
    r"""
set -f
set -- a*b
p $1
set +f; x='*'
p "$x" $x '*' \*
""",
    r"""
x='a b'
set -- $x
p $# "$1"
set -- "$x"
p $#
set -- '' a
p $# "$1"
set --
p $#; x=
set -- $x
p $#
set -- "$x"
p $#
""",
    r"""
p \
 a \
 b; p a#b '#c' \#d # comment
p x;p y # c
p "multi
line"; p 'single
quoted'; p a;
: <<'C'
ignored $(p no)
C
p end
""",
    r"""
source lib.sh
p after; . ./lib.sh arg1
""",
    r"""
a=$'tab\there'
p "$a" $a; b='a
b'
p "$b" $b; IFS=$'\t'
p $a; IFS=
p $b; unset IFS; c=" lead trail "
p "$c" $c "[$c]" [$c]; d=$c
p "$d"
""",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_as_bash(script: str) -> None:
    assert_same_as_bash(script)
