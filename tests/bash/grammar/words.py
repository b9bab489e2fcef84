"""Random words: quoting, expansions, substitutions, braces, tildes and patterns side by side."""

from __future__ import annotations

from random import Random

from tests.bash.grammar.arithmetic import expression
from tests.bash.grammar.choosing import (
    ARRAYS,
    EXTENDED,
    PATTERNS,
    SCALARS,
    Choice,
    several,
    single_quoted,
    weighted,
)

PLAIN = (
    *("x", "foo", "a.b", "7", "12", "k=v", "-n", "a/b/c", "Hello", "é", "%s", "a:b", "x,y", "+", "@", "a#b", "!"),
    *("straße", "İ", "ﬁ", "-", "--", "a=b:c", "]", "a]", "^", "x=~:", "a{", "}", "1", "=", "[", "日本"),
)
SPACED = (
    *(
        "a b",
        " x ",
        "",
        "it is",
        "*",
        "a\tb",
        "$HOME",
        "`",
        "\\",
        "{a,b}",
        "a\nb",
        '"',
        "x  y",
        "[ab]",
        "?",
        "&",
        "k=v w",
    ),
    *("\\n", "a\\", "(x)", ";", "#", "~", "!", "'"),
)
ESCAPES = (
    *("\\ ", "\\$", "\\*", "$'\\t'", "$'a\\nb'", "$'\\x41'", "a\\\nb", "\\'", "$'\\''", '""', "''", "\\\\", '\\"'),
    *(
        "$'\\101\\u00e9'",
        "$'\\cB'",
        "$'\\e'",
        "$''",
        '$""',
        '$"t u"',
        "\\{a,b}",
        "\\~",
        "\\#",
        "\\`",
        "\\\n",
        "$'\\\\x'",
    ),
)
BRACES = (
    *("{a,b}", "{1..3}", "{c..a}", "x{,y}", "{a,{b,c}}", "{1..9..4}", "{a}", "{$a,z}", "{01..03}", "{}", "{,}", "{a,b"),
    *("{a..c}{1,2}", "{-1..1}", "{3..1..2}", "{a,'b,c'}", '{"a b",c}', "{x,y\\,z}", "{a..e..2}", "{5..5}", "{1..a}"),
    *("a{b,c}d{e,f}", "{a,b}}", "{{a,b}", "${a}{x,y}", "{~,x}", "{$'a b',c}", "{a\\,b}", "{1..3}{a..b}", "{,a}b"),
)
OPERATORS = ("-", ":-", "+", ":+", "=", ":=")
LISTS = ("@", "*", "l[@]", "l[*]", "m[@]", "m[*]", "sparse[@]", "sparse[*]", "d[@]", "d[*]", "none[@]", "none[*]")
LIST_EDITS = (
    *(
        "",
        "",
        "",
        "",
        ":1",
        ":0:2",
        ": -1",
        ":1:1",
        ":5",
        "/o/0",
        "//[a-z]/X",
        "#a",
        "##*",
        "%o",
        "%%*",
        "^",
        "^^",
        ",,",
    ),
    *("@Q", "@U", "-x", ":-x y", "+x", ":+a b", "-$*", '+"$@"', "-$@", '+"$*"', "@u", "/#/<", "/%/>", "//o"),
)


def words_of(random: Random, least: int, most: int, depth: int) -> str:
    """A few words."""
    return " ".join(word(random, depth) for _ in range(random.randint(least, most)))


