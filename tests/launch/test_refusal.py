"""What is wrong with a word that Hydra refuses: the first letter that its grammar does not take, and what to write."""

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from hypothesis import example, given, settings

from lint.launch.override import BadOverride, parse
from lint.launch.refusal import explain
from tests.launch.override_words import OVERRIDES


def is_taken(word: str) -> bool:
    """Whether Hydra's grammar takes a word; a function may still not take its values."""
    try:
        OverridesParser.create().parse_override(word).value()
    except HydraException as error:
        return "while evaluating" in str(error)
    return True


@given(OVERRIDES)
@example("a=b, ,c")
@example("a=${b:${c}}")
@example("a=[{b:[c,{d:e}]}]f")
@example("a=choice (1, x = [2])")
@example("a='b\\'c\\\\'")
@settings(max_examples=600, deadline=None)
def test_each_word_that_hydra_refuses_is_explained_and_no_other(word: str) -> None:
    assert (explain(word) is None) == is_taken(word)


@pytest.mark.parametrize(
    ("word", "wrong", "message", "help"),
    [
        ("a", "a", "without `=`", "write key=value"),
        ("a b=1", " ", "blank in the key", "take it away"),
        ("a[0]=1", "[", "no single item", "a=[...]"),
        ("a..b=1", ".", "nothing before a `.`", "leave it out"),
        ("a.=1", ".", "nothing behind a `.`", "leave it out"),
        ("a/=1", "/", "nothing behind a `/`", "leave it out"),
        ("a.1b=1", "1b", "no name", "begins with a letter"),
        ("a/b.c=1", ".", "both `/` and `.`", "key.key=value"),
        ("a@b@c=1", "@", "second `@`", "group@package=option"),
        ("+++a=1", "+", "before a key", "one of them"),
        ("+~a=1", "~", "before a key", "one of them"),
        ("'a'=1", "'", "quote in the key", "around the value"),
        ("a:b=1", ":", "ends at `=`", "key=value"),
        ("a,b=1", ",", "no `,`", "letters, digits"),
        ("a=[1,]", ",", "behind the last comma of the list", "before the ]"),
        ("a={b:1,}", ",", "behind the last comma of the dict", "before the }"),
        ("a=1,", ",", "behind the last comma", "blanks alone"),
        ("a=[,1]", ",", "before this comma", "leave the comma out"),
        ("a=[1,,2]", ",", "between two commas", "leave the comma out"),
        ("a=[1", "[1", "`[` here is not closed", "write the `]`"),
        ("a={b:[1}", "}", "closed by `]`", "close what is inside first"),
        ("a=1]", "]", "nothing opens", "remove the ]"),
        ("a='b", "'b", "single quote here is not closed", "close it"),
        ("a=it's", "'", "midst of a value", '"a=\\"it\'s\\""'),
        ("a='b'c", "c", "behind the closing quote", "between the quotes"),
        ("a=[b] ", " ", "behind the list", "take it away"),
        ("a=b=c", "=", "no `=` outside of quotes", "'a=\"b=c\"'"),
        ("a=b#c", "#", "no `#` outside", "'a=\"b#c\"'"),
        ("a=~/b", "~", "begin with `~`", "$HOME"),
        ("a=<my path>", "<", "no `<`", "in place of the placeholder"),
        ("a=\u6a21", "\u6a21", "no `\u6a21`", "quote the value"),
        ("a=b\nc", "\n", "line break", "take it away"),
        ("a=b(c)d(", "d", "behind the function", "take it away"),
        ("a=1(b)", "(", "midst of a value", "write \\("),
        ("a=${b", "${b", "not closed", "write the `}`"),
        ("a=${}", "${}", "names nothing", "${key}"),
        ("a={'b': 1}", "'b'", "no quotes", "{b: ...}"),
        ("a={b=1}", "=", "`key: value`", "{b: ...}"),
        ("a={b}", "b", "no value", "{b: value}"),
        ("a={b:}", "b:", "no value", "null or ''"),
        ("a={:1}", ":", "no key before", "{key: value}"),
        ("a={${b}:1}", "$", "cannot be an interpolation", "its name"),
        ("a=[b=c]", "=", "no `=` outside", "quote this item"),
    ],
)
def test_the_letter_that_is_wrong_is_named(word: str, wrong: str, message: str, help: str) -> None:
    refusal = explain(word)
    assert refusal is not None
    assert word[refusal.start : refusal.end] == wrong
    assert message in refusal.message
    assert help in refusal.help


@pytest.mark.parametrize(
    ("word", "wrong", "message"),
    [
        ("a=name(1)", "name", "Hydra has no function `name`"),
        ("a=range(b)", "range(b)", "Hydra cannot evaluate `range(b)`"),
        ("a=" + "[" * 5000, "[", "brackets inside each other"),
    ],
)
def test_what_the_grammar_takes_may_still_not_be_evaluated(word: str, wrong: str, message: str) -> None:
    with pytest.raises(BadOverride) as caught:
        parse(word)
    refusal = caught.value.refusal
    assert word[refusal.start : refusal.end] == wrong
    assert message in refusal.message
