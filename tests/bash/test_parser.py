"""What the syntax tree of a script looks like, and what is reported where."""

from __future__ import annotations

import pytest

from lint.bash.parser import parse
from lint.bash.syntax import (
    Arithmetic,
    ArithmeticCommand,
    ArrayLiteral,
    Assignment,
    BinaryTest,
    Case,
    Command,
    CommandSubstitution,
    Coprocess,
    DoubleQuoted,
    For,
    Function,
    Group,
    HereDocument,
    If,
    Literal,
    Parameter,
    Part,
    Quoted,
    Script,
    SimpleCommand,
    Subshell,
    Test,
    Unreadable,
    Word,
)
from lint.text import Source
from tests.timing import in_time

Test.__test__ = False  # type: ignore[attr-defined]  # a node of the tree, not a class of tests


def script(text: str) -> Script:
    return parse(Source("script", text))


def only(text: str) -> Command:
    """The one command of a text without errors."""
    result = script(text)
    assert result.errors == ()
    [statement] = result.body
    [pipeline] = statement.pipelines
    return pipeline.commands[0]


def simple(text: str) -> SimpleCommand:
    command = only(text)
    assert isinstance(command, SimpleCommand)
    return command


def parts(text: str) -> tuple[Part, ...]:
    """The parts of the one argument of `echo`."""
    word = simple(f"echo {text}").words[1]
    assert isinstance(word, Word)
    return word.parts


def source_of(text: str) -> list[str]:
    """The words of each simple command at the top level, as they stand in the source."""
    return [
        " ".join(text[word.start : word.end] for word in (*command.assignments, *command.words))
        for statement in script(text).body
        for pipeline in statement.pipelines
        for command in pipeline.commands
        if isinstance(command, SimpleCommand)
    ]


def errors(text: str) -> list[tuple[str, str]]:
    """Line:column and message of each error."""
    result = script(text)
    return [(":".join(map(str, result.source.position(error.start))), error.message) for error in result.errors]


# ------------------------------------------------------------------------------------------------------------- words


def test_a_word_is_its_parts_side_by_side() -> None:
    assert parts("a'b c'\"d $e\"$f") == (
        Literal(5, 6, "a"),
        Quoted(6, 11, "b c"),
        DoubleQuoted(11, 17, (Quoted(12, 14, "d "), Parameter(14, 16, "e"))),
        Parameter(17, 19, "f"),
    )


def test_escapes_are_decoded_in_dollar_quotes_only() -> None:
    assert parts(r"$'a\tb\x41\u00e9\'\0z'") == (Quoted(5, 27, "a\tbAé'"),)
    assert parts(r"'a\tb'") == (Quoted(5, 11, r"a\tb"),)
    assert parts(r"\t") == (Quoted(5, 7, "t"),)


@pytest.mark.parametrize(
    ("text", "name", "operator"),
    [
        ("${a}", "a", ""),
        ("${#}", "#", ""),
        ("${@}", "@", ""),
        ("${a:-x}", "a", ":-"),
        ("${a-x}", "a", "-"),
        ("${a##*/}", "a", "##"),
        ("${a%%x}", "a", "%%"),
        ("${a//x/y}", "a", "//"),
        ("${a/#x/y}", "a", "/#"),
        ("${a: -1}", "a", ":"),
        ("${a^^}", "a", "^^"),
        ("${a@Q}", "a", "@"),
        ("${#-x}", "#", "-"),
    ],
)
def test_operators_of_parameters(text: str, name: str, operator: str) -> None:
    [parameter] = parts(text)
    assert isinstance(parameter, Parameter)
    assert (parameter.name, parameter.operator) == (name, operator)


def test_length_indirection_keys_and_names() -> None:
    assert parts("${#a}") == (Parameter(5, 10, "a", length=True),)
    assert parts("${!a}") == (Parameter(5, 10, "a", indirect=True),)
    assert parts("${!a[@]}") == (Parameter(5, 13, "a", subscript="@", indirect=True),)
    assert parts("${!a@}") == (Parameter(5, 11, "a", names="@"),)
    assert parts("${##}") == (Parameter(5, 10, "#", length=True),)


def test_single_quotes_quote_in_an_operand_unless_it_stands_in_double_quotes() -> None:
    [outside] = parts("${a:-'b c'}")
    assert isinstance(outside, Parameter)
    assert outside.operand == Word(10, 15, (Quoted(10, 15, "b c"),))
    [inside] = parts("\"${a:-'b c'}\"")
    assert isinstance(inside, DoubleQuoted)
    [parameter] = inside.parts
    assert isinstance(parameter, Parameter)
    assert parameter.operand is not None
    assert "".join(part.text for part in parameter.operand.parts if isinstance(part, Quoted)) == "'b c'"


