"""Where the characters of a value stand in its YAML file."""

from __future__ import annotations

import pytest
import yaml

from lint.callers.written import Written, replaced, written


def value_of(file: str) -> tuple[str, Written]:
    node = yaml.compose(file, Loader=yaml.SafeLoader)
    ((_, value),) = node.value
    return value.value, written(file, value)


@pytest.mark.parametrize(
    "file",
    [
        "run: bash a.sh\n",
        "run: 'bash a.sh'\n",
        'run: "bash a.sh"\n',
        "run: |\n  first\n  bash a.sh\n",
        "run: |-\n    cat <<E\n      deeper\n    E\n\n    bash a.sh\n\n",
        "run: |+  # a comment\n  bash a.sh\n\n",
        "run: |2\n\n     deeper\n   bash a.sh\n",
    ],
)
def test_every_character_is_found_where_it_is_written(file: str) -> None:
    value, text = value_of(file)
    assert text.text.rstrip("\n") == value.rstrip("\n")
    assert [file[text.place(offset)] for offset, _ in enumerate(value)] == list(value)


def test_lines_that_windows_ends_are_found_too() -> None:
    file = "a: b\r\nrun: |\r\n  first\r\n\r\n  bash a.sh\r\n"
    node = yaml.compose(file, Loader=yaml.SafeLoader).value[1][1]
    text = written(file, node)
    assert (text.text, file[text.place(text.text.index("bash")) :]) == (node.value, "bash a.sh\r\n")


@pytest.mark.parametrize("file", ["run: >\n  bash\n  a.sh\n", 'run: "bash\\ta.sh"\n', "run: bash\n  a.sh\n"])
def test_what_does_not_stand_there_as_it_is_stands_at_its_beginning(file: str) -> None:
    value, text = value_of(file)
    assert text.text == value
    assert {text.place(offset) for offset, _ in enumerate(value)} == {5}


def test_what_replaces_an_expression_stands_where_that_does() -> None:
    file = "run: |\n  a ${{ one }} b ${{ two }}\n"
    _, text = value_of(file)
    filled = replaced(text, lambda expression: f"<{expression.strip()} is long>")
    assert filled.text == "a <one is long> b <two is long>\n"
    assert file[filled.place(filled.text.index("b"))] == "b"
    assert file[filled.place(filled.text.index("one"))] == "$"
