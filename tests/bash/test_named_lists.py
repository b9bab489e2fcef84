"""`${!ref...}` where `ref` holds `@` or `*`: what edits the arguments joins them with spaces, whatever IFS is."""

from itertools import product

import pytest

from tests.bash.real_bash import assert_same_as_bash

SEPARATORS = ("", "IFS=:", "IFS=", "unset IFS", "IFS=', '")
OPERATORS = ("", "@Q", "@U", "@A", "@k", ":1", ":1:1", "#p", "%%x*", "/p/Z", "^^", "-x", "+y")
FORMS = ("p ${!ref%}", 'p "${!ref%}"', 'x=${!ref%}; p "$x"', 'x="${!ref%}"; p "$x"', 'p a${!ref%}b "c${!ref%}d"')


@pytest.mark.parametrize("name", ["@", "*"])
@pytest.mark.parametrize("separators", SEPARATORS)
def test_is_read_as_bash_runs_it(separators: str, name: str) -> None:
    """The arguments are not empty: in quotes, bash lets its mark for an empty one out."""
    lines = [form.replace("%", operator) for operator, form in product(OPERATORS, FORMS)]
    assert_same_as_bash("\n".join(["set -- p1 'p 2'", separators, f"ref='{name}'", *lines]))