def parameter(random: Random, depth: int, quoted: bool) -> str:
    """`$x`, `${...}` of scalars, arrays, maps and positional parameters."""
    kind = random.randint(0, 19)
    name = random.choice((*SCALARS, *SCALARS, "1", "2", "l[1]", "d[k]", "none", "empty", "sparse[5]", "l"))
    if kind <= 2:
        return random.choice(
            (f"${{{name}}}", f"${{{name}}}", "$" + random.choice(SCALARS) + random.choice(("", "", ".", ":")))
        )
    if kind == 3:
        return random.choice(
            ("$1", "$2", "$#", "$@", "$*", "${@}", "${*:1}", "${@:2:1}", "${1-none}", "${#1}", "${10-ten}")
        )
    if kind == 4:
        subscript = random.choice(
            ("@", "*", "0", "1", "-1", "i", "i + 1", "$i", "${#m[@]}", "j-1", "i++", "'1'", '"1"')
        )
        return f"${{{random.choice(ARRAYS)}[{subscript}]}}"
    if kind <= 6:
        listed = random.choice(LISTS)
        edit = random.choice(LIST_EDITS)
        return f"${listed}" if listed in "@*" and not edit and random.random() < 0.5 else "${" + listed + edit + "}"
    if kind == 7:
        return random.choice(
            ("${#l[@]}", "${#l[*]}", "${!l[@]}", "${!l[*]}", "${!d[@]}", "${#d[k]}", "${#sparse[@]}", "${!sparse[*]}")
        )
    if kind == 8:
        keys = ("d[k]", "d[x y]", "d[none]-no", "d[$a]:-no", "d['k']", 'd["x y"]', "d[$b]", "d[~]-t", "d[@]")
        return "${" + random.choice(keys) + "}"
    if kind == 9:
        return random.choice((f"${{#{name}}}", "${#}", "${#@}", "${#*}", "${##}"))
    if kind == 10:
        return random.choice(
            ("${!ref}", "${!ref}", "${!ref-x}", "${!ref^^}", "${!ref:1}", "${!long_*}", "${!long_@}", "${!ref@Q}")
        )
    if kind <= 13:
        operand = operand_text(random, depth, quoted)
        return f"${{{name}{random.choice(OPERATORS)}{operand}}}"
    if kind == 14:
        operator = random.choice(("#", "##", "%", "%%", "^", "^^", ",", ",,", "~", "~~"))
        return f"${{{name}{operator}{pattern(random)}}}"
    if kind == 15:
        operator = random.choice(("/", "//", "/#", "/%"))
        replacements = (
            "",
            "/",
            "/X",
            "/[&]",
            "/'a b'",
            '/"&"',
            "/$b",
            "/\\&",
            "/x y",
            '/"$b"',
            "/&&",
            "/\\\\&",
            "/${a}/",
            "/~",
            "/'&'",
        )
        return f"${{{name}{operator}{pattern(random)}{random.choice(replacements)}}}"
    if kind == 16:
        offsets = (
            "0",
            "1",
            " -2",
            "1:2",
            "0:-1",
            "i",
            "${#b}",
            "1:i+1",
            "0:99",
            "(1)",
            "i?1:0",
            " -1:1",
            "1+1: 1",
            "$i:$j",
            "99",
        )
        return f"${{{name}:{random.choice(offsets)}}}"
    if kind == 17:
        return random.choice(
            (
                "$-x",
                "$BASH_SUBSHELL",
                "$BASH_SUBSHELL",
                "$LINENO",
                "${LINENO}",
                "${BASH_LINENO[*]}",
                "~none5",
                "${FUNCNAME[0]-none}",
                "${FUNCNAME-}",
                "${IFS@Q}",
                "$OPTIND",
            )
        )
    if kind == 18:
        listed = random.choice(("@", "*", "l[@]", "l[*]", "d[@]", "a", "b", "sparse[@]", "m[@]", "upper", "number"))
        return "${" + listed + "@" + random.choice("QEAaKkUuL") + "}"
    return f"${{{random.choice(SCALARS)}@{random.choice('QUuLEa')}}}"


def pattern(random: Random) -> str:
    """A pattern inside `${...}`."""
    text = random.choice(PATTERNS + EXTENDED).replace("/", "\\/")
    quoted = f"'{text}'" if "'" not in text else text
    return random.choice((text, text, quoted, f'"{text}"', "$a", '"$b"', "${c}", text + "$a", '"$1"*', "\\" + "*", "~"))


def operand_text(random: Random, depth: int, quoted: bool) -> str:
    """The word after `:-`, inside or outside of double quotes."""
    texts = (
        "",
        "x",
        "a b",
        "7",
        "*",
        "\\}",
        "~",
        "a:b",
        '"q r"',
        "\\$",
        "\\\\",
        "{x}",
        "x{y,z",
        '"{"',
        '$"t u"',
        "{a,b}",
        ":~",
        "a\\\nb",
        "#",
        "\\'",
    )
    choices: list[Choice] = [
        lambda: random.choice(texts),
        lambda: "${" + random.choice(SCALARS) + "}",
        lambda: "$" + random.choice((*SCALARS, "1", "@", "*")),
        lambda: "$'\\t'",
    ]
    if not quoted:
        choices.append(lambda: random.choice(("'s t'", "a\\ b", "'}'", '"}"', "''", '""', "\\*", "'$a'")))
    if depth > 0:
        choices.append(lambda: parameter(random, depth - 1, quoted))
        choices.append(lambda: double_quoted(random, depth - 1))
        choices.append(lambda: f"$(({expression(random, 1)}))")
        choices.append(lambda: substitution(random, depth - 1))
    return several(random, choices, 1, 2)


