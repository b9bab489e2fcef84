"""More of what random programs found, each rule as bash has it. `findings.txt` holds those full of quotes."""

from pathlib import Path

import pytest

from lint.bash.reading import Unknown
from tests.bash.real_bash import assert_same_as_bash, read_script

SCRIPTS = Path(__file__).with_name("findings.txt").read_text(encoding="utf-8").split("----\n")

RULES = {
    "an empty subscript in arithmetic": 'n=(7 8); i=3; for e in "n[]" "i=n[]?2:0" "n[]=3" "n[]++" "++n[]" "n[]**2"; do '
    'p $((e)) $i; [[ $e -eq 1 ]]; p $?; let "$e"; p $? "${n[@]}"; done; p $((n[])) ${n[n[]]}; set -u; p $((n[]))',
    "what the expansions of a list change in it": "declare -A d=([k]=5); d+=([x]=$((--d[k]))); d+=($((--d[k])) 2); "
    'd+=([k]+=1 [j]=$((d[k]++)) [k]+=3); p "${d[*]}" "${!d[*]}"; d=([k]+=1 [j]=$((d[k]++)) [k]+=3); p "${d[*]}"',
    "keys and values in turn": 'declare -A d; d=(b [a]=1 c); p "${d[*]}" "${!d[*]}"; d=([a]=1 b c); p $? "${d[*]}"; '
    "d=('' 1 x); p \"${d[*]}\" \"${!d[*]}\"; (set -e; d=('' 1); p never); p $?; (set -e; d+=([a]=1 b); p never); p $?",
    "the expressions of a counting loop have no status": "false; for ((i = 0; i < 2; i++)); do p $?; false; done",
    "a class of letters keeps its case": "shopt -s nocasematch; case x in [[:upper:]]) p up;; [X]) p x;; esac",
    "letters beyond ASCII have a case": "for c in É é İ ﬁ ß; do [[ $c == [[:upper:]] ]] && p up $c || p low; done",
    "an element before the first in arithmetic": "n=(1); j=-9; p $((--n[j])) $((n[j] += 3)); ((n[j] = 2)) && p two",
    "only an array is counted from its end": 's=text; p "${s[-1]}" "${s[-1]-none}" "${s[0]}"',
    "keys that are written in quotes": "declare -A d=([@]=1 ['a b']=2 [é]=3); p \"$(declare -p d)\"",
    "the value of an empty key": "declare -A d; i=1 b=; d=([$b]=$((i++)) [k]=v); p $i ${d[k]}",
    "an empty key under set -e": "declare -A d; (set -e; d+=([$u]=1); p never); p $?",
    "blanks before braces in declare": "b=' x:y'; declare a=$b{1,2}; p $? \"$a\"; declare c=one$b{1,2}; p $? $c",
    "other assignments behind braces": "b='1 c=2'; declare a=$b{x,y}; p $a $c; declare -i n={5..5}; p $n",
    "a global variable behind a local one": "g() { local v=1; declare -g v=2 w=3; p $v; }; g; p $v $w",
    "a global array behind a local one": 'g() { local l=1; declare -ga l=(2 3); }; g; p "${l[@]}"',
    "the plain value before a command": "declare -i n=1; declare -u c; f() { p $n $c; }; n=1+1 c=ab f; n+=1 c+=ab f",
    "exported through a reference": 'a=1; declare -n r=a; set -a; r=2; p "${a@a}"; ((a = 3)); p $a',
    "directories by number": "cd /; p ~0 ~+0 ~-0 ~1 ~-1 x:~9; pushd /tmp >/dev/null; p ~0 ~1 ~-0 ~-1/x ~5",
    "a text ends at its syntax error": "eval $'p one\\np two; p \"three'; p $?; eval $'p a\\n)\\np b'; p $?",
    "a text with an error under set -e": "trap 'p err' ERR; set -e; eval 'if'; p never",
    "an EXIT trap and an expansion that fails": "trap 'p trapped $?' EXIT; : | p $((1/0)); trap - EXIT; p on",
    "a name before what is no operator": 'set -u; v="zé"; ((v)) || p no',
    "a subscript is evaluated once": "n=(1 5); i=0; p $((n[i++] += 2)) $i; p $((n[i]++)) $((--n[i--])) $i ${n[*]}",
    "a subscript that its value changes": "n=(1 5) j=0; ((n[j] -= (++j))); p ${n[*]}; j=0; ((n[j] = (++j))); p ${n[*]}",
    "an array without its first element": "set -u; l=(1 2); unset 'l[0]'; p $((l)); l=(); p $((l)); p $((m))",
    "no attributes": 'p "x${a@a}"; case k"${HOME@a}${a@a}" in kx) p x ;; k) p k ;; esac',
    "braces in quotes in a declaration": 'declare a="${u:-"{1,2}"}"; p "$a"; l=([1]="${u:-"{x,y}"}" z); p ${!l[@]}',
    "FUNCNAME after an error": "g() { x=$((1/0)); }; h() { p $FUNCNAME; }\ng\np $FUNCNAME; h; p $FUNCNAME-",
    "elements that change their own array": "l=(1 2); l+=($((l[0]++)) $((++l[1]))); p ${l[*]}",
    "an element that cannot be unset": "l=(1 2) s=x; for e in l[{-5,7}] m[-1] s[{1,0}]; do unset $e; p $?; done; p $l",
    "an ampersand that is text": "shopt -u patsub_replacement; p ${a/o/&} ${a/%$u/\\\\&} ${a//o/\\&}",
    "no file under set -e": "shopt -s failglob; (set -e; p no*such; p never); p $?",
    "no such element under set -e": "n=(1); (set -e; ((n[-9] = 5)); p never); p $?",
    "a wide number": "printf -v v '%*d' 500625 7; p ${#v}; printf -v v '%.500625d' 7; p ${#v}",
    "the last word of a command that does not leave": "p x y; return; p $_; return 5; p $_; f() { return 3; }; p x y; "
    "f; p $_; f z; p $_; echo return > t; . ./t; p $_",
    "a number before a step": "v=5 w=5--v; p $((5--v))\np $((v=3 ++v))\np $v; for e in 5--v '5 ++ v' '(5)--v' '(v)--v' "
    "5--3 5++3 '5---v' '5-++v' v---v 'v --v' w w-- --w w++ 5-- 'v=1,5--v'; do let \"x=$e\"; p $? $x $v; done",
    "escaped quotes before braces": "p $'\\''\"$(printf '%s' '{a,b}')\"",
}


