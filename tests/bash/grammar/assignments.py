"""Random assignments, declarations, and builtins that set variables."""

from __future__ import annotations

import re
from random import Random

from tests.bash.grammar.arithmetic import expression
from tests.bash.grammar.choosing import SCALARS, single_quoted
from tests.bash.grammar.words import double_quoted, pattern, word, words_of

TEMPLATES = (
    *(
        "%s",
        "[%s]",
        "%d",
        "%5s.",
        "%q",
        "%b",
        "%-4s.%s",
        "%03d",
        "%x",
        "%#o",
        "%+d",
        "%.2s|",
        "%*d",
        "%c",
        "%%%s",
        "%i.%u",
    ),
    *(
        "%X%n",
        "%5.1f",
        "%e",
        "%s\\n",
        "\\x41\\101%s",
        "%-*s|",
        "%.*s",
        "% d",
        "%'d",
        "%s %s\\t",
        "%5b|",
        "%Q",
        "%.3d",
        "%g",
        "\\\\%s",
    ),
    *("%(%%)T", "%s%", "%z", "%d %s", "\\c%s", "%a%%", "%#x", "%-5d|", "%05.1f"),
)
KEYS = ("k", "x y", "$a", "new", "'q r'", '"$b"', "$i", "@", "i", "$(echo z)", "~", "*")


OPERATORS = ("=", "=", "+=")
UNSET = (
    *("l[0]", "d[k]", "m", "l", "none", "-v a", "sparse[5]", "l[-1]", "d", "-f f2", "l[i]", "a b", "'d[x y]'"),
    *("-n nameref", "nameref"),
)


def array_values(random: Random) -> str:
    """What stands between the parentheses of an array."""
    kind = random.randint(0, 5)
    if kind <= 2:
        return words_of(random, 0, 3, 1)
    if kind == 3:
        values = [f"[{random.choice(('0', '2', 'i', 'i+1', '$j', '-1', '7'))}]={word(random, 1)}" for _ in range(2)]
        return " ".join(values) + random.choice(("", " " + word(random, 1)))
    if kind == 4:
        return "\n" + words_of(random, 1, 1, 1) + " # comment\n" + words_of(random, 0, 1, 1) + "\n"
    return random.choice(
        (
            '"${l[@]}"',
            '"${l[@]}" x',
            "${l[@]#o}",
            "[1]+=x",
            "$@",
            '"$@"',
            "*",
            "{1..3}",
            "$(echo 1 2 3)",
            "[3]=a b [1]=c",
        )
    )


def assignment(random: Random) -> str:
    kind = random.randint(0, 19)
    name = random.choice(SCALARS)
    text = word(random)
    if kind <= 3:
        return f"{name}={text}"
    if kind == 4:
        target = random.choice((name, "number", "upper"))
        if target == "number":  # whether the home of another user is a number nobody knows
            text = re.sub(r"~(?!\])", "", text)
        return f"{target}{random.choice(('+=', '='))}{text}"
    array = random.choice(("l", "m", "sparse", "n"))
    if kind <= 6:
        return f"{array}{random.choice(('=', '=', '+='))}({array_values(random)})"
    if kind == 7:
        index = random.choice(("0", "1", "3", "i", "-1", "$i", "i++", "5", "i + 1", "-9"))
        return f"{array}[{index}]{random.choice(OPERATORS)}{text}"
    if kind == 8:
        return f"d[{random.choice(KEYS)}]{random.choice(OPERATORS)}{text}"
    if kind == 9:
        start = random.choice(("d=", "d+=", "declare -A e="))
        return f"{start}([{random.choice(KEYS)}]={word(random, 1)} [k]={word(random, 1)})"
    if kind <= 11:
        return declaration(random, name, text)
    if kind == 12:
        arguments = words_of(random, 0, 3, 1)
        target = random.choice((name, name, "l[1]", "d[k]"))
        return f"printf -v {target} {single_quoted(random.choice(TEMPLATES))} {arguments}"
    if kind <= 14:
        return reading(random, name)
    if kind == 15:
        return random.choice(
            (
                f"(({expression(random)}))",
                f"let '{expression(random, 1).replace(chr(39), '')}'",
                "let i++ j=3",
                "let 'i = j' 0",
                f"i=$(({expression(random, 1)}))",
            )
        )
    if kind == 16:
        return random.choice(
            (
                'mapfile -t m <<< "$a"',
                "mapfile m <<< $'x\\ny'",
                "readarray -t -n 1 m <<< $'p\\nq'",
                "mapfile -t -d : m <<< a:b:c",
                "mapfile -t -s 1 m <<< $'p\\nq\\nr'",
                "mapfile -t -O 2 l <<< x",
                'mapfile -t < <(printf \'%s\\n\' "$@"); m=("${MAPFILE[@]}")',
            )
        )
    if kind == 17:
        return f"{name}={text} {random.choice(SCALARS)}={word(random, 1)}"
    if kind == 18:
        return f"unset {random.choice((name, *UNSET))}"
    return f"{name}=${{{name}{random.choice(('#', '%', '##', '%%', '/', '//'))}{pattern(random)}}}"


