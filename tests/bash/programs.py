"""Random bash programs, from the whole grammar, whose every value is known: what the reader must read as bash does."""

from __future__ import annotations

from random import Random

from tests.bash.grammar.commands import command
from tests.bash.grammar.layout import laid_out

HEAD = """\
f() { echo "$#:$1"; }
f2() { :; }
count() { rec "$#" "$@"; }
local_test() { local a=inner l=(1 2); rec "$a" "${l[@]}"; }
show_locals() { local a=outer; inner_locals "$@"; rec "$a"; }
inner_locals() { rec "$a" "$1"; a=changed; local a=own; rec "$a" "${FUNCNAME[*]}"; }
recurse() { (($1 > 0)) && { rec depth "$1" "${#FUNCNAME[@]}"; recurse $(($1 - 1)) "$2"; }; }
early() { for q in 1 2; do [[ $1 ]] && return 4; done; return; }
a=foo b='a b:c' c= long_name=a/b.c i=1 j=2 ref=a empty=
l=(one 'two 2' three) m=() n=(1 i+1) sparse=([2]=x [5]='y z')
declare -A d=([k]=v)
declare -i number=4
declare -u upper=text
set -- p1 'p 2' ''
echo one > ../f1; printf '%s\\n' 'a b' c:d '\\x' > ../f2; : > ../new.txt
"""

TAIL = 'rec end "$a" "$b" "${l[@]}" "$@" "$i" "${d[k]}"\n'


def program(random: Random) -> str:
    """A whole program: the head gives every variable a value; `rec` is the command that is recorded."""
    commands = [laid_out(random, command(random)) for _ in range(random.randint(1, 5))]
    options = random.choice(("shopt -s extglob\n",) * 9 + ("",))
    return "\n".join([options + HEAD, *commands, TAIL])
