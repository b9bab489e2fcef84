# ruff: noqa: E501
"""What builtins are given that they do not take: options, operands, numbers, names; the table is real bash's."""

import pytest

from tests.bash.real_bash import assert_same_as_bash, read_script

HEAD = """
x=1; readonly R=r; declare -A m=([k]=v); l=(a b c); readonly -a RA=(q); declare -i n=5; declare -n ref=x
f() { :; }; readonly -f f; g() { :; }; set -- p1 p2 p3
"""
STATE = '"${x-un}" "${m[*]-un}" "${l[*]-un}" "${n-un}" "${y-un}" "${y[*]-un}" "${z-un}" "$*" "${REPLY-un}" "$-" $OPTIND "${OPTARG-un}"'

CASES = {
    "break": r"""
for i in 1 2; do break 1 2; p in $?; done
for i in 1 2; do continue 1 2; p in $?; done
for i in 1 2; do break x; p in $?; done
for i in 1 2; do break -- ; p in $?; done
for i in 1 2; do break -- 1; p in $?; done
for i in 1 2; do break -x; p in $?; done
for i in 1 2; do break 0; p in $?; done
for i in 1 2; do continue ''; p in $?; done
for i in 1 2; do continue 99999999999999999999; p in $?; done
for i in 1 2; do break --help; p in $?; done; true
break x
break 1 2
trap 'break' DEBUG; for i in 1 2; do p a; done; trap - DEBUG; p b; true
for i in 1 2; do trap 'continue' DEBUG; p a; trap - DEBUG; p b; done; trap - DEBUG; p c; true
set -e; trap 'break' ERR; for i in 1 2; do false; p a; done; p b
""",
    "return": r"""
return 1 2
return x 1
k() { return 1 2; p a; }; k; p b
k() { return 1 2; p a; }; k || p b
k() { eval 'return 1 2'; p a; }; k; p b
k() { return x 1; p a; }; k; p b $?; true
k() { return -- 3; p a; }; k; p b $?; true
k() { false; return --; p a; }; k; p b $?; true
k() { return --help; p a $?; }; k; true
k() { return ''; }; k; p b $?; true
k() { return ' 300 '; }; k; p b $?; true
""",
    "exit": r"""
exit 1 2
exit x 1
exit ''
exit -- 3
false; exit --
exit -1
exit --help
exit 99999999999999999999
exit 1 2 || p a
eval 'exit 1 2'; p a
y=$(exit 1 2; echo q); p "$y" $?; true
""",
    "shift": r"""
shift 0
shift 1 2
shift 9
shift x
shift x y
shift ''
shift -1
shift --
shift -- 1
shift -- -1
shift ' 1'
shift +1
shift 0x1
shift 99999999999999999999
shift --help
command shift 1 2; p a
eval $'shift 1 2; p a\np b'; p c
for i in 1 2; do shift 1 2; p a; done; p b
trap 'p exit $?' EXIT; shift 1 2; p a
""",
    "source": r"""
source
source ''
. ''
. -- ''
. /dev/null
false; . /dev/null
. /dev/null a b
source -x
. --help
for i in 1 2; do trap 'break' RETURN; . /dev/null; p a; done; p b; true
""",
    "command": r"""
command
command -x
command -p true
command -v -- true
command -v nosuchcmd_ true
command --help
builtin
builtin -x
builtin --
builtin -- true
builtin -- false
builtin f
type -x
type --
type -t true
type -ft true
type -type true
type -all true
type --path true
type --help
""",
    "trap": r"""
trap -x
trap -p NOPE
trap -p EXIT NOPE
trap NOPE
trap EXIT
trap 'p t' NOPE EXIT
trap - NOPE
trap -
trap ''
trap -- 'p t' EXIT
trap 'p t' 65
trap 'p t' sigexit
trap 'p t' SIGDEBUG; trap - DEBUG
trap 2 EXIT
trap 'p t' EXIT; trap 0
trap 'p t' EXIT -x
trap -lp
trap --help
""",
    "read": r"""
read -n x y <<< abc
read -n '' y <<< abc
read -n -1 y <<< abc
read -n 0 y <<< abc
read -n2 y <<< abc
read -n 0x2 y <<< abc
read -n ' 2' y <<< abc
read -n +2 y <<< abc
read -n 99999999999 y <<< abc
read -n
read -N x y <<< abc
read -N 2 y <<< abc
read -t x y <<< abc
read -t '' y <<< abc
read -t -1 y <<< abc
read -t 0 y <<< abc
read -t 1.5 y <<< abc
read -t 1e3 y <<< abc
read -t 0 < /dev/null
read -u x y <<< abc
read -u -1 y <<< abc
read -u 9 y <<< abc
read -u ' 0' y <<< abc
read -u 99999999999 y <<< abc
read -a m <<< 'a b'
read -a RA <<< 'a b'
read -a ref <<< 'a b'
read -a '' <<< 'a b'
read -a
read y R z <<< 'a b c'
read 1x <<< abc
read 'l[]' <<< abc
read 'l[-9]' <<< abc
read n <<< '2+'
read --help <<< abc
""",
    "mapfile": r"""
mapfile -n x y <<< abc
mapfile -n '' y <<< abc
mapfile -n -1 y <<< abc
mapfile -n 1x y <<< abc
mapfile -n 99999999999 y <<< abc
mapfile -n
mapfile -u x y <<< abc
mapfile -u 9 y <<< abc
mapfile -s -1 y <<< abc
mapfile -s x y <<< abc
mapfile -O x y <<< abc
mapfile -O -1 y <<< abc
mapfile -O 2 l <<< abc
mapfile -c 0 y <<< abc
mapfile -c x y <<< abc
mapfile '' <<< abc
mapfile 1x <<< abc
mapfile 'l[0]' <<< abc
mapfile m <<< abc
mapfile RA <<< abc
mapfile ref <<< abc
mapfile --help <<< abc
{ mapfile -t -n 1 y; read z; } <<< $'a\nb'
{ mapfile -t -s 1 -n 1 y; read z; } <<< $'a\nb\nc'
{ mapfile -t y; read z; } <<< $'a\nb\nc'
""",
    "set": r"""
set -q
set -o nope
set -o nope -e
set - q
set --
set +
set + q
set --help
set -k; p q=1 r; y=2 z; true
set -k; z=5 p q; p q z=6; true
set -k; k() { p "$a" $*; }; k a=5 b; p "${a-un}"; true
set -k; eval p a=1; p c "a=b" b=$x; true
shopt -su nullglob
shopt -s -u nullglob
shopt -s nope nullglob; shopt -q nullglob
shopt -so nope
shopt -qo nope
shopt -q extglob nullglob
shopt -x
shopt -s ''
""",
    "let": r"""
let
let --
let -- 1
let -- -1
let 1+ 1
let y=1+
let 'm[]=1'
let 'l[-9]=1'
let R=1 y=2
let --help
unset -n x
unset -n ref
unset 'l[]'
unset 'm[]'
unset 'RA[0]'
unset 'x[@]'
unset 'x[0]'
unset UID
unset BASH_VERSINFO
unset -fv x
unset R x
unset --help
""",
    "readonly variables of bash": r"""
UID=3
UID=3 p a; true
declare UID=3
k() { local UID; p in $?; }; k; true
for EUID in 1 2; do p in; done
read PPID <<< 3
((EUID = 3))
SHELLOPTS=x
""",
    "declare": r"""
declare -q
declare -
k() { declare -; p in $?; }; k; true
k() { local -; p in $?; }; k; true
declare -i y='n[$e]'
declare -i y=1; y='n[$e]'; p $y; true
declare -i y=3 n='+' z=4
declare y=1 1x=2 z=3
declare 'l[-9]=q'
declare 'l[]=q'
declare y=2 R=1 z=3
declare +r R
declare -aA y
declare +a l
declare +A m
declare -n y=''
declare -n y=y
declare -n l
declare -n m=x
declare -n x
declare -n R
declare -n 'y[1]=x'
declare -rn y=x; y=3
declare -n y=x; readonly y; y=3
declare -f f=1
declare -f +r f
declare -fi g
declare +p nope
k() { declare R=(1 2); p in $?; }; k; true
k() { declare -g R=(1 2); p in $?; }; k
declare --help
declare -x -- -y
""",
    "local": r"""
local
local -q
local --help
local -a y=(1 2)
local R=(1 2)
k() { local -q; p in $?; }; k; true
k() { local R=3 y=2; p in $? $y; }; k; true
k() { local RA=(3); p in $?; }; k; true
k() { local 1x y=3; p in $? $y; }; k; true
""",
    "export": r"""
export -q
export 1x y=3
export -p 1x
export -p y=3
export 'l[1]=q'
export y=2 R=1 z=3
export -n 1x
export -f nope
export --help
readonly -a m
readonly -A l
readonly -A l=q
readonly y; y=1
readonly -f nope
readonly 1x
""",
    "printf": r"""
printf
printf --
printf -v
printf -v y
printf -v y -- abc
printf -v 1x abc
printf -v R abc
printf -v 'l[-9]' abc
printf -v y -v z abc
printf -vy abc
printf -x
printf '%n' R
printf -v y '%s%n' a R
printf -v y %d 99999999999999999999
printf --help
""",
    "getopts": r"""
getopts
getopts a
getopts a y -a
getopts a 1x -a
getopts a 'l[0]' -a
getopts a R -a
getopts -- a y -a
getopts -x a y
OPTIND=x; getopts a y -a
OPTIND=9; getopts a y -a
OPTIND=-1; getopts a y -a
OPTIND='1+1'; getopts ab y -a -b
""",
    "alias": r"""
alias q
alias =1
alias a/b=1
alias 'a b=1'
alias -p nope
alias q=1; alias q nope
alias -x
unalias
unalias q
unalias -a q
umask 099
umask x
umask u=q
umask u=rwx,g-w
umask ''
umask 022
ulimit x
ulimit -Z
ulimit --help
hash -t
hash -d
caller x
caller 9
caller -1
k() { caller 0 >/dev/null; p in $?; caller 1; p in $?; }; k; true
history x
history 3 4
history -d x
history -anr
""",
    "enable": r"""
enable nope
enable -n nope
enable -d echo
enable -x
enable -n test; test 1; true
enable -n '['; [ 1 ]; p in; true
enable -n cd pwd; cd /; pwd; true
enable -n exit; exit 3; p a; true
enable -n echo; command echo a; builtin echo a
enable -n echo; enable echo; echo hi; p $?; true
""",
    "complete": r"""
complete -F f
complete -o nope q
complete -A nope q
complete -F 'a b' q
compgen -A nope
compopt -o nope
compopt -o default
""",
    "jobs": r"""
jobs x
jobs -x p q; true
kill
kill x
kill ''
kill 1x
kill %1
kill -l x
kill -s
kill -NOPE 1
kill --help
wait x
wait 1
wait %1
wait x 1
wait -n 1
wait -p 1x
bg -x
fg x
logout -x
suspend -x
suspend x
suspend --help
disown
""",
    "cd": r"""
cd -x
cd a b
HOME= cd
unset HOME; cd
pushd -n
pushd / /
pushd -x
popd
popd x
dirs x
dirs --help
pwd -x
""",
}