@pytest.mark.parametrize("script", RULES.values(), ids=RULES)
def test_is_read_as_bash_runs_it(script: str) -> None:
    assert_same_as_bash("a=foo\n" + script)


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.partition("\n")[0].lstrip("# ") for script in SCRIPTS])
def test_is_read_as_bash_runs_it_too(script: str) -> None:
    assert_same_as_bash(script)


def test_what_bash_makes_of_a_second_tilde_depends_on_what_it_expanded_before() -> None:
    for word in ("~a=~/x:y", "x=~$(p k=~/x)"):
        assert read_script(f"p {word}").commands[-1].words[1].value is None


def test_what_time_prints_is_not_known() -> None:
    assert read_script("{ time :; } 2>&1 | { read -r x; p $x; }").commands[0].words[1].value is None


def test_the_line_in_a_redirection_of_a_compound_command_is_not_known() -> None:
    assert read_script("{ read -r n; p $n; } <<< $LINENO").commands[0].words[1].value is None


def test_a_trap_for_errors_runs_on_the_way_where_a_command_fails() -> None:
    reading = read_script("trap 'p trapped $?' ERR\nread -r a < /f\np on\nx; p end")
    assert {tuple(word.shown for word in command.words) for command in reading.commands} >= {("p", "trapped", "1")}
    assert reading.forks == 1
    assert read_script("trap '' ERR; read -r a < /f; p on").forks == 0
    assert read_script("trap 'p trapped' ERR; x; p on").forks == 0  # what was not run is assumed to succeed


@pytest.mark.parametrize("element", ["m[-1]", "s[-1]", "l[-3]", "d[$none]"])
def test_what_bash_says_of_a_bad_subscript_is_output(element: str) -> None:
    before = "m=() s=x l=(1 2); declare -A d=([k]=v); "
    reading = read_script(before + f'p "$({{ : ${{{element}}}; }} 2>&1)" "$({{ : ${{l[-2]}}; }} 2>&1)"')
    (command,) = reading.commands
    assert command.words[1].value is None
    assert command.words[2].value == ""


@pytest.mark.parametrize("value", ["~foo", "~foo/x", "1+$none/$(x)7-", "$(x)7-"])
def test_an_expression_that_may_be_an_error_leaves_two_ways(value: str) -> None:
    reading = read_script(f"declare -i n=4\nn={value}; p $n\np on")
    assert reading.forks == 1
    last = reading.commands[-1]
    assert ([word.value for word in last.words], last.scenario, last.guards) == (["p", "on"], {}, {})
    assert read_script("declare -i n=4\nn=$(x); ((~foo)); p $n").forks == 0


