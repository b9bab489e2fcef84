# ruff: noqa: E501
"""The word after `:-`, `:+` and the like: its quotes, its lists and its separators."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

HEAD = "a=foo b='a b:c' c= x=hello; l=(one 'two 2' three); set -- p1 'p 2' ''\n"

SCRIPTS = {
    "a name goes on behind a quote": r"""aq=A; p "${c:+$a"q r"}" "${a:+$a"q r"x}" "${a:+"x$a"q}" "${a:+"$a"'q'}" """,
    "quotes are removed first": r"""fooq=F; p "${a:+"q r"$b"s t"}" "${a:+${b}"q r"}" "${a:+"\x$a"q\}\x}" """,
    "quotes are removed at every level": r"""aq=A; p "${a:+$a"$(echo "a b")"}" "${a:+$a"${c:-"x$a"q}"}" """,
    "a translated string": r"""p "${a:+$"q r"}" "${a:+$"q" r}" "${a:+x$"q"}" """,
    "no translated string in a here-document": 'read -r v <<X\n${a:+$"x"} ${a:+"x"} ${a:+\\"x\\"}\nX\np "$v"',
    "escapes": r"""p "${b:+$'\t'}" "${b:+"$'\t'"}" "${b:+x$'\t'y}" ${b:+x$'\t'y} "${b:+${a:+"$'\t'"}}" """,
    "escapes in a substitution": r"""declare v=${a+$(echo "${b:+x$'\t'y}")}; p "$v"; p "${a+`echo "${b:+$'\t.'}"`}" """,
    "escapes in a quoted substitution": r"""p "$(printf '[%s]' ${c+x$'a\tb'} "${c+$'a\tb'}" $'\t')" "$(printf %s $(printf "<%s>" ${c+$'a\tb'}))" """,
    "braces": r"""p "${a:+{x}" "${a:+{x}}" "${a:+x{y}z}" "${a:+'{'}" "${a:+\{}" ${a:+{x} ${a:+x{y}z} "${c:-{x,y}}" """,
    "an open brace before others": "p ${a+{}{1,2} {1,2}${a+{} {x,${a+{}} ${a+{y}}{1,2} ${a+'{'}{1,2}",
    "a closing brace in quotes": r"""p "${a:+}}" "${a:+\}}" "${a:+"}"}" "${a:+'}'}" ${a#{} ${a/f/{}}""",
    "a list is joined with a space": "IFS=:; p ${a+${l[@]}}; p ${a+${l[*]}}; p ${z:-x$@y}; p ${z:-$*}; p ${u:=$@}",
    "a list in quotes": 'IFS=:; p "${a+${l[@]}}"; p "${a+${l[*]}}"; p ${z-"$@"} ${z-"$*"}; p "${z:-x$@y}"',
    "a list without separators": 'IFS=; p ${z-$@}; p "${z-$@}"; p ${z-$*}; p "${z-$*}"; p ${z-"$*"}',
    "a list with a separator of its own": 'IFS=x; p ${z-$@}; p ${z:-$*}; p "${z-$*}"; for v in ${z-$@}; do p "$v"; done',
    "a list that is assigned": 'IFS=; v=${z-$*}; p "$v"; v="${z-$*}"; p "$v"; v=${z-$@}; p "$v"; v=${a+${l[*]}}; p "$v"',
    "a default that is assigned": 'IFS=; p ${z=$*} "$z"; IFS=:; p ${y=$*} "$y"',
    "two lists in one word": 'p "${l[@]}${l[*]}" "${l[*]}${l[@]}" "$@$*"; IFS=:; p "${l[@]}${l[*]}" $@$* "x$@y$*z"',
    "an empty pattern in quotes": 'p ${x^^"$c"} ${x^^$c} ${x^"$c"} ${x^$c} ${x^^} ${x^^""} "${x^^"$c"}" "${l[@]^^"$c"}"',
    "a pattern for letters": "p ${x^^[hl]} ${x^^'?'} ${x^^?} ${x^^ll} ${x^^@(h|l)} ${x^h} ${x^^$u}",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_as_bash(name: str) -> None:
    assert_same_as_bash(HEAD + SCRIPTS[name])
