# ruff: noqa: E501, W291
"""`set -e`, `set -u`, `set -o pipefail` and traps: our reading equals what real bash would start."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

SCRIPTS = [
    "set -xeuo pipefail\r\np never\r\n",
    r"""
set -o nothing; p $- $?
set -uo nothing -f; p $- $?
set -f -Q a || p $- "$@" $?
set -fo nothing a || p $- "$@" $?
set -oe pipefail a; p $- "$@"
set +e -o -x; p $-
set -e -o nothing
p never
""",
    r"""
set -e
p a
false || p b; ! true; if false; then :
fi
f() { false
p inf; }
f || p c
f && p d; x=$(false; echo hi)
p "$x"; y=$(false)
p never
""",
    r"""
set -e; { false && true; }
p g; (false && true) || p subor
for i in 1; do false && true; done
p before
g() { false && true; }; trap 'p trap $?' EXIT
g
p never
""",
    r"""
set -u
p ${x-ok}
p "${a[@]}"
p "$@"
f() { p $zz
p inf; }; (f
p x)
p here $?
f || p or
p end
""",
    r"""
set -o pipefail
false | true
p $?; true | false
p $?
false | true | (exit 3) | true
p $? 
set +o pipefail
false | true
p $? ; true | (exit 4)
p $? ${PIPESTATUS[@]}
""",
    r"""
trap 'p bye' EXIT
p hi; exit 3
""",
    r"""
set -- "$@" a
set - b
p "$@"
set -x
set +x -- c d
p "$@"
set -- 
p $#
set -o noglob
p *
set +f
set -eu
p "$-"
""",
    r"""
set -e; x=$(false) || p or; local_() { local x=$(false)
p ok; }; local_; export y=$(false)
p exp; z=$(false)
p never
""",
    r"""
set -e; ( false
p no ) || p a; (false)
p never
""",
    r"""
set -e
false & wait
p bg; [[ a == b ]] || p t; ((0)) || p ar; [[ a == b ]]
p never
""",
    r"""
set -e; ((0))
p never
""",
    r"""
set -eo pipefail; true | true
p 1
false | true
p never
""",
    r"""
set -e
f() { return 1; }; ! f
p neg
f && p x
p y
f
p never
""",
    r"""
set -e; trap 'p err $?' ERR; trap 'p ex $?' EXIT
p a
false
p never
""",
    r"""
trap 'p ex' EXIT; (p sub); (trap 'p subex' EXIT
p in)
p "$(trap 'echo cs' EXIT; echo o)"
p end
""",
    r"""
trap "p bye \$x" EXIT; x=5
f() { x=6; exit 4; }
f
""",
    r"""
[[ 08 -eq 8 ]]
p $?; [[ 1+1 -eq 2 ]] && p 1; y=3; [[ y -gt 2 ]] && p 2; [[ $u -eq 0 ]] && p 3; [[ abc < abd && b > a ]] && p 4; [[ -n $u || ( 1 -eq 1 && ! 2 -eq 3 ) ]] && p 5; [[ x ]] && p 6; [[ ! $u ]] && p 7; [[ "" ]] || p 8; [[ a = a ]] && p 9; [[ $u == "" ]] && p 10; [[ a == [[:alpha:]] ]] && p 11; [[ 'a b' == *' '* ]] && p 12; [[ -o errexit ]] || p 13
set -e; [[ -o errexit ]] && p 14
""",
    r"""
trap 'p int' INT; trap 'p exit1' EXIT; trap 'p exit2' EXIT
f() { trap 'p exit3' EXIT; }
f
p x; (exit 5)
p $?; exit 7
""",
    r"""
set -u
p "${a-}" "${a:-d}" "${a+x}" "${#}" "$#" "$*" "$@" "${@}" "${b[@]}" "${b[*]}"
p "${#b[@]}"; a=
p "$a"; (p ${c})
p $?; (p ${#c})
p $?; (p ${c#x})
p $?; (p $((c+1)))
p $?; (p ${d[0]})
p $?; (p $1)
p $?; (p ${c:1})
p $?; (p ${!c})
p $?
p "${c:=new}" "$c"; unset c
p $c
p never
""",
    r"""
set -eu
f() { local x=${1:?need arg}
p "$x"; }
f a; (f) || p "failed"; x=$(f) || p "sub $?"; : "${HOME:?}"
p ok; : ${nope?}
p never
""",
    r"""
set -e
f() { if [ "$1" = x ]; then return 0
fi; [ "$1" = y ] && p y; }
f x
f y
p before
f z
p never
""",
    r"""
set -e; shopt -s inherit_errexit; x=$(false; echo hi)
p never
""",
    r"""
set -e; x=$(set -e
false; echo hi) || p or
p "[$x]"; y=$( (exit 3) )
p never
""",
    r"""
set -e; (set +e
false
p a)
p b
set +e
false
p c
set -e; { set +e
false
p d
set -e; }
p e; eval 'false || true'
p f; eval 'false'
p never
""",
    r"""
trap 'p err' ERR
f() { false; return 0; }
f
set -e
g() { false
p no; }
g || p or
p x
false
""",
    r"""
f() { trap 'p inner' EXIT; exit 2; }; (f)
p $?; x=$(trap 'echo bye' EXIT; echo hi; exit 3)
p "$x" $?; trap 'p a; exit 9' EXIT; exit 1
""",
    r"""
trap 'x=1
p $x $?' EXIT; trap - EXIT; trap 'p done' 0; trap '' INT; { (exit 4)
p $?; }
f() { exit $1; }
f 6
""",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_as_bash(script: str) -> None:
    assert_same_as_bash(script)