def script(cases: str) -> str:
    """Each case in a subshell: what runs behind it on its line, on the next, and outside."""
    lines = (f"( {case}; p same $? {STATE}\np next\ntrue); p status $?" for case in cases.strip().split("\n"))
    return HEAD + "\n".join(lines)


@pytest.mark.parametrize("name", CASES)
def test_as_bash(name: str) -> None:
    assert_same_as_bash(script(CASES[name]))


@pytest.mark.parametrize("name", ["exit", "shift", "return", "trap", "read", "mapfile", "declare", "let"])
def test_in_a_function_under_errexit(name: str) -> None:
    cases = CASES[name].strip().split("\n")
    lines = (
        f"( set -e; h() {{ {case}; p same $?; }}; h a1 a2 a3; p line\np next\ntrue); p status $?" for case in cases
    )
    assert_same_as_bash(HEAD + "\n".join(lines))


DISCARDED = ["shift 1 2", "exit 1 2", "return 1 2", "for i in 1; do break 1 2; done", "history 3 4"]


@pytest.mark.parametrize("command", DISCARDED)
def test_an_operand_too_many_ends_the_line_and_no_more(command: str) -> None:
    assert_same_as_bash(f"set -e\n{command}; p same\np next $?\nif {command}; then p a; fi; p b\np $?")


def test_options_that_only_a_run_can_tell() -> None:
    reading = read_script(
        'set -- "$(date)" b\nwhile getopts a: o; do p "$o" "$OPTARG"; done\nshift $((OPTIND - 1))\np "$@" "$o"'
    )
    assert [word.value for word in reading.commands[-1].words] == ["p", None, None]


def test_what_mapfile_runs_for_lines_is_said() -> None:
    reading = read_script("mapfile -C 'p cb' -c 1 y <<< abc")
    assert ["mapfile -C" in one.reason for one in reading.unchecked] == [True]
