"""Random tests: `[[ ]]`, `[ ]`, `(( ))`, and what joins them."""

from __future__ import annotations

from random import Random

from tests.bash.grammar.arithmetic import NUMBERS, expression
from tests.bash.grammar.choosing import EXTENDED, PATTERNS, SCALARS, pattern_word
from tests.bash.grammar.words import double_quoted, parameter, word

REGEXES = (
    *("^a", "o+$", "([a-z]+)[:/]?(.*)", "^[0-9]+$", "b.c", "^(a|b\\ c)", "[[:digit:]]", "(f)(o*)", "^.{2,3}$", "a\\.b"),
    *("^([^:]*):?", '"$a"', "$a", "^$c$", "'.'o", "x|y|o", "((a)|(f))(.)", "[]a]", "^\\ ?[a-z]+", "(.)(.)(.)?", "$b"),
    *("^(a b)", '["x"]', "\\*", "[.]", "^[^[:space:]]+$", "(o)*", "()", "a{1}"),
)


def condition(random: Random, depth: int) -> str:
    kind = random.randint(0, 16)
    name = random.choice((*SCALARS, "1", "empty"))
    if kind == 0:
        return f"(({expression(random, 1)}))"
    if kind == 1:
        shape = pattern_word(random.choice(PATTERNS + EXTENDED))
        return f"[[ ${name} {random.choice(('==', '!=', '='))} {shape} ]]"
    if kind == 2:
        return f'[[ ${name} {random.choice(("!=", "==", "<", ">"))} "${random.choice(SCALARS)}" ]]'
    if kind <= 4:
        return f"[[ ${name} =~ {random.choice(REGEXES)} ]]"
    if kind == 5:
        operator = random.choice(("=", "!=", "==", "<", "\\<", "\\>", ">")) if random.random() < 0.5 else "="
        operator = {"<": "\\<", ">": "\\>"}.get(operator, operator)
        return f'[ "${name}" {operator} {double_quoted(random, 1)} ]'
    if kind == 6:
        operator = random.choice(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
        left = random.choice(("$i", "i", "i+1", "${#b}", "j", "'2'"))
        return f"[[ {left} {operator} {random.choice((*NUMBERS, 'j', 'l', '1+1'))} ]]"
    if kind == 7:
        return f"[[ {random.choice(('-z', '-n', ''))} {word(random, 1)} ]]"
    if kind == 8:
        names = (
            "a",
            "none",
            "l[1]",
            "d[k]",
            "l[7]",
            "m",
            "l",
            "d[none]",
            "sparse[5]",
            "l[-1]",
            "1",
            "9",
            "d[@]",
            "m[@]",
            "empty",
            "c",
        )
        return f"[[ -v {random.choice(names)} ]]"
    if kind == 9:
        return random.choice(
            (
                f"test -n {parameter(random, 1, True)!s}x",
                "[ ]",
                "[ x ]",
                "[ '' ]",
                "test",
                "[ ! x ]",
                "[ -n ]",
                "[ ! ]",
                "[ = ]",
                "[ x = ]",
            )
        )
    if kind == 10:
        tests = (
            *(
                "[ 1 -eq 1 ]",
                "[ 07 -eq 7 ]",
                "[ ' 3 ' -gt 2 ]",
                "[ $i -lt $j ]",
                "[ a -eq 1 ]",
                "[ 1 -eq 1 -a x = x ]",
                "[ x -o '' ]",
            ),
            *(
                "[ \\( x = x \\) ]",
                "[ ! x = y ]",
                '[ ! "$c" ]',
                '[ -z "$c" -a -n x ]',
                "[ 1 = 1 -o 2 = 3 -a 4 = 5 ]",
                '[ "$a" == foo ]',
                "[ x = y z ]",
            ),
            *(
                '[ "$#" -gt 1 ]',
                "[ -v a ]",
                "[ -v none ]",
                "[ -o errexit ]",
                "[ a '<' b ]",
                "[ ! -z x ]",
                "[ ! \\( a \\) ]",
            ),
        )
        return random.choice(tests)
    if kind == 11:
        return random.choice(
            (
                "[[ -e none ]]",
                "[ -f none ]",
                "[[ -d none.d || -n x ]]",
                "[[ ! -s none ]]",
                "[ -r none -o x ]",
                "[[ -x none && x ]]",
            )
        )
    if kind == 12 and depth > 0:
        joined = random.choice(("&&", "||"))
        return f"{condition(random, depth - 1)} {joined} {condition(random, depth - 1)}"
    if kind == 13:
        inside = random.choice(
            (
                "-n $a && -z $c",
                "! -n $a",
                "( -n $a || x ) && y",
                "-n $a\n&& x",
                "! ( $a == f* )",
                "$a == f* && ( -z $b || $b == a* )",
            )
        )
        return f"[[ {inside} ]]"
    if kind == 14:
        return random.choice(
            (
                "true",
                "false",
                ":",
                "! true",
                "! false",
                "! ! true",
                "f >/dev/null",
                "let i+=1",
                "let 0",
                "[[ -o noglob ]]",
            )
        )
    if kind == 15:
        return f"[[ {word(random, 1)} == {word(random, 1)} ]]"
    return f"! [[ ${name} < {random.choice(('b', 'foo', '7'))} ]]"
