"""Random bash programs, from the whole grammar, whose every value is known: what the reader must read as bash does."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

SCALARS = ("a", "b", "c", "long_name")
ARRAYS = ("l", "m")
MAPS = ("d",)
PLAIN = (
    "x",
    "foo",
    "a.b",
    "7",
    "12",
    "k=v",
    "-n",
    "a/b/c",
    "Hello",
    "é",
    "%s",
    "a:b",
    "x,y",
    "+",
    "@",
    "a#b",
    "!",
)
SPACED = (
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
)
PATTERNS = ("*", "?", "a*", "*b", "[a-c]*", "*/", "*.*", "x", "[!x]?", "*o", "o", "/", ":*", "b c", "[[:upper:]]*")
ESCAPES = ("\\ ", "\\$", "\\*", "$'\\t'", "$'a\\nb'", "$'\\x41'", "a\\\nb", "\\'", "$'\\''", '""', "''")
BRACES = ("{a,b}", "{1..3}", "{c..a}", "x{,y}", "{a,{b,c}}", "{1..9..4}", "{a}", "{$a,z}", "{01..03}")
OPERATORS = ("-", ":-", "+", ":+", "=", ":=")
NUMBERS = ("0", "1", "2", "7", "10", "0x1f", "010", "2#101", "-3", "1000000007", "9223372036854775807")


Choice = Callable[[], str]


def several(random: Random, choices: list[Choice], least: int, most: int) -> str:
    """A few of the choices side by side."""
    return "".join(random.choice(choices)() for _ in range(random.randint(least, most)))


def words_of(random: Random, least: int, most: int, depth: int) -> str:
    """A few words."""
    return " ".join(word(random, depth) for _ in range(random.randint(least, most)))


def single_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def expression(random: Random, depth: int = 2) -> str:
    """An arithmetic expression without division by zero, and with shifts that fit."""
    if depth == 0 or random.random() < 0.5:
        return random.choice((*NUMBERS, "i", "j", "$i", "${j}", "${#a}", "${#l[@]}"))
    left, right = expression(random, depth - 1), expression(random, depth - 1)
    kind = random.randint(0, 7)
    if kind == 0:
        return f"({left})"
    if kind == 1:
        return f"{left} {random.choice(('/', '%'))} {random.choice(('1', '2', '7', '-3'))}"
    if kind == 2:
        return f"{left} {random.choice(('<<', '>>'))} {random.choice(('0', '1', '5'))}"
    if kind == 3:
        return f"({left}) ? {right} : {expression(random, 0)}"
    if kind == 4:
        return f"{random.choice(('!', '~', '- ', '+ '))}({left})"
    if kind == 5:
        return f"{random.choice(('i', 'j'))} {random.choice(('=', '+=', '-=', '|=', '^='))} ({left})"
    if kind == 6:
        return random.choice(("i++", "--j", "i--", "++i", "i = 3, j = 4"))
    operator = random.choice(("+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "&&", "||"))
    return f"{left} {operator} {right}"


def parameter(random: Random, depth: int, quoted: bool) -> str:
    """`$x`, `${...}` of scalars, arrays, maps and positional parameters."""
    kind = random.randint(0, 15)
    name = random.choice(SCALARS)
    if kind <= 2:
        return f"${{{name}}}"
    if kind == 3:
        return random.choice(("$1", "$2", "$#", "$@", "$*", "${@}", "${*:1}", "${@:2:1}", "${1-none}", "${#1}"))
    array = random.choice(ARRAYS)
    if kind == 4:
        subscript = random.choice(("@", "*", "0", "1", "-1", "i", "i + 1", "$i"))
        return f"${{{array}[{subscript}]}}"
    if kind == 5:
        form = random.choice(("#%s[@]", "!%s[@]", "%s[@]:1", "%s[@]: -1", "%s[@]/o/0", "%s[@]#a", "%s"))
        return "${" + form % array + "}"
    if kind == 6:
        return random.choice(("${d[k]}", "${d[x y]}", "${#d[@]}", "${d[none]-no}", "${d[$a]:-no}"))
    if kind == 7:
        return f"${{#{name}}}"
    if kind == 8:
        return "${!ref}"
    if kind <= 11:
        operand = operand_text(random, depth, quoted)
        return f"${{{name}{random.choice(OPERATORS)}{operand}}}"
    if kind == 12:
        operator = random.choice(("#", "##", "%", "%%", "^", "^^", ",", ",,", "~", "~~"))
        return f"${{{name}{operator}{pattern(random)}}}"
    if kind == 13:
        operator = random.choice(("/", "//", "/#", "/%"))
        replacement = random.choice(("", "/", "/X", "/[&]", "/'a b'", '/"&"', "/$b", "/\\&", "/x y"))
        return f"${{{name}{operator}{pattern(random)}{replacement}}}"
    if kind == 14:
        return f"${{{name}:{random.choice(('0', '1', ' -2', '1:2', '0:-1', 'i', '${#b}', '1:i+1', '0:99'))}}}"
    return f"${{{name}@{random.choice('QUuL')}}}"


def pattern(random: Random) -> str:
    """A pattern inside `${...}`."""
    text = random.choice(PATTERNS).replace("/", "\\/")
    return random.choice((text, text, f"'{text}'", f'"{text}"', "$a", '"$b"', "${c}"))


def operand_text(random: Random, depth: int, quoted: bool) -> str:
    """The word after `:-`, inside or outside of double quotes."""
    choices: list[Choice] = [
        lambda: random.choice(
            ("", "x", "a b", "7", "*", "\\}", "~", "a:b", '"q r"', "\\$", "\\\\", "{", "{x}", "x{y,z", '"{"', '$"t u"')
        ),
        lambda: "${" + random.choice(SCALARS) + "}",
        lambda: "$" + random.choice((*SCALARS, "1", "@", "*")),
        lambda: "$'\\t'",
    ]
    if not quoted:
        choices.append(lambda: random.choice(("'s t'", "a\\ b", "'}'", '"}"')))
    if depth > 0:
        choices.append(lambda: parameter(random, depth - 1, quoted))
        choices.append(lambda: double_quoted(random, depth - 1))
    return several(random, choices, 1, 2)


def double_quoted(random: Random, depth: int) -> str:
    """A string in double quotes."""
    parts: list[Choice] = [
        lambda: random.choice(("x", " ", "a b", "*", "'", "\\$", '\\"', "\\\\", "\\x", "~", "\\`", "$.", "é")),
        lambda: parameter(random, depth, True),
    ]
    if depth > 0:
        parts.append(lambda: substitution(random, depth - 1))
        parts.append(lambda: f"$(({expression(random, 1)}))")
    return '"' + several(random, parts, 0, 3) + '"'


def substitution(random: Random, depth: int) -> str:
    """`$(...)` with a builtin that writes."""
    words = words_of(random, 1, 2, depth)
    kind = random.randint(0, 4)
    if kind == 0:
        return f"$(echo {words})"
    if kind == 1:
        return f"$(printf '<%s>\\n' {words})"
    if kind == 2:
        return f"$(f {words})"
    if kind == 3:
        return f'$(for q in {words}; do echo "$q"; done)'
    return "`echo " + random.choice(("x y", "\\$a", "$b", '"q r"', "\\\\\\\\")) + "`"


def word(random: Random, depth: int = 2) -> str:
    """Any word: text, quotes, escapes, expansions, braces and patterns side by side."""
    parts: list[Choice] = [
        lambda: random.choice(PLAIN),
        lambda: single_quoted(random.choice(SPACED)),
        lambda: parameter(random, depth, False),
        lambda: double_quoted(random, depth),
        lambda: random.choice(ESCAPES),
        lambda: random.choice(BRACES),
        lambda: random.choice(("*", "?x", "[ab]", "no*such")),
    ]
    if depth > 0:
        parts.append(lambda: substitution(random, depth - 1))
        parts.append(lambda: f"$(({expression(random)}))")
    return random.choice(("", "", "", "", "~/", "x:~/")) + several(random, parts, 1, 2)


def condition(random: Random, depth: int) -> str:
    kind = random.randint(0, 9)
    text = word(random, 1)
    name = random.choice(SCALARS)
    if kind == 0:
        return f"(({expression(random, 1)}))"
    if kind == 1:
        return f"[[ ${name} == {random.choice(PATTERNS).replace(' ', chr(92) + ' ')} ]]"
    if kind == 2:
        return f'[[ ${name} != "${random.choice(SCALARS)}" ]]'
    if kind == 3:
        regex = random.choice(("^a", "o+$", "([a-z]+)[:/]?(.*)", "^[0-9]+$", "b.c", "^(a|b c)", "[[:digit:]]"))
        return f"[[ ${name} =~ {regex} ]]"
    if kind == 4:
        return f'[ "${name}" = {double_quoted(random, 1)} ]'
    if kind == 5:
        operator = random.choice(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
        return f"[[ $i {operator} {random.choice(NUMBERS)} ]]"
    if kind == 6:
        operator = random.choice(("-z", "-n"))
        return f"[[ {operator} {text} ]]"
    if kind == 7:
        return f"[[ -v {random.choice(('a', 'none', 'l[1]', 'd[k]'))} ]]"
    if kind == 8 and depth > 0:
        joined = random.choice(("&&", "||"))
        return f"{condition(random, depth - 1)} {joined} {condition(random, depth - 1)}"
    return f"! [[ ${name} < {random.choice(('b', 'foo', '7'))} ]]"


def assignment(random: Random) -> str:
    kind = random.randint(0, 11)
    name = random.choice(SCALARS)
    text = word(random)
    if kind <= 2:
        return f"{name}={text}"
    if kind == 3:
        return f"{name}+={text}"
    array = random.choice(ARRAYS)
    words = words_of(random, 0, 3, 1)
    if kind == 4:
        return f"{array}=({words})"
    if kind == 5:
        return f"{array}+=({words})"
    if kind == 6:
        return f"{array}[{random.choice(('0', '1', '3', 'i', '-1', '$i'))}]={text}"
    if kind == 7:
        return f"d[{random.choice(('k', 'x y', '$a', 'new'))}]={text}"
    if kind == 8:
        return f"{random.choice(('declare', 'declare -u', 'declare -l', 'export', 'declare -a'))} {name}={text}"
    if kind == 9:
        template = random.choice(("%s", "[%s]", "%d", "%5s.", "%q", "%b", "%-4s.%s", "%03d"))
        return f"printf -v {name} {template} {text}"
    if kind == 10:
        return f"read -r {name} {random.choice(SCALARS)} <<< {double_quoted(random, 1)}"
    return f"(({expression(random)}))"


def simple(random: Random) -> str:
    kind = random.randint(0, 11)
    words = words_of(random, 1, 3, 2)
    if kind <= 3:
        return f"rec {words}"
    if kind <= 6:
        return assignment(random)
    if kind == 7:
        return f"set -- {words}"
    if kind == 8:
        return f"f {words}"
    if kind == 9:
        return random.choice(("IFS=:", "IFS=", "unset IFS", "IFS=' :'", "IFS=x", "shift", "unset a", "unset 'l[0]'"))
    if kind == 10:
        return random.choice(SCALARS) + f'={word(random, 1)} rec "$a" {words}'
    return random.choice(
        ("ref=b", "ref=l[1]", "eval 'b=$a'", "eval rec '$a'", 'mapfile -t m <<< "$a"', "local_test", "i=$((i + 1))")
    )


def block(random: Random, depth: int) -> str:
    """One or two commands."""
    return "\n".join(command(random, depth) for _ in range(random.randint(1, 2)))


def command(random: Random, depth: int = 2) -> str:
    kind = random.randint(0, 14) if depth > 0 else 0
    if kind <= 5:
        return simple(random)
    inner = block(random, depth - 1)
    if kind == 6:
        return f"if {condition(random, 1)}; then\n{inner}\nelse\n{block(random, 0)}\nfi"
    if kind == 7:
        words = words_of(random, 0, 3, 1)
        return f'for v in {words}; do\nrec "$v"\n{inner}\ndone'
    if kind == 8:
        patterns = random.choices(PATTERNS, k=random.randint(1, 2))
        joined = "|".join(text.replace(" ", "\\ ") for text in patterns)
        end = random.choice((";;", ";&", ";;&"))
        return f"case {word(random, 1)} in\n{joined}) {inner}\n{end}\n*) rec other ;;\nesac"
    if kind == 9:
        turn = f"n{depth}"  # a loop in a loop counts by itself
        return f"for (({turn} = 0; {turn} < {random.randint(0, 3)}; {turn}++)); do\n{inner}\ndone"
    if kind == 10:
        return f"( {inner}\n)"
    if kind == 11:
        return f"{condition(random, 0)} {random.choice(('&&', '||'))} {{ {inner}\n}}"
    if kind == 12:
        lines = "\n".join(
            random.choices(("x y", "$a", "a:b", "  z", "\\$b", "${b:-no}", "'q'"), k=random.randint(0, 3))
        )
        return f'while read -r p q; do rec "$p" "$q"; done <<EOF\n{lines}\nEOF'
    if kind == 13:
        return f"g() {{\nlocal a=$1\n{inner}\nreturn {random.randint(0, 2)}\n}}\ng {word(random, 1)}\nrec $?"
    return f"{{ {inner}\n}}"


HEAD = """\
f() { echo "$#:$1"; }
local_test() { local a=inner l=(1 2); rec "$a" "${l[@]}"; }
a=foo b='a b:c' c= long_name=a/q.c i=1 j=2 ref=a
l=(one 'two 2' three) m=()
declare -A d=([k]=v)
set -- p1 'p 2' ''
"""


TAIL = 'rec end "$a" "$b" "${l[@]}" "$@" "$i"\n'


def program(random: Random) -> str:
    """A whole program: the head gives every variable a value; `rec` is the command that is recorded."""
    commands = [command(random) for _ in range(random.randint(1, 5))]
    return "\n".join([HEAD, *commands, TAIL])
