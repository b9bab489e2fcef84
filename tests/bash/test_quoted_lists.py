"""`declare -a "name=(a b)"`: text in parentheses that a declaration reads as a list, and where it does not."""

from __future__ import annotations

import pytest

from tests.bash.real_bash import assert_same_as_bash, read_script

SHOWN = '\np "${!q[@]}" , "${q[@]}" , "${q-unset}"'
STATUS = "\np $?"


@pytest.mark.parametrize("before", ["", "q=5\n", "q=(0 1 2)\n", "declare -A q=([k]=v)\n"])
@pytest.mark.parametrize(
    "declaration",
    [
        *(
            "declare",
            "declare -a",
            "declare -A",
            "typeset -a",
            "declare -g",
            "declare -ga",
            "declare -x",
            "declare -ra",
        ),
        *("declare -ia", "declare -ua", "export", "export -a", "readonly", "readonly -a", "readonly -A", "export -A"),
    ],
)
@pytest.mark.parametrize("operand", ["'q=(x y)'", "q='(x y)'", "'q+=(x y)'", "'q[1]=(x y)'"])
def test_which_declarations_read_a_list(declaration: str, operand: str, before: str) -> None:
    assert_same_as_bash(f"{before}{declaration} {operand}" + STATUS + SHOWN)


@pytest.mark.parametrize("outer", ["", "q=5\n", "q=(5 6)\n", "declare -A q=([k]=v)\n"])
@pytest.mark.parametrize(
    "body",
    [
        "local 'q=(x y)'",
        "local -a 'q=(x y)'",
        "local -A 'q=(x y)'",
        "local -a q; local 'q=(x y)'",
        "local 'q[1]=(x y)'",
        "local -a 'q[1]=(x y)'",
        "local -a 'q=(\"${q[@]}\" x)'",  # the new variable is there before the text is read
        "local q=1; declare -ga 'q=(x y)'",
    ],
)
def test_a_list_in_a_function(body: str, outer: str) -> None:
    assert_same_as_bash(f"{outer}f() {{ {body}{SHOWN}; }}; f{SHOWN}")


@pytest.mark.parametrize(
    "script",
    [
        's="a=1 b=\'2 3\'"; declare -a "q=($s)"',
        'k=q; declare -a "$k=(5 6)"',
        "k=q; declare -a $k='(7 8)'",
        "s='(1 2)'; q=(0); declare q=$s",
        "v=a; declare -a 'q=($v \"$v b\" ~ {1..3} $(echo c d) *.none [9]=i)'",
        "v='$w' w='1 2'; declare -a \"q=($v)\"",  # expanded twice
        "declare -A 'q=([$(echo a)]=1 [b c]=2)'",
        "declare -a $'q=(a # comment\\n b)'",
        "declare -a 'q=()'",
        *(f"declare -a q={text}" for text in ("'('", "'(x'", "' (x)'", "'(x) '", "'x)'", "''")),
        "declare -n r=q; q=(1); declare 'r=(4 5)'",
    ],
)
def test_what_is_read_of_a_list(script: str) -> None:
    assert_same_as_bash(script + SHOWN)


@pytest.mark.parametrize("text", ["a;b", "a (b)", "a) (b", "a'b", "a && b", "a > b"])
@pytest.mark.parametrize("before", ["", "q=(1)\n", "set -e\n"])
def test_a_list_that_cannot_be_read_ends_the_line(text: str, before: str) -> None:
    assert_same_as_bash(f'{before}declare -a "q=({text})"; p same line' + STATUS + SHOWN)


@pytest.mark.parametrize("value", ["($(tool))", "$(tool)", "(a $(tool)", "$(tool) b)"])
@pytest.mark.parametrize("declaration", ['declare -a "q={}"', 'q=(0); declare "q={}"', 'declare -a q="{}"'])
def test_an_unknown_list_has_an_unknown_number_of_elements(declaration: str, value: str) -> None:
    (_, command) = read_script(declaration.format(value) + '\np "${q[@]}"').commands
    assert [word.value for word in command.words] == ["p", None]
    assert command.words[1].pieces[0].splits  # type: ignore[union-attr]


def test_a_text_with_unknown_words_is_a_list_of_them() -> None:
    (_, command) = read_script('declare -a "q=(a=1 b=$HOSTNAME)"\np "${q[@]}"').commands[-1:] * 2
    assert [word.shown for word in command.words[:2]] == ["p", "a=1"]
    assert command.words[2].shown.startswith("b=<unknown:")
