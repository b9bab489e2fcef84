# ruff: noqa: E501
"""`[[ ]]`, `[ ]` and `case`: our reading equals what real bash would start."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

SCRIPTS = [
    r"""
if [ 1 -lt 2 ]; then p lt
fi; [ a = a ] && p eq; [ a != b ] && p ne; [ -z "" ] && p z; [ -n "" ] || p n; [ "" ] || p empty; [ ! a = b ] && p not; [ a = a -a b = c ] || p and; [ a = b -o b = b ] && p or; [ \( a = a \) ] && p par; [ 1 -eq x ]
p $?; [ a b ]
p $?; [ a b c d e ]
p $?; test
p $?; [ ]
p $?
""",
    r"""
case abc in a) p no;; a*) p yes;; *) p def;; esac; case x in y|x) p or;;& [a-z]) p cont;; esac; case q in q) p one;& z) p two;; w) p three;; esac; case "a b" in "a b") p sp;; esac; case $u in "") p empty;; esac; case a in (a) p paren;; esac
""",
    r"""
p='*o'; x=foo
p ${x#$p} ${x#"$p"} ${x##$p} ${x/$p/Z} ${x/"$p"/Z}; e='f*'; [[ $x == $e ]] && p m; [[ $x == "$e" ]] || p nm; case $x in $e) p c;; esac; case $x in "$e") p bad;; *) p d;; esac
""",
    r"""
shopt -s extglob; x=aabbcc
p ${x##+(a)} ${x%%+(c)} ${x//+(b)/X} ${x/!(z)/Y} ${x//@(a|c)/-} ${x#?(a)} ${x##*(a)}; [[ foo.sh == !(*.txt) ]] && p 1; [[ foo.txt == !(*.txt) ]] || p 2; [[ ab == +([a-z]) ]] && p 3; case file.tar.gz in *.@(tar|zip)?(.gz)) p 4;; esac
""",
    r"""
shopt -s nocasematch; [[ ABC == abc ]] && p 1; case Foo in foo) p 2;; esac; [[ ABC =~ b ]] && p 3; x=ABC
p ${x/b/z}
""",
    r"""
x="a*b"
p "$x" 'a*b' a\*b; [[ "$x" == a\*b ]] && p 1; [[ axb == a\*b ]] || p 2; [[ axb == a*b ]] && p 3; y='\*'; [[ '*' == $y ]] && p 4; [[ '\*' == "$y" ]] && p 5; case '\' in \\) p 6;; esac; case "a]" in a[]]) p 7;; esac; case - in [a-]) p 8;; esac; case b in [!a]) p 9;; [^a]) p 10;; esac
""",
    r"""
case "é" in ?) p one;; ??) p two;; esac; x=né
p ${#x} ${x:1:1} ${x^^} ${x%?}
p $'\u00e9' "$(printf '\u00e9')" ; y=日本語
p ${y:1} ${#y} ${y/本/x}
""",
    r"""
f() { local a=$1; shift
p "$a" "$@"; [ $# -gt 0 ] && f "$@"; }
f 1 2 3
p $?
p "$1"
""",
    r"""
if p a; then p b; elif p c; then p d; else p e
fi; if ! p x; then p y; else p z
fi
p 1 && p 2 || p 3
p 4 || p 5; { p 6; } && (p 7) ; if [ x = y ] || p 8; then p 9
fi
""",
    r"""
[ -f nope ] || p 1; [ -d "" ] || p 2; [ ! -e nope ] && p 3; [[ -e nope ]] || p 4; test -s nope || p 5; [ -z "$u" -a -n "x" ] && p 6; [ "$u" ] || p 7; [ -n $u ] && p 8; [ $u ] || p 9; [ "$u" = "" ] && p 10; [ $u = "" ]
p $?; [ x$u = x ] && p 11; [ "a" \< "b" ] && p 12; [ 3 -gt 2 ] && [ 2 -le 2 ] && [ 1 -ne 2 ] && [ 4 -ge 5 ] || p 13; [ " 3 " -eq 3 ] && p 14; [ -1 -lt 0 ] && p 15; [ 08 -eq 8 ] && p 16; [ ! ] || p 17; [ ! x ] || p 18; [ -n ] && p 19; [ = ] && p 20; [ -f = x ]
p $?
""",
    r"""
true && p a
false || p b; true || p c && p d
false && p e || p f; true && false || p g; ! true || p h; ! false && p i; (true
false) || p j; { false; true; } && p k; true | false || p l
false | true && p m; [ 1 = 1 ] && [ 2 = 3 ] || p n; if true && false; then p o; else p q
fi
""",
    r"""
echo() { p "my echo" "$@"; }; echo hi; builtin echo x; command echo y; unset -f echo; x=$(echo z)
p $x; cd() { p cd "$@"; }; cd /tmp; test() { p t; return 1; }; test x || p fails; [ 1 ] && p br
""",
    r"""
x=$(f() { echo in; }; f); p "$x"; x=$(echo "a)b"); p "$x"; x=$(case a in a) echo ok;; esac); p "$x"; x=$(# comment )
echo c); p "$x"; x=$(read -r -d '' v <<'X'
a)b
X
echo "$v"); p "$x"; p "$(echo "$(echo "deep \"q\"")")"
""",
    r"""
shopt -s extglob
x=aabbcc
p ${x##+(a)} ${x%%+(c)} ${x//+(b)/X} ${x/!(z)/Y} ${x//@(a|c)/-} ${x#?(a)} ${x##*(a)}; [[ foo.sh == !(*.txt) ]] && p 1; [[ foo.txt == !(*.txt) ]] || p 2; [[ ab == +([a-z]) ]] && p 3; case file.tar.gz in *.@(tar|zip)?(.gz)) p 4;; esac; y='  trim me  '; y=${y##+([[:space:]])}; y=${y%%+([[:space:]])}
p "$y"; case 12 in +([0-9])) p num;; esac; case 1a in +([0-9])) p num;; *) p nan;; esac
p @(a|b) +(q); z='@(a|b)'; case a in $z) p yes;; esac
""",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_as_bash(script: str) -> None:
    assert_same_as_bash(script)
