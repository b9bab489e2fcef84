"""Elements that are named by a text: builtins, tests, expressions and `${!x}` expand its subscript once more."""

from __future__ import annotations

from shlex import quote

import pytest

from tests.bash.real_bash import assert_same_as_bash, read_script

ARRAYS = (
    "k=a q='a b' d='$k' i=1\nlist=(zero one two)\ndeclare -A map=([1]=m1 [a]=ma ['a b']=mab ['$k']=mk ['\"a\"']=mq)\n"
)
SHOWN = '\np "${!list[@]}" , "${list[@]}" , "${!map[@]}" , "${map[@]}"'
KEYS = ["a", '"a"', "\\'a\\'", "$k", '"$k"', "\\\\$k", "a b", '"$q"', "$d", "$(echo a)", "${map[1]}", "x$k"]
INDICES = ["1", '"1"', "$i", "i+1", "$((1+1))", "${i}", "`echo 1`"]


@pytest.mark.parametrize("target", [*(f"map[{key}]" for key in KEYS), *(f"list[{index}]" for index in INDICES)])
@pytest.mark.parametrize(
    "use",
    [
        "read {} <<<'v w'; p $?",
        "printf -v {} %s v; p $?",
        "declare {}; p $?",
        "unset {}; p $?",
        "test -v {}; p $?",
        "let {}=7; p $?",
        "R={}; p \"${{!R-unset}}\"",
        "E={}; p $((E))",
    ],
)  # fmt: skip
def test_a_subscript_in_a_text_is_expanded(use: str, target: str) -> None:
    text = f"{target}=v" if use.startswith("declare") else target
    assert_same_as_bash(ARRAYS + use.format(f"$'{text}'") + SHOWN)


@pytest.mark.parametrize(
    "script",
    [
        "read map[$d] <<<v",
        "printf -v map[$d] v",
        "unset map[$d]",  # written as an element: the word has been expanded, and that is all
        "(( map[$d] = 5 ))",
        "p $(( map[\\$k] = 5 ))",
        "p $(( map['a'] += 1 ))",
        "unset 'map[$none]'; p $?",
        "printf -v 'list[-9]' v; p $?",
        "printf -v '1x' v; p $?",
        "readonly k; printf -v k v; p $?",
        "read -a 'list[1]' <<<'v w'; p $?",
        "declare \"map[\\$'a']=v\"",  # only the parser knows these quotes
    ],
)  # fmt: skip
def test_how_often_a_subscript_is_expanded(script: str) -> None:
    assert_same_as_bash(ARRAYS + script + SHOWN)


@pytest.mark.parametrize("key", ["a", "'a b'", '"a b"', r"a\ b", '"a"1'])
@pytest.mark.parametrize(
    "use",
    ['r=v; p "$r"', 'r+=v; r+=w; p "$r"', "read r <<< v", "printf -v r v", "((r = 5))", 'unset r; p "${r-unset}"'],
)
def test_a_reference_to_an_element_takes_the_quotes_off_its_key(key: str, use: str) -> None:
    assert_same_as_bash(f"{ARRAYS}declare -n r={quote(f'map[{key}]')}\n{use}{SHOWN}")


def test_a_reference_whose_key_each_use_expands_is_said_not_to_be_followed() -> None:
    (place,) = read_script("declare -A map\ndeclare -n r='map[$(k)]'\nr=1").unchecked
    assert place.reason == "r names an element by an expansion, which is not followed"
