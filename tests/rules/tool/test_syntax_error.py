"""What is said of a script that is not valid bash, and what to write."""

import pytest

from tests.rules.pipeline import found


@pytest.mark.parametrize(
    ("script", "help"),
    [
        ('echo "abc\n', 'write the " where the text ends'),
        ("echo it's\n", "write \\' for an apostrophe, or put the whole text into double quotes"),
        ("echo 'abc\n", "write the ' where the text ends"),
        ("echo $(ls\n", "write the ) where it ends"),
        ("echo ${x\n", "write the } where it ends"),
        ("if true; then\necho\n", "write fi where the if of line 1 ends"),
        ("f() {\necho\n", "write } where the { of line 1 ends"),
        ("x=(a b\n", "write ) where the ( of line 1 ends"),
        ("for x in 1 2; echo; done\n", "write do before it, behind a ; or on a line of its own"),
        ("[[ a == b\necho\n", "close the test with ]], and quote what bash takes for syntax"),
        ("fi\n", "remove it, or write the if that belongs to it above"),
        ("}\n", "remove it, or write the { that belongs to it above"),
        ("echo )\n", "remove it, or quote it for bash: \\)"),
        ("&& echo\n", "write a command before it, or remove it"),
        ("x=1 ;; y=2\n", "remove it: it ends a branch of a case"),
        ("echo >\n", "write the file behind >"),
        ("echo |\n", "write the command that belongs behind the last operator, or remove that"),
    ],
)
def test_the_help_says_what_to_write(script: str, help: str) -> None:
    assert [finding.help for finding in found("syntax-error", script)] == [help]


@pytest.mark.parametrize(
    ("beginning", "help"),
    [
        ("ACTOR =(", "write ACTOR=(: bash takes no blank before the ="),
        ("ACTOR = (", "write ACTOR=(: bash takes no blank before the ="),
        ("export A=1; ACTOR +=(", "write ACTOR+=(: bash takes no blank before the ="),
        ("    ACTOR= (", "write ACTOR=(: bash takes no blank behind the ="),
        ("echo A (", "remove it, or quote it for bash: \\("),
    ],
)
def test_a_blank_beside_the_sign_of_an_array_is_named(beginning: str, help: str) -> None:
    assert found("syntax-error", f"{beginning}\n    a.b=1\n)\n")[0].help == help


def test_what_the_parser_has_no_special_words_for_has_a_help_too() -> None:
    (finding,) = found("syntax-error", "for ((i = 0; i < 2)); do echo; done\n")
    assert "bash -n" in (finding.help or "")