def test_a_pattern_in_double_quotes_has_quotes_of_its_own() -> None:
    [quoted] = parts("\"${a#'*'}\"")
    assert isinstance(quoted, DoubleQuoted)
    [parameter] = quoted.parts
    assert isinstance(parameter, Parameter)
    assert parameter.operand == Word(10, 13, (Quoted(10, 13, "*"),))


def test_two_parentheses_are_arithmetic_only_if_they_end_together() -> None:
    assert isinstance(parts("$((1 + (2)))")[0], Arithmetic)
    assert isinstance(parts("$((a); (b))")[0], CommandSubstitution)
    assert isinstance(only("((a))"), ArithmeticCommand)
    assert isinstance(only("((a); b)"), Subshell)


def test_offsets_inside_backquotes_and_here_documents_are_those_of_the_source() -> None:
    text = "echo `echo \\`date\\`` <<-EOF\n\tx $y\n\tEOF\n"
    command = simple(text)
    outer = command.words[1].parts[0]  # type: ignore[union-attr]
    assert isinstance(outer, CommandSubstitution)
    inner = outer.body[0].pipelines[0].commands[0]
    assert isinstance(inner, SimpleCommand)
    word = inner.words[1]
    assert text[word.start : word.end] == "\\`date\\`"
    document = command.redirections[0].target
    assert isinstance(document, HereDocument)
    text_part, parameter, newline = document.parts
    assert isinstance(text_part, Quoted)
    assert text_part.text == "x "
    assert text[parameter.start : parameter.end] == "$y"
    assert isinstance(newline, Quoted)


# ---------------------------------------------------------------------------------------------------------- commands


def test_assignments_before_a_command_and_in_declarations() -> None:
    command = simple("A=1 B+=2 run C=3")
    assert [(a.name, a.append) for a in command.assignments] == [("A", False), ("B", True)]
    assert len(command.words) == 2
    declared = simple("export A=1 B").words
    assert isinstance(declared[1], Assignment)
    assert isinstance(declared[2], Word)


def test_array_literals_have_comments_line_ends_and_subscripts() -> None:
    result = script("a=(one # first\n  [3]=two\n  [k]+=x\n)")
    [assignment] = result.body[0].pipelines[0].commands[0].assignments  # type: ignore[union-attr]
    assert isinstance(assignment.value, ArrayLiteral)
    elements = assignment.value.elements
    assert [(element.subscript is not None, element.append) for element in elements] == [
        (False, False),
        (True, False),
        (True, True),
    ]
    assert [comment.text for comment in result.comments] == ["# first"]


def test_reserved_words_are_reserved_only_where_a_command_begins() -> None:
    assert source_of("echo if then fi { }") == ["echo if then fi { }"]
    assert isinstance(only("if a; then b; fi"), If)
    assert isinstance(only("{ a; }"), Group)
    assert source_of("{a,b}") == ["{a,b}"]


def test_compound_commands() -> None:
    loop = only("for i in 1 2; do a; done >x")
    assert isinstance(loop, For)
    assert len(loop.words or ()) == 2
    assert len(loop.redirections) == 1
    assert isinstance(only("for i; do a; done"), For)
    case = only("case $x in (a|b) c ;& *) d ;; esac")
    assert isinstance(case, Case)
    assert [(len(item.patterns), item.terminator) for item in case.items] == [(2, ";&"), (1, ";;")]
    function = only("function f-g { a; } 2>&1")
    assert isinstance(function, Function)
    assert function.name == "f-g"
    coprocess = only("coproc N { a; }")
    assert isinstance(coprocess, Coprocess)
    assert coprocess.name == "N"


def test_the_right_side_of_a_match_may_hold_parentheses_and_blanks() -> None:
    test = only("[[ $a =~ ^(b|c d)$ ]]")
    assert isinstance(test, Test)
    assert isinstance(test.expression, BinaryTest)
    text = "[[ $a =~ ^(b|c d)$ ]]"
    assert text[test.expression.right.start : test.expression.right.end] == "^(b|c d)$"


def test_pipelines_and_lists() -> None:
    [statement] = script("! a |& b | c && d || e &").body
    assert [len(pipeline.commands) for pipeline in statement.pipelines] == [3, 1, 1]
    assert statement.operators == ("&&", "||")
    assert statement.background
    assert statement.pipelines[0].negated
    assert statement.pipelines[0].merged == (True, False, False)


def test_extended_patterns_are_read_after_shopt() -> None:
    assert errors("echo @(a|b)") != []
    assert errors("shopt -s extglob\necho @(a|b c)") == []


def test_nul_bytes_are_ignored_and_carriage_returns_are_text() -> None:
    assert source_of("ec\0ho a\n") == ["ec\0ho a"]
    words = simple("echo a\r\n").words
    assert isinstance(words[1], Word)
    assert words[1].parts == (Literal(5, 7, "a\r"),)


# ---------------------------------------------------------------------------------------------------------- accidents


