# ruff: noqa: E501
"""Functions and the scope of variables: our reading equals what real bash would start."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

SCRIPTS = [
    r"""
export E=1
g() { local E=2
declare -p E
p "$(declare -p E)"
declare E2={a,b}
p "$E2"; }
g
""",
    r"""
f() { p in "$@" $#; return 3; }
f a "b c"
p $?
g() { local x=1 y; h
p "$x"; }; h() { x=2; y=3; }
g
p "${x-unset}" "${y-unset}"
fact() { if (( $1 <= 1 )); then r=1; else fact $(($1-1)); r=$((r*$1))
fi; }
fact 10
p $r
""",
    r"""
f() { local x=1
g
p "$x"; }
g() { unset x
p "${x-un}"; x=5; }; x=0
f
p $x
""",
    r"""
f() { local x=1; unset x
p "${x-un}"; x=2
p $x; }; x=0
f
p $x
""",
    r"""
f() { x=1 g
p "$x"; }
g() { x=2
p $x; }; x=0
f
""",
    r"""
f() { local IFS=,
set -- a b
p "$*"; }
f
set -- c d
p "$*"
""",
    r"""
f() { return; }
false
f
p $?
f() { return 300; }
f
p $?
f() { return -1; }
f
p $?
""",
    r"""
f() { echo "$1-$2"; return 2; }; x=$(f a b)
p "$x" $?; y=$(f "$(f c d)" e) || p failed $?
p "$y"; local_in() { local r=$(f q w)
p $? $r; local s; s=$(f q w)
p $?; }; local_in
""",
    r"""
echo hi > /dev/null; p > out a b; >out2 p c; p d 2>&1; p e >&2; p f &> o; p g <<< x; p h <<E1 3<<E2
one
E1
two
E2
p i; 2>/dev/null p j; x=1 >o p k; p "l" >"o $x"; { p m; p n; } > o; for i in 1; do p $i; done > o 2>&1; (p q) 2>/dev/null; if true; then p r; fi < /dev/null; f() { p s; } > o; f
""",
    r"""
x=1; readonly y=2; export z=3
declare -r w=4
p "$(declare -p x y z w)"; unset x y
p ${x-un} ${y-un} $?; unset -f nofunc
p $?
f() { :; }; unset -f f
f; unset f
p "$?"; a=1; unset -v a
p ${a-un}
""",
    r"""
p a; return 3
p "$?"
f() { return 3
p no; }
f || p "r$?"
f
p $?
g() { f; }
g
p $?; h() { f; return; }; h
p $?; k() { (return 4)
p $?; }; k; break
p "$?"; continue
p "$?"
""",
    r"""
f() { echo out; return 3; }; if x=$(f); then p then; else p "else $x $?"
fi; x=$(f) || p "or $?"; x=$(f) && p and
p "$x"
""",
    r"""
f() { case $1 in a) return 0;; b) return 1;; esac
p fell; }
f a && p A
f b || p B
f c; while f a; do p loop; break; done
""",
    r"""
p one
f() { p two; }
f
function g() { p three; }
g
function h { p four; } ; h; k() (p five; x=1); k
p ${x-un}; l() if true; then p six
fi; l; m() for i in 1 2; do p $i; done; m; n() [[ a == a ]]; n && p seven; o() ((1)); o && p eight
""",
    r"""
f() { f() { p second; }
p first; }
f
f; unset -f f
f
g() { h; }; h() { p h1; }
g; h() { p h2; }
g
""",
    r"""
p() { command p "wrapped:$1" "${@:2}"; }
p a b; unset -f p
p c
""",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_as_bash(script: str) -> None:
    assert_same_as_bash(script)


CALLS = '"F=${FUNCNAME[*]}" "$FUNCNAME" "S=${BASH_SOURCE[*]##*/}" "L=${BASH_LINENO[*]}"'


def test_the_calls_around_sourced_files() -> None:
    assert_same_as_bash(
        f"""
        show() {{ run show {CALLS}; }}
        f() {{
            run f {CALLS}
            . ./b.sh
            run f again {CALLS}
        }}
        run top {CALLS}
        . ./b.sh; f
        eval 'run eval {CALLS}; show'
        (show); x=$(show)
        """,
        scripts={
            "b.sh": f"run b {CALLS}\ng() {{\n  show\n  run g {CALLS}\n}}\ng\n. ./c.sh\n",
            "c.sh": f"\nrun c {CALLS}; g\n",
        },
    )
