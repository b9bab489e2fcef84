"""Elements at subscripts that only a run can tell, in expressions."""

import pytest

from tests.bash.real_bash import assert_same_as_bash, read_script


def last(script: str) -> list[str]:
    return [word.shown for word in read_script(script).commands[-1].words]


@pytest.mark.parametrize("arrays", ["list=(1 2)", "declare -A list=([a]=1)"])
def test_an_element_at_an_unknown_subscript_is_unknown(arrays: str) -> None:
    assert last(f"{arrays}; p $((list[$(run)] + 1))") == ["p", "<unknown: element of list at output of `run`>"]


@pytest.mark.parametrize("arrays", ["list=(1 2)", "declare -A list=([a]=1)"])
def test_an_array_is_unknown_after_one_was_set(arrays: str) -> None:
    assert "<unknown:" in last(f"{arrays}; (( list[$(run)] = 5 )); p ${{list[0]}}")[1]


@pytest.mark.parametrize("character", ["\ue000", "\U000f0000", "\U00100000", "\U0010ffff"])
def test_no_character_of_a_script_is_taken_for_an_unknown_piece(character: str) -> None:
    assert read_script(f"p $(({character} + 1))").commands == ()


def test_a_descriptor_that_is_no_number_is_ambiguous() -> None:
    assert_same_as_bash("p a <&x1; p b $?; p c <&-; p d <&0x; p e $?")