def test_a_wrong_bracket_costs_only_its_expansion() -> None:
    text = "run \\\n  a=${b) \\\n  c=$(d}\\\n  e=f\nnext\n"
    assert errors(text) == [
        ("2:5", 'unbalanced "${b)": "}" is missing'),
        ("3:5", 'unbalanced "$(d}": ")" is missing'),
    ]
    assert source_of(text) == ["run a=${b) c=$(d} e=f", "next"]


def test_an_expansion_that_bash_cannot_read_is_named_whole() -> None:
    assert errors("echo ${a.b} c") == [("1:6", 'bad substitution: "${a.b}"')]


@pytest.mark.parametrize(
    ("text", "where", "commands"),
    [
        ('A="one\nB="two"\necho "$A"\n', "1:3", ['A="one', 'B="two"', 'echo "$A"']),
        ("run \\\n  a='x \\\n  b='y' \\\n  c\nnext\n", "2:5", ["run a='x b='y' c", "next"]),
        ("echo it's\nrun 'a b'\n", "1:8", ["echo it's", "run 'a b'"]),
        ('x="$(date"\ny="2"\nrun\n', "1:4", ['x="$(date"', 'y="2"', "run"]),
        ("x=$((1 + 2)\nrun\n", "1:3", ["x=$((1 + 2)", "run"]),
        ("x=`date\nrun\n", "1:3", ["x=`date", "run"]),
        ("A=(\n  a\n  b\n\nrun c | tee d\n", "1:3", None),
    ],
)
def test_a_quote_or_bracket_that_was_not_closed_ends_with_its_line(
    text: str, where: str, commands: list[str] | None
) -> None:
    [(place, _)] = errors(text)
    assert place == where
    if commands is not None:
        assert source_of(text) == commands
    else:
        assert source_of(text)[-1] == "tee d"


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("if a; then\n  b\n\nrun\n", "1:1", 'unexpected end of file looking for "fi" of the "if" in line 1'),
        (
            "if a; then\n  if b; then\n    c\nfi\nrun\n",
            "2:3",
            'unexpected end of file looking for "fi" of the "if" in line 2',
        ),
        ("for i in a; do\n  b\nrun\n", "1:1", 'unexpected end of file looking for "done" of the "for" in line 1'),
        ("case a in\n  b) c ;;\nrun\n", "1:1", 'unexpected end of file looking for "esac" of the "case" in line 1'),
        ("f() {\n  a\n\nrun\n", "1:5", 'unexpected end of file looking for "}" of the "{" in line 1'),
        ("f() {\n  for i in a; do\n    b\n}\nrun\n", "4:1", 'unexpected "}" looking for "done" of the "for" in line 2'),
        ("f() {\n  a\n}\n}\nrun\n", "4:1", 'unexpected "}"'),
        ("if a\n  b\nfi\nrun\n", "3:1", 'unexpected "fi" looking for "then"'),
        ("fi\nrun\n", "1:1", 'unexpected "fi"'),
        ("a && && b\nrun\n", "1:6", 'unexpected "&&"'),
    ],
)
def test_what_follows_a_broken_block_is_still_read(text: str, where: str, message: str) -> None:
    assert errors(text)[0] == (where, message)
    assert source_of(text)[-1] == "run"


def test_a_stray_parenthesis_does_not_end_its_command() -> None:
    assert errors("run a=b) c \\\n d\n") == [("1:8", 'unexpected ")"')]
    assert source_of("run a=b) c \\\n d\n") == ["run a=b c d"]
    assert errors("run a=b(c) d\n") == [("1:8", 'unexpected "("')]
    command = script("run a=b(c) d\n").body[0].pipelines[0].commands[0]
    assert isinstance(command, SimpleCommand)
    word = command.words[1]
    assert isinstance(word, Word)
    assert isinstance(word.parts[-1], Unreadable)


def test_line_ends_of_another_system_are_one_error() -> None:
    text = "if a; then\r\n  b\r\nfi\r\nrun\r\n"
    assert errors(text) == [("1:11", "carriage return at the line end: bash reads it as part of the last word")]
    assert isinstance(script(text).body[0].pipelines[0].commands[0], If)


# ------------------------------------------------------------------------------------------------------------ hostile


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "((" * 50_000,
        "$(" * 50_000,
        "${a:-" * 50_000,
        "$((" * 50_000,
        '"$(' * 50_000,
        "[[ " + "( " * 50_000,
        "if " * 50_000,
        "{ " * 50_000,
        "(\n" * 50_000,
        '"' * 200_001,
        "`" * 100_001,
        "a=${x) " * 50_000,
        "fi\n" * 50_000,
        "cat <<E\n" * 20_000,
        "a" * 5_000_000,
        "a \\\n" * 100_000,
        "a && " * 50_000,
        "a=(" + "x " * 100_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    in_time(5, lambda: script(text))
