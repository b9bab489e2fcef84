"""A text that only a run can tell may be empty, a list of them may hold any number: nothing is decided by them."""

from __future__ import annotations

import pytest

from lint.bash.reading import Text
from tests.bash.real_bash import read_script

BEFORE = 'x=$(x) y="$(x)"; l=($(x)); k=(a $(x) b); declare -A d=([a]=1); d[$x]=2; read -r q < /f\n'


def words(script: str) -> tuple[Text, ...]:
    return read_script(BEFORE + script).commands[-1].words[1:]


@pytest.mark.parametrize("operator", [":+set", ":-none"])
@pytest.mark.parametrize("name", ["x", "y", "q", "l", "l[0]", "l[@]", "l[*]", "d[$x]"])
def test_an_unknown_text_may_be_empty(name: str, operator: str) -> None:
    assert [word.value for word in words(f'p ${{{name}{operator}}} "${{{name}{operator}}}"')] == [None, None]


@pytest.mark.parametrize("name", ["l", "l[0]", "l[3]", "k[1]", "k[7]", "l[-1]", "k[-2]", "l[@]", "d[a]", "d[$x]"])
def test_an_unknown_number_of_elements_may_leave_one_unset(name: str) -> None:
    assert [word.value for word in words(f'p "${{{name}+set}}" "${{{name}-none}}"')] == [None, None]
    assert read_script(f"{BEFORE}[[ -v {name} ]] && p").forks > 0


@pytest.mark.parametrize(
    "word", ["${k[0]+set}", "${k[-1]:+set}", "${k+set}", "${k[@]:+set}", "${x+set}", "${USER:+set}", "${x+${#x}set}"]
)
def test_what_is_sure_is_known(word: str) -> None:
    (found,) = words(f'p "{word}"')
    assert found.shown.endswith("set")


def test_what_stands_behind_an_unknown_number_of_elements_is_counted_from_the_end() -> None:
    shown = 'p "${k[0]}" "${k[-1]}" "${k[@]:0:1}" "${k[@]: -1}" "${k[2]}" "${k[@]:1:1}" "${l[@]:1}" "${l[5]}"'
    assert [word.value for word in words(shown)] == ["a", "b", "a", "b", None, None, None, None]


def test_an_argument_behind_an_unknown_number_of_them_may_be_unset() -> None:
    found = words('set -- a $(x) b; p "${1+set}" "${2+set}" "${@: -1}" "${@:3}"')
    assert [word.value for word in found] == ["set", None, "b", None]
    assert read_script("set -- a $(x); [[ -v 2 ]] && p").forks == 1
    assert read_script("set -- a $(x); [[ -v 1 ]] && p").forks == 0


@pytest.mark.parametrize("change", ["l[0]=z", "l[4]=z", "unset 'l[0]'", "unset 'l[2]'", 'k[-2]=z; l=("${k[@]}")'])
def test_a_change_in_an_unknown_number_of_elements_leaves_it_unknown(change: str) -> None:
    assert [word.value for word in words(f'{change}; p "${{l[0]}}" "${{#l[@]}}"')] == [None, None]


def test_a_default_that_may_be_taken_is_not_the_same_text() -> None:
    assert read_script('x=$(x); y=${x:-z}; [[ $x == "$y" ]] && p').forks == 1
    assert read_script('x=$(x); w=$x; : ${x:=z}; [[ $x == "$w" ]] && p').forks == 1


def test_an_empty_alternative_is_empty_either_way() -> None:
    assert [word.value for word in words('p "${x:+}"')] == [""]


def test_an_unset_element_at_an_unknown_place_may_be_any() -> None:
    assert [word.value for word in words('n=(1 2); unset "n[$x]"; p "${n[0]}" "${#n[@]}"')] == [None, None]
