"""Elements that are named by a text: builtins, tests, expressions and `${!x}` expand its subscript once more."""

from __future__ import annotations

import pytest

from tests.bash.real_bash import assert_same_as_bash

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
