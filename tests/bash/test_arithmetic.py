# ruff: noqa: E501, W291
"""`$((...))`, `((...))` and `let`: our reading equals what real bash would start."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

SCRIPTS = [
    r"""
p $(( 2**63 )) $((9**9**2)) $((-7/2)) $((-7%3)) $((1<<65)) $((16#fF)) $((010)) $((64#@_)) $((2#101)) $((36#z)) $((0x1F)) $((-2**2)) $((2**3**2)) $((1-2-3)) $((7/-2)) $((~5)) $((!5)) $((!0)) $((5>3)) $((3&6|8^1)) $((1?2:3,4)) $((1,2,3))
""",
    r"""
x=5; p $((x++ + ++x)) $x; a=x; p $((a+1)) $((b+1)) $((x+=3)) $x $((x<<=2)) $((x%=7)) $((x--)) $x $((--x)) $((- -x)) $((+x)) $((x=y=3)) $x $y
""",
    r"""
p $((1 && 0 || 1)) $((0 && (z=1))) $z $((1 || (z=1))) "$z" $(( 1 ? (a=5) : (b=6) )) $a "$b" $(( 0 ? 1 : 0 ? 2 : 3))
""",
    r"""
p $((08))
p "st $?"
""",
    r"""
let x=1+2 y=x*2
p $x $y; let 0
p $?; ((0))
p $?; ((5))
p $?; let "z = 3" && p z$z
""",
    r"""
p "$((1+1))" $[2+3] "$(( x = 4 ))" $x $((x,x+1)) $(( (1+2)*3 )) $((  )) "$((
1 +
2 ))"
""",
    r"""
x=3; ((x++))
p $x; ((x+=2, y=x*2))
p $x $y; (( x > 3 )) && p gt; (( x == 6 && y == 12 )) && p both; ((z)) || p zero; if ((x%2==0)); then p even
fi
""",
    r"""
x="1 + 2"; p $((x)) $((x*2)) $(($x*2)); y=x; p $((y)); a=b; b=a; p $((a)); p n
p $?
""",
    r"""
p $((1/0)) || p or
p "$?"
""",
    r"""
x=$((1)) y=$((x+1)) z=$x$y p $x
p $x $y $z; a=1 b=$a p2; a=5 eval 'p $a'
p ${a-un}; c=3; c=4 :
p $c; d=1 d=2 p3; IFS=: e="a:b" p $e
""",
    r"""
p $((0x)) 
p a
p b
""",
    r"""
p $((1 2))
p $((1+))
p c
p d $((+)) 
p e $((3 = 4))
p f $((x=)) 
p g $((a b))
p h $((1.5))
p i $((2**-1))
p j $((1#2)) $((65#1)) $((2#2))
p k
""",
    r"""
x=9223372036854775807; p $((x+1)) $((-x-1)) $((-x-2)) $((x*2)) $((9223372036854775808)) $((0xffffffffffffffff)) $((1<<63)) $((1<<64)) $((-1>>1)) $((-8/3)) $((-8%3)) $((8%-3)) $((2**62*2)) $((2**64)) $((-9223372036854775808/-1)) $((-9223372036854775808%-1))
""",
    r"""
p $((x=5,y=x*2,y)) $x $y
p $((z+=1)) $((z++)) $((++z)) $z
p $((q=r=s=4)) $q$r$s
p $((a?b:c)) $((1?2?3:4:5)) $(( (a=1) ? 10 : 20 )) $((!a)) $((~a)) $((- - 1)) $((-+-1)) $((a==1&&b==0)) $((a&1|2^3)) $((1<2==1)) $((5&3)) $((5|3)) $((5^3)) $((1,2)) $((07)) $((8#17)) $((16#AbC)) $((36#Zz)) $((62#Zz))
""",
    r"""
case x in [[:alpha:]]) p 1;; esac; case 5 in [0-9]) p 2;; esac; case ab in a?) p 3;; esac; case "" in '') p 4;; esac; case "*" in \*) p 5;; esac; case a in b|c) ;; a|d) p 6;; esac; case "a|b" in "a|b") p 7;; esac; v=a*; case abc in $v) p 8;; esac; case 'a*' in "$v") p 9;; esac; case ab in $(echo a)*) p 10;; esac; case abc in a*c) p 11;; esac; case $((1+1)) in 2) p 12;; esac; case a.b in a.b) p 13;; esac; case [x] in \[x\]) p 14;; esac; case $# in 0) p 15;; esac; case ~ in /home/me) p 16;; esac
""",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_as_bash(script: str) -> None:
    assert_same_as_bash(script)