def declaration(random: Random, name: str, text: str) -> str:
    forms = (
        f"declare {name}={text}",
        f"declare -u {name}={text}",
        f"declare -l {name}={text}",
        f"declare -i {name}={re.sub('[ ()<>]', '', expression(random, 1)) or 0}",
        f"export {name}={text}",
        f"declare -a {name}={text}",
        f"declare -x {name} c={text}",
        f"declare -c {name}={text}",
        f"typeset {name}+={text}",
        f"declare -a m=({array_values(random)})",
        f"declare -n nameref={random.choice(('a', 'l[1]', 'l', 'd', 'none2', 'd[k]'))}",
        f"nameref={text}",
        f"nameref+={text}",
        f"declare -r fixed{random.randint(1, 3)}={text}",
        f"fixed{random.randint(1, 3)}={text}",
        "declare -ai n; n[1]=i+1; n+=(2*3)",
        "declare +i number; number+=1",
        f"declare {name} none3",
        f"readonly fixed4={text}",
        f"declare -A e=([x]={text})",
        f"declare -g {name}={text}",
        f"declare -- {name}={text}",
        f"declare -lu {name}={text}",
        f"declare {name}[1]={text}" if random.random() < 0.3 else f"export {name}",
        f"declare -p {name} >/dev/null",
    )
    return random.choice(forms)


def reading(random: Random, name: str) -> str:
    other = random.choice(SCALARS)
    given = random.choice(
        (
            double_quoted(random, 1),
            word(random, 1),
            "$'a b\\nc d'",
            "'  x  y  '",
            "'a:b::c:'",
            "'p\\\\ q r'",
            '" $a:$b "',
        )
    )
    forms = (
        f"read -r {name} {other} <<< {given}",
        f"read {name} <<< {given}",
        f"IFS=: read -r {name} {other} <<< {given}",
        f"IFS= read -r {name} <<< {given}",
        f"read -ra l <<< {given}",
        f"IFS=': ' read -ra m <<< {given}",
        f"read -r <<< {given}; {name}=$REPLY",
        f"read -d b -r {name} <<< {given}",
        f"read -n 2 {name} <<< {given}",
        f"read -N 3 {name} <<< {given}",
        f"read -r -d '' {name} <<< {given}",
        f"read -r {name} l[1] d[k] <<< {given}",
        f"{{ read -r {name}; read -r {other}; }} <<< {given}",
        f"read -u 3 {name} 3<<< {given}",
        f"IFS=x read {name} {other} c <<< {given}",
        f"read -r {name} < <(echo {word(random, 1)})",
        f"IFS=$'\\t :' read -r {name} {other} <<< {given}",
    )
    return random.choice(forms)
