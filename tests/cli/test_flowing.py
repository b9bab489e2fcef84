"""The text of a command's help fills the lines of the terminal."""

from lint.cli.flowing import flowing


def test_paragraphs_lose_the_line_ends_of_the_source_and_examples_keep_them() -> None:
    text = "One line.\n\n    A paragraph\n    in two lines.\n\n    An example:\n        first\n        second\n    "
    assert flowing(text) == "One line.\n\nA paragraph in two lines.\n\nAn example:\n    first\n    second"
