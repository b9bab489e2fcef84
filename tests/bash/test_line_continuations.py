"""A line continuation is nothing, also inside of a keyword or an operator."""

import pytest

from tests.bash.real_bash import assert_same_as_bash, read_script

SCRIPTS = {
    "if": "i\\\nf true; th\\\nen p y; f\\\ni; p z",
    "else": "if false; then p a; el\\\nse p b; fi; if false; then p; el\\\nif true; then p c; fi",
    "while": "wh\\\nile false; do p; do\\\nne; p a",
    "do before a blank": "for q in a b; do\\\n p $q; do\\\nne; p after",
    "for": "for\\\n q in a; do p $q; done; for q i\\\nn b; do p $q; done",
    "case": "ca\\\nse x in x) p y;; es\\\nac; p z",
    "items of a case": "case x in x) p y;\\\n; y) p n;; esac; case x in x) p y;\\\n;& *) p more;; esac",
    "and, or": "true &\\\n& p and; false |\\\n| p or",
    "a test": "[\\\n[ a == a ]\\\n] && p y; [[ a =\\\n= a &\\\n& b !\\\n= c ]] && p z",
    "arithmetic": "(\\\n( i=3 )); p $i",
    "a group": "{\\\n p a; }; p b",
    "functions": "fun\\\nction h { p in; }; h; g (\\\n) { p in; }; g; k(\\\n) { p k; }; k",
    "redirections": "p a 2>\\\n&1; p b 2\\\n>&1; p c >\\\n|/dev/null; p d >\\\n> /dev/null",
    "a here-document": "read -r v <\\\n<E\nx\nE\np $v",
    "an assignment": "x=1; x+\\\n=2; p $x",
    "what is quoted": "p 'i\\\nf' \"do\\\nne\" d\\\no # i\\\np f",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_as_bash(name: str) -> None:
    assert_same_as_bash(SCRIPTS[name], status=False)


def test_positions_are_those_of_the_script() -> None:
    script = "i\\\nf true; then p yes; fi"
    command = read_script(script).commands[0]
    assert script[command.span.start : command.span.end] == "p yes"


def test_many_of_them_are_said() -> None:
    assert any(
        "line continuations" in unchecked.reason for unchecked in read_script("i\\\nf p; then p; fi\n" * 50).unchecked
    )
