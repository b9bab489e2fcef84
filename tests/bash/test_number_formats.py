"""`printf` with every flag, width and precision, as C has it."""

from itertools import product

import pytest

from tests.bash.real_bash import assert_same_as_bash

FLAGS = ("", "0", "-", "+", " ", "#", "+0", "0-", " 0", "#0")
WIDTHS = ("", "6", "1")
PRECISIONS = ("", ".", ".0", ".3")
ARGUMENTS = {
    "dioxXu": "0 5 -5 123456 -0 0x1f 017",
    "feEgGF": "0 1.5 -2.5 12345678 1e10 .0001 0.5 inf -inf nan -nan",
    "sbqQ": "abc '' 'x y' é \"'\"",
}


@pytest.mark.parametrize("letter", "dioxXufeEgGFsbqQ")
def test_is_written_as_bash_writes_it(letter: str) -> None:
    values = next(values for letters, values in ARGUMENTS.items() if letter in letters)
    flags = FLAGS if letter not in "sbqQ" else ("", "-")
    forms = ["%" + "".join(each) + letter for each in product(flags, WIDTHS, PRECISIONS)]
    assert_same_as_bash("\n".join(f"printf -v v '{form}|' {values}; p '{form}' \"$v\" $?" for form in forms))
