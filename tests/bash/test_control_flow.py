"""Lists, loops and pipelines: our reading equals what real bash would start."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

SCRIPTS = [
    r"""
set -- "a b" c
p $@
p "$@"
p "x$@y"
p x$@y
p $*
p "x$*y"
for i; do p "$i"; done; shift
p "$#" "$1"; shift 5
p "$?" "$#"
""",
    r"""
for i in 1 2 3; do [ $i = 2 ] && continue
p $i; done
for i in 1 2 3; do for j in a b; do [ $j = b ] && continue 2; [ $i = 3 ] && break 2
p $i$j; done; done
p end $i $j
""",
    r"""
i=0; while [ $i -lt 3 ]; do p $i; i=$((i+1)); done; until (( i == 0 )); do ((i--)); done
p $i
for ((k=0;k<3;k++)); do p $k; done; while :; do ((i++ > 4)) && break; done
p $i
""",
    r"""
x='a b'; y=$x
p "$y"; z=$x$x
p $z; w="$x"'$x'\$x
p "$w"; q=`echo "$x"`
p "$q"; case $x in "a b") p m;; esac
for i in $x; do p $i; done
for i in "$x"; do p "$i"; done
""",
    r"""
for ((i=0,j=10;i<j;i+=3,j-=2)); do p $i $j; done
for ((;;)); do break; done
for ((i=3;i--;)); do p $i; done
""",
    r"""
x=a; case $x in a) ;; esac
p $?; case $x in b) false;; esac
p $?; if false; then :
fi
p $?; while false; do :; done
p $?
for i in; do :; done
p $?
""",
    r"""
false; x=1
p $?; x=$(false)
p $?; x=$(false) y=$(true)
p $?
false; :
p $?
false; { p $?; }
false || p $?; ! false
p $?; ! true
p $?
""",
    r"""
exec 3>&1
p hi >&3; exec 3>&-
p x 2>/dev/null >out; cat < /dev/null
p end; { p g; } > f2; while :; do p w; break; done < /dev/null
""",
    r"""
x=10; while ((x-->7)); do p $x; done; until ((x>=9)); do ((x+=2))
p $x; done
for x in a b; do for y in 1 2; do [[ $y == 2 ]] && continue 2
p $x$y; done; done; i=0; while true; do ((++i==3)) && break; case $i in 1) continue;; esac
p $i; done
p end
""",
    r"""
set -- a b c
for x in "$@"; do shift
p "$x" $#; done
for x; do p no; done
for x in $(seq_ 3) lit; do p $x; done
for i in 1 2 3; do i=9
p $i; done
p $i
""",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_as_bash(script: str) -> None:
    assert_same_as_bash(script)