def double_quoted(random: Random, depth: int) -> str:
    """A string in double quotes."""
    texts = (
        "x",
        " ",
        "a b",
        "*",
        "'",
        "\\$",
        '\\"',
        "\\\\",
        "\\x",
        "~",
        "\\`",
        "$.",
        "é",
        "a\nb",
        "\\\n",
        "{a,b}",
        ":",
        "\\a",
        "#",
        "\t",
        "=",
    )
    parts: list[Choice] = [
        lambda: random.choice(texts),
        lambda: parameter(random, depth, True),
    ]
    if depth > 0:
        parts.append(lambda: substitution(random, depth - 1))
        parts.append(lambda: f"$(({expression(random, 1)}))")
    text = several(random, parts, 0, 3)
    return '"' + (text[:-1] + "." if text.endswith("$") else text) + '"'


def substitution(random: Random, depth: int) -> str:
    """`$(...)` with builtins that write, or with functions of the script; backquotes; `$(<<<)`."""
    words = words_of(random, 1, 2, depth)
    kind = random.randint(0, 11)
    if kind <= 1:
        return f"$(echo {words})"
    if kind == 2:
        return f"$(printf '<%s>\\n' {words})"
    if kind == 3:
        return f"$(f {words})"
    if kind == 4:
        return f'$(for q in {words}; do echo "$q"; done)'
    if kind == 5:
        return f"$( {random.choice(('a=inner', 'set --', 'IFS=,', 'IFS=', 'i=9'))}; echo {words} )"
    if kind == 6:
        return f'$(echo {words} | while read -r x y; do echo "$y-$x"; done)'
    if kind == 7:
        return "$(IFS= read -r x <<< " + word(random, 0) + '; echo "$x")'
    if kind == 8:
        return "$(declare -p " + random.choice(("a", "l", "d", "sparse", "number", "upper", "m", "c")) + ")"
    if kind == 9:
        return "$(if [[ $a ]]; then echo yes; else echo no; fi # comment\n)"
    if kind == 10:
        return "$(case $a in (f*) echo one;; *) echo other;; esac)"
    texts = (
        "x y",
        "\\$a",
        "$b",
        '"q r"',
        "\\\\\\\\",
        "'x'",
        "\\`echo in\\`",
        '"\\$a"',
        "a\\\nb",
        "$(echo y)",
        "${c:-z}",
        "\\\\n",
    )
    return "`echo " + random.choice(texts) + "`"


def word(random: Random, depth: int = 2) -> str:
    """Any word."""
    parts: list[tuple[int, Choice]] = [
        (3, lambda: random.choice(PLAIN)),
        (2, lambda: single_quoted(random.choice(SPACED))),
        (4, lambda: parameter(random, depth, False)),
        (4, lambda: double_quoted(random, depth)),
        (2, lambda: random.choice(ESCAPES)),
        (2, lambda: random.choice(BRACES)),
        (1, lambda: random.choice(("*", "?x", "[ab]", "no*such", "[a", "*.none"))),
    ]
    if depth > 0:
        parts.append((2, lambda: substitution(random, depth - 1)))
        parts.append((1, lambda: f"$(({expression(random)}))"))
        parts.append((1, lambda: random.choice(("$[i + 1]", "$(( i ))", "$((i++))", "$((\ni\n))"))))
    start = random.choice((*("",) * 12, "~/", "x:~/", "~", "k=~/", "~+", "a=b:~/"))
    if random.random() < 0.005:
        start = random.choice(("~root/", "x:~nobody", "~me"))  # which are unknown to us
    return start + "".join(weighted(random, parts) for _ in range(random.choice((1, 1, 1, 2, 2, 3))))
