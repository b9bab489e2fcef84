# ruff: noqa: E501, W291
"""Indexed and associative arrays: our reading equals what real bash would start."""

import pytest

from tests.bash.real_bash import assert_same_as_bash, commands_of, read_script

SCRIPTS = [
    r"""
declare -A m=([a]=1 [b]=2 [zeta]=3 [é]=4 ["x y"]=5)
p "${!m[@]}" "${m[@]}"; m[new]=7
p "${!m[@]}"; unset 'm[a]'
p "${!m[@]}" ${#m[@]} "${m[x y]}"
""",
    r"""
a=(1 2 3)
p $((a[1]+a[2])) $((a[0]++)) ${a[0]} $((a[-1])) ; ((a[5]=7))
p "${!a[@]}" "${a[@]}"; i=1
p $((a[i+1])) $((a[i]*=5)) ${a[i]} ${a[i+1]} ${a[$i]} ${a[-1]} ${#a[1]}
""",
    r"""
x=(a "b c" d)
p "${x[@]}" "${x[*]}" ${x[@]} "${#x[@]}" "${x[@]:1}" "${x[@]:1:1}" "${x[@]: -1}" "${x[@]/b/B}" "${x[@]#?}" "${x[@]^}" "${!x[@]}" "${x[@]:5}" "x${x[@]}y"; IFS=,
p "${x[*]}" ${x[*]}
""",
    r"""
x=([3]=a [1]=b c)
p "${x[@]}" "${!x[@]}"; x+=(d [10]=e f)
p "${!x[@]}"; x[-1]=z
p "${x[@]}"; unset 'x[1]'
p "${!x[@]}"; x=()
p "${#x[@]}" "${x[@]}"; x[2]=
p "${x[@]}"
""",
    r"""
n=x; x=val
p ${!n} "${!n}" ${!n:-d} ${!n/v/V}; a=(1 2); n='a[1]'
p ${!n}; n='a[@]'
p "${!n}"
set -- one two; n=2
p ${!n}; n=@
p "${!n}"; n=nope
p "${!n-unset}" "${!n:-d}"; abc1=1 abc2=2
p "${!abc@}" "${!abc*}" ${!abc*}
""",
    r"""
x="it's"
p "${x@Q}" ${x@Q} "${x@U}" "${x@u}" "${x@L}" "${x@A}" "${x@a}" "${x@E}"; y='a\nb'
p "${y@E}"; a=(1 "2 3")
p "${a[@]@Q}" "${a[*]@Q}" "${a[@]@A}" "${a[@]@K}"; z=
p "${z@Q}" "${nope@Q}"
""",
    r"""
[[ abc == a* ]] && p 1; [[ abc == "a*" ]] || p 2; [[ abc =~ ^a(b)(c)$ ]] && p "${BASH_REMATCH[@]}"; [[ a < b ]] && p 3; [[ 10 -gt 9 ]] && p 4; [[ -z $u && -n x ]] && p 5; [[ ! ( a == b || c == d ) ]] && p 6; x='a*'; [[ abc == $x ]] && p 7; [[ abc == "$x" ]] || p 8; [[ "a b" == a\ b ]] && p 9; [[ abc != @(abc|d) ]] || p 10; [[ x -eq 0 ]] && p 11; r='^[0-9]+$'; [[ 123 =~ $r ]] && p 12; [[ "a.b" =~ a"."b ]] && p 13; [[ axb =~ a"."b ]] || p 14; [[ -v PATH ]] && p 15; [[ -v nope ]] || p 16; a=(1); [[ -v a[0] ]] && p 17; [[ -v a[1] ]] || p 18
""",
    r"""
echo "a b c" | while read -r x y; do p "$x|$y"; done; read -r a b <<< "one two three"; p "$a" "$b"; IFS=, read -r q w e <<< "1,2,3,4"; p $q $w $e; read -ra arr <<< "x y z"; p "${arr[@]}" ${#arr[@]}; mapfile -t l <<< $'l1\nl2'; p "${l[@]}"; mapfile -t m < <(printf 'a\nb\n'); p "${m[@]}"; IFS= read -r sp <<< "  lead"; p "$sp"
""",
    r"""
declare -n ref=t; t=5
p $ref; ref=6
p $t
f() { local -n r=$1; r=changed; r+=x; }
f t
p $t; arr=(1 2)
declare -n ra=arr
p "${ra[@]}" ${ra[1]}; ra+=(3)
p "${arr[@]}" ${!ref}
""",
    r"""
x=(1 2)
f() { local x=("${x[@]}" new)
p "${x[@]}"; local -A m=([a]=$x)
p "$(declare -p m)"; }
f
g() { local y
p "${y-unset}"; y+=a
p "$y"; local y
p "[$y]"; }; y=out
g
p $y
h() { declare -i z=3+4
p $z; z+=2
p $z; z=1+1
p $z; }; h
p "[${z-unset}]"
declare -c ca=aBC
p $ca
export "E1=v w"; v="E2=q r"; export $v
p "$(declare -p E1 E2)"
declare -a arr
p "$(declare -p arr)"; arr[5]=q
p "$(declare -p arr)"
declare -A as
p "$(declare -p as)"; as[k v]=1; as['x']=2
p "$(declare -p as)"
readonly R=1 R2
p "$(declare -p R R2)"; unset R
p "st $?"
i=5
declare -i i; i="2*3"
p $i; i+=1
p $i
local_test() { local a=1 b=$a
p "b=$b"; }; local_test
export -n E1
p "$(declare -p E1)"
unset x[0]
p "$(declare -p x)"
declare arr2[3]=z
p "$(declare -p arr2)"
declare -x N
p "$(declare -p N)"
typeset -i n1=010
p $n1
declare -a c=(a b)
declare c=x
p "$(declare -p c)"; c+=(d)
p "$(declare -p c)"; c+=y
p "$(declare -p c)"
s=str; s+=(more)
p "$(declare -p s)"
declare -A A2=(k1 v1 k2 v2)
p "$(declare -p A2)"; A2+=([k3]=v3)
p "$(declare -p A2)"
f2() { declare -g gg=1; }
f2
p $gg
unset nope
p $?
""",
    r"""
p "${x[0]}" "${x[@]}" ${x[1]-none}; x=scalar
p "${x[0]}" "${x[@]}" "${#x[@]}" ${x[1]-none}; x[2]=c
p "${x[@]}" "${!x[@]}"
""",
    r"""
f() { p "$FUNCNAME" "${FUNCNAME[@]}" "${#FUNCNAME[@]}" "${BASH_LINENO[0]}"; }
g() {
 f
}
g
p "${FUNCNAME-none}" $LINENO "${BASH_SOURCE##*/}"
""",
    r"""
IFS=/; read -ra q <<< "/a/b//c/"; p "${q[@]}" ${#q[@]}; IFS=' ,'; read a b c <<< " 1 , 2,3 4 ,"; p "$a|$b|$c"; read a b <<< "x\ y z"; p "$a|$b"; read -r a b <<< 'x\ y z'; p "$a|$b"; IFS=, read a b <<< "1,2,"; p "$a|$b"; IFS=, read a b <<< "1,2,,"; p "$a|$b"; IFS=, read a <<< "1,"; p "$a"; IFS=, read a b c <<< "1,,3"; p "$a|$b|$c"
""",
    r"""
a=("$@")
p ${#a[@]}
set -- 1 '' 3; a=("$@")
p ${#a[@]} "${a[1]}"; a=($*)
p ${#a[@]}; a=("$*")
p "${a[0]}"; a=($(echo x y z))
p ${#a[@]}; a=( {1..3} "x y" $u )
p ${#a[@]} "${a[@]}"
""",
    r"""
x=$'a\nb'; p "$x" $x ${x//$'\n'/,} "${x@Q}"; y="${x%%$'\n'*}"; p "$y" "${x##*$'\n'}"; readarray -t z <<< "$x"; p "${#z[@]}" "${z[1]}"
""",
    r"""
read x y <<< "only"; p "$x" "[$y]" $?; read x < /dev/null; p $? "[$x]"; read -n 2 x <<< abcd; p $x; read -d : x <<< "a:b"; p $x; read -r -a z <<< $'a\tb  c'; p "${z[@]}"; echo "l1
l2" | { read a; read b; p $a $b; read c; p $? "[$c]"; }
""",
    r"""
mapfile -t -n 2 a <<< $'1\n2\n3'; p "${a[@]}"; mapfile -t -s 1 a <<< $'1\n2\n3'; p "${a[@]}"; mapfile a <<< x; p "${a[0]}"; mapfile -d , -t a <<< "p,q"; p "${a[@]}"; mapfile -t -O 3 a <<< z; p "${!a[@]}"; mapfile <<< m; p "${MAPFILE[@]}"
""",
    r"""
a=(1 2 3)
p "${a[@]:-x}" ${b[@]:-x y} "${b[@]:-x y}" "${b[*]-z}" "${a[@]+set}" "${b[@]+set}" "${b[@]}" x"${b[@]}"y "${a[@]:+alt}"; e=("")
p "${e[@]:-null}" "${e[@]-null}"; e=("" "")
p "${e[@]:-null}"
""",
    r"""
p "${a[0]:=def}" "${a[@]}" "${!a[@]}"; : ${b:=bb} "${c:="x y"}"
p "$b" "$c"
declare -A m; : "${m[k]:=v}"
p "${m[k]}" "${!m[@]}"
""",
    r"""
IFS=-; x=a-b-c
p $x ${x} "$x" ${u:-d-e} x$x y"$x"
set -- $x
p "$*" "$@" $*; a=($x)
p ${#a[@]} "${a[*]}"; y=$x
p "$y"
for i in $x-z; do p $i; done
p $(echo 1-2) $((5-10))
""",
    r"""
IFS=0
p $((10*10)) $((100)) ${#u} $?; x=(1 2 3 4 5 6 7 8 9 10)
p ${#x[@]}
""",
    r"""
g() { eval "$1=\$2"; }
g v "a b"
p "$v"; h() { printf -v "$1" '%s' "$2"; }; h w "c d"
p "$w"; k() { local -n o=$1; o=("${@:2}"); }; k arr x "y z"
p "${arr[@]}"
""",
    r"""
declare -A m=([b]=2 [a]=1)
for k in "${!m[@]}"; do p "$k" "${m[$k]}"; done; m[c]=3; m+=([d]=4)
p "${#m[@]}" "${m[@]}"; key=x.y; m[$key]=5
p "${m[$key]}" "${m["x.y"]}" "${m['x.y']}"; unset "m[a]"
p "${!m[@]}"; [[ -v m[b] ]] && p has; [[ -v m[zz] ]] || p hasnt
p "${m[@]:0:2}" "${m[*]}" ${m[nokey]-none}; n=()
declare -A n; n["a b"]=1
p "${!n[@]}"
""",
    r"""
a=(a b c); unset 'a[1]'; a+=(d)
p "${a[@]}" "${!a[@]}" "${a[-1]}" "${a[-2]}" ${#a[@]}; a=("${a[@]}")
p "${!a[@]}"; b=("${a[@]/#/x}")
p "${b[@]}"; c=("${a[@]%c}")
p "${c[@]}" ${#c[@]}; d=(${a[@]%c})
p ${#d[@]}; a[1]+=zz
p "${a[1]}"; unset a
p "${a[@]}" ${#a[@]}
""",
    r"""
a=(3 1 2)
for ((i=0;i<${#a[@]};i++)); do for ((j=i+1;j<${#a[@]};j++)); do if ((a[i]>a[j])); then t=${a[i]}; a[i]=${a[j]}; a[j]=$t
fi; done; done
p "${a[@]}"; s=0
for i in "${a[@]}"; do (( s += i )); done
p $s; IFS=+
p "${a[*]}" $((${a[*]}))
""",
    r"""
x=5
f() { local x=6
g; }
g() { p $x; x=7
p $x; }
f
p $x; h() { unset x
p ${x-un}; x=8; }; h
p $x; k() { local x
p ${x-un}; local -i n=2+3
p $n; readonly z=1; }; k
p "${n-un}" $z; local_array() { local -a a=(1 2); a+=(3)
p "${a[@]}"; }; local_array
p "${a[@]-none}"
""",
    r"""
f() { p "$#:$*"; }
f
f ""
f "" ""
f "$@"
f "$*"
f $u "$u"
f "${u[@]}"
f {1..3}
f a{,}
f "a b" 'c d' e\ f
f $'x\ny'
f "$(echo)" $(echo)
f -- -x; alias ll='p'
f end
""",
    r"""
p ${#x[@]} ${#x} ${x+set} ${x[0]+set}; x=
p ${#x[@]} ${#x} ${x+set}; x=()
p ${#x[@]} ${x+set} ${x[@]+set}
declare y
p ${y+set} ${#y[@]}
declare -a z
p ${#z[@]} ${z[@]+set}; local_() { local q
p ${q+set}; q=
p ${q+set}; }; local_
""",
    r"""
n=()
declare -A n
p $?; n["a b"]=1
p "${!n[@]}"
p next
""",
    r"""
declare -A m=([k]=v)
declare -a m
p $?
p "$(declare -p m)"
""",
    r"""
x='p a
p b'; eval "$x"; y='$z'; z=3; eval "p $y"; eval p '"$z"' "'$z'"; eval 'a=(1 2
3)'
p "${a[@]}"; eval 'f() {
p in $1
}'
f q; eval "x=\$y"
p "$x"; eval "$(echo 'p from subst')"; eval 'p $(echo nested)'; eval 'if true; then p ok
fi'; eval 
p $?; eval false
p $?
""",
    r"""
IFS=' ' x=' a  b '
p $x; IFS=','; y=',a,,b,'
p $y
set -- $y
p $#; IFS=', '; z=' a , b,,c , '
set -- $z
p $# "$@"; IFS=,; v=a,b; w=($v)
p ${#w[@]}; q="x${v}y"
p $q x${v}y "x${v}y" x"$v"y$v
""",
    r"""
x=a.b.c; IFS=. read -r -a parts <<< "$x"; p "${parts[@]}" ${#parts[@]}; IFS=. ; set -- $x; unset IFS; p "$1" "$3"; p "${x//./ }"; arr=(${x//./ }); p ${#arr[@]} ${arr[-1]}; y=k=v; p "${y%%=*}" "${y#*=}"; IFS== read k v <<< "$y"; p $k $v; path=/a/b/c.txt; p "${path##*/}" "${path%/*}" "${path%.*}"; f=${path##*/}; p "${f%.*}" "${f##*.}"
""",
    r"""
a=(1 2 3 4 5)
p "${a[@]:1:3}" "${a[*]:1:3}" "${#a[@]}" "${a[@]: -2}"; a=("${a[@]:0:2}" x "${a[@]:2}")
p "${a[@]}"; a=("${a[@]:1}")
p "${a[@]}"; unset 'a[-1]'
p "${a[@]}"; a[10]=z
p "${!a[@]}"
for i in "${!a[@]}"; do p "$i=${a[i]}"; done; a=(); a+=("q r")
p "${#a[@]}" "${a[0]}"; b=(${a[@]})
p ${#b[@]}; c=([2]=x [0]=y)
p "${c[@]}"; d=([1]=a b [0]=c d)
p "${d[@]}" "${!d[@]}"
declare -a e=(1); e+=2
p "${e[0]}"; readonly r=(1 2)
p "${r[1]}"
""",
    r"""
a=(x y z); i=1; p "${a[i]}" "${a[$i]}" "${a[i+1]}" "${a[$((i-1))]}" "${a[${#a[@]}-1]}" "${a["1"]}" "${a[ 1 ]}"; a[i]=q; a[$i+1]=w; p "${a[@]}"; a["0"]=e; p "${a[0]}"; n=a; p "${!n}" ; n='a[1]'; p "${!n}"; m='a[@]'; p "${!m}"; p ${a[@]/x/} ${a[*]^^} "${a[@]^}" "${a[@]:0}" "${a[*]:0:2}"; [[ ${a[0]} == e ]] && p ok; ((a[5]++)); p ${a[5]} ${#a[@]}; let 'a[6]=7'; p ${a[6]}; read 'a[7]' <<< r; p ${a[7]}
""",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_as_bash(script: str) -> None:
    assert_same_as_bash(script)


def test_the_keys_of_an_array_of_an_unknown_number_of_elements() -> None:
    reading = read_script('a=($(ask)); for i in "${!a[@]}"; do run $i; done; run end')
    assert commands_of(reading) == [["ask"], ["run", "end"]]
    assert [word.shown for word in reading.commands[1].words] == ["run", "<unknown: keys of a>"]