@pytest.mark.parametrize(
    "value",
    [
        "$(echo ~foo)",
        "$(printf '%5.1f' ~foo)",
        "$(printf '<%s>' /*a])",
        "$(compgen -v long_)",
        "$(help)",
        "${l[1]}",
        "${k[1]}",
    ],
)
def test_a_text_made_from_a_home_or_file_names_is_hardly_a_number(value: str) -> None:
    reading = read_script(f'l=($(echo ~foo)); k=($(echo ~foo)); k[0]=1; v={value}; x=$((v))\np end "$x"')
    first, failed = reading.commands
    assert (first.words[2].value, failed.words[2].value) == (None, "")


def test_on_the_way_of_an_error_nothing_was_assigned() -> None:
    reading = read_script("a=~foo n=(1) c=before; c=x${n[a]}\np end $c; declare -i m; d() { m=$a; p in; }; d\np out")
    words = [[word.shown for word in command.words] for command in reading.commands]
    assert words[1:] == [["p", "end", "before"], ["p", "in"], ["p", "out"]]


def test_an_element_that_only_a_run_knows_may_be_unbound() -> None:
    before = "declare -A d=([k]=v); l=($(x)); set -u; "
    assert read_script(before + "p ${d[$(x)]}; p on").exit_status is None
    assert read_script(before + "p ${l[0]}; p on").forks == 1
    assert read_script(before + "p ${d[$(x)]-default} ${l[0]:-default}; p on").forks == 0
    assert read_script(before + "set +u; p ${d[$(x)]} ${l[0]}; p on").forks == 0


@pytest.mark.parametrize("word", ['"$u$@"', '"$@$u"', '"$u${m[@]@k}"', '${x:-"$u$@"}', '"$u$@"$none', '"${m[-1]}$u$@"'])
def test_what_is_not_known_beside_an_empty_list_is_perhaps_no_word(word: str) -> None:
    (command,) = read_script(f"m=(); u=$(command -V none); p {word}").commands
    assert any(piece.splits for piece in command.words[1].pieces if isinstance(piece, Unknown))


@pytest.mark.parametrize("word", ['"$u"', '"$u${m[*]}"', '"$u$@."', '""$@"$u"', '"$u"$@', '"$HOME$@"'])
def test_beside_anything_else_it_is_one_word(word: str) -> None:
    (command,) = read_script(f"m=(); u=$(command -V none); p {word}").commands
    assert not any(piece.splits for piece in command.words[1].pieces if isinstance(piece, Unknown))


def test_an_output_that_is_not_known_may_be_empty_in_a_file_too() -> None:
    word = read_script('x > f; echo a >> f; p "$(< f)"').commands[1].words[1]
    assert [getattr(piece, "text", None) for piece in word.pieces] == [None, "a"]


def test_the_last_of_nobody_knows_how_many_words_is_not_known() -> None:
    last = read_script('u=$(command -V none); p x:$u; p "$_"').commands[-1].words[1]
    assert [type(piece) for piece in last.pieces] == [Unknown]
    assert not last.pieces[0].splits  # type: ignore[union-attr]


def test_the_names_of_the_variables_of_bash_are_not_known() -> None:
    assert read_script("p ${!BASH_S*}").commands[0].words[1].value is None


def test_an_element_set_where_only_a_run_can_tell_leaves_nothing_certain() -> None:
    (command,) = read_script('l=(1 2); l[$RANDOM]=3; p "${l[@]}" ${l[1]} ${#l[@]}').commands
    assert [word.value for word in command.words] == ["p", None, None, None]
    assert command.words[1].pieces[0].splits  # type: ignore[union-attr]
    (command,) = read_script("declare -A d=([a.b]=v); d[$RANDOM]=x; p ${d[a.b]}").commands
    assert command.words[1].value is None


def test_an_unknown_status_is_one_word_unless_digits_separate() -> None:
    for separators, splits in ((":", False), ("1", True)):
        (command,) = read_script(f"IFS={separators}; read -r a < /f; p $?").commands
        assert command.words[1].pieces[0].splits is splits  # type: ignore[union-attr]


def test_how_much_printf_wrote_of_what_is_not_known_is_not_known() -> None:
    assert read_script("printf '%s%n' \"$RANDOM\" size; p $size").commands[0].words[1].value is None


def test_whether_a_newline_before_an_unknown_end_stays_is_not_known() -> None:
    word = read_script('p "$(echo a; x)"').commands[-1].words[1]
    assert word.pieces[0].text == "a"  # type: ignore[union-attr]
