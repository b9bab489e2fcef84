"""Random commands: simple and compound ones, functions, traps, options, and what runs other text."""

from __future__ import annotations

import re
from random import Random

from tests.bash.grammar.assignments import assignment
from tests.bash.grammar.choosing import EXTENDED, PATTERNS, SCALARS, pattern_word, single_quoted
from tests.bash.grammar.conditions import condition
from tests.bash.grammar.files import file_command
from tests.bash.grammar.idioms import idiom
from tests.bash.grammar.machinery import machine_command
from tests.bash.grammar.words import parameter, word, words_of

_LOST = re.compile(r"(?<!<)<<(?!<)|=\([\s\S]*\\|trap|LINENO")
"""What is not put between `$(` and `)`: what bash 5.2 reads wrongly there (here-documents with commands behind them,
escapes in arrays), what a trap prints there, and numbers of lines, which bash counts anew there.
"""
_HOME = re.compile(r"(?<!\S)~(?![/+ ])")
"""Begins the home of another user, which is unknown, also as a number where `d[k]` leads to the loop variable."""
SETTINGS = (
    *("IFS=:", "IFS=", "unset IFS", "IFS=' :'", "IFS=x", "IFS=$' \\t\\n'", "IFS=': '", "IFS=1", "IFS=/-"),
    *(
        "shift",
        "shift 2",
        "shift 9",
        "unset a",
        "unset 'l[0]'",
        "set --",
        "set -- $b",
        'set -- "$@" new',
        'set -- "${l[@]}"',
        "set -f",
        "set +f",
    ),
    *(
        "shopt -s nullglob",
        "shopt -s failglob",
        "shopt -u failglob",
        "shopt -u nullglob",
        "shopt -s nocasematch",
        "shopt -u nocasematch",
        "shopt -u patsub_replacement",
    ),
    *(
        "shopt -s dotglob",
        "set +B",
        "set -B",
        "set -u",
        "set +u",
        "set -e",
        "set +e",
        "set -o pipefail",
        "set +o pipefail",
        "set -a",
        "set +a",
    ),
    *(
        "set -E",
        "set a b c",
        "set -o noglob x",
        "shopt -q nullglob",
        "shopt -s xpg_echo",
        "set - x",
        "set -eu",
        "OPTIND=1",
        "shopt -s globasciiranges",
        "shopt -s extglob",
        "shopt -u extglob",
        "set -n",
    ),
)
RUN_TEXT = (
    *(
        "eval 'b=$a'",
        "eval rec '$a'",
        "eval 'rec \"$a\" $b'",
        "eval \"rec '$a'\"",
        "eval 'for q in 1 2; do rec $q; done'",
        "eval 'return 2>/dev/null'",
    ),
    *(
        "eval",
        "eval ''",
        "eval 'x() { rec in x \"$@\"; }'; x 1 2",
        "eval \"$(echo 'rec from output')\"",
        "eval 'if'",
        "eval 'a=(1 2)'",
        "eval a=b rec x",
    ),
    *(
        "eval 'rec ' '\\' ' x'",
        "eval 'local_test; rec $?'",
        "builtin echo x >/dev/null",
        "command rec x",
        "command f x >/dev/null",
        "builtin rec 2>/dev/null",
    ),
    *(
        "source /dev/stdin <<< 'rec sourced \"$@\"'",
        ". <(echo 'a=sourced'); rec $a",
        "source <(echo 'return 3'); rec $?",
        "source <(echo 'a=$1') arg; rec $a",
    ),
)
ACTIONS = ("rec trapped $?", 'rec bye "$a"', "exit 3", "a=changed", "")
DOCUMENT_LINES = (
    *(
        "x y",
        "$a",
        "a:b",
        "  z",
        "\\$b",
        "${b:-no}",
        "'q'",
        '"q"',
        "\\\\",
        "$(echo in)",
        "`echo old`",
        "$((i + 1))",
        "a\\",
        "\tt",
        "${l[@]}",
    ),
    *(
        "$*",
        "$@",
        "a\\b",
        "\\`",
        "$",
        '${c:+"x"}',
        "${c:-'y'}",
        "#c",
        "é",
        '${a:-"$b"}',
        '\\"',
        "${l[*]}",
        "$'x'",
        "{a,b}",
        "~",
        "*",
    ),
)


def document(random: Random, command: str) -> str:
    """A command and a here-document for it."""
    lines = "\n".join(random.choices(DOCUMENT_LINES, k=random.randint(0, 4)))
    start, end = random.choice(
        (
            ("<<EOF", "EOF"),
            ("<<'EOF'", "EOF"),
            ("<<-EOF", "\tEOF"),
            ("<<\\EOF", "EOF"),
            ('<<"E F"', "E F"),
            ("<<-'EOF'", "EOF"),
            ('<<E"O"F', "EOF"),
        )
    )
    if start.startswith("<<") and "'" not in start and "\\" not in start and '"' not in start and lines.endswith("\\"):
        lines += "\nz"
    return f"{command} {start}\n{lines}\n{end}" if lines else f"{command} {start}\n{end}"


def simple(random: Random) -> str:
    kind = random.randint(0, 19)
    words = words_of(random, 1, 3, 2)
    if kind <= 4:
        return f"rec {words}"
    if kind <= 9:
        return assignment(random)
    if kind == 10:
        return f"set -- {words}"
    if kind == 11:
        return random.choice(
            (
                f"f {words} >/dev/null",
                f"count {words}",
                f"show_locals {words}",
                f"recurse 3 {words}",
                f"early {words}; rec $?",
            )
        )
    if kind <= 13:
        return random.choice(SETTINGS)
    if kind == 14:
        return random.choice(SCALARS) + f'={word(random, 1)} rec "$a" {words}'
    if kind == 15:
        return random.choice(
            (
                *RUN_TEXT,
                "ref=b",
                "ref=l[1]",
                "ref='d[k]'",
                "ref='l[@]'",
                "ref=@",
                "ref=1",
                "local_test",
                "i=$((i + 1))",
                "ref=none",
            )
        )
    if kind == 16:
        target = random.choice(
            (
                ">/dev/null",
                "2>&1",
                ">&2",
                "</dev/null",
                "2>/dev/null",
                "3>&1",
                "<<< x",
                ">/dev/null 2>&1",
                "&>/dev/null",
                "3<&-",
                "{fd}>/dev/null",
            )
        )
        return random.choice((f"rec {words} {target}", f"{target} rec {words}", f"rec {target} {words}", f"{target}"))
    if kind == 17:
        return document(
            random,
            random.choice(
                (
                    "rec doc",
                    "read -r a b",
                    'while read -r p q; do rec "$p" "$q"; done',
                    "mapfile -t m",
                    "IFS= read -rd '' a",
                    '{ read -rn3 v; rec "$v"; read -r a; }',
                )
            ),
        )
    if kind == 18:
        return random.choice(
            (
                "rec $?",
                "false; rec $?",
                "true; rec $?",
                "(exit 3); rec $?",
                "! false; rec $?",
                'rec "${PIPESTATUS[@]}"',
                'false | true; rec $? "${PIPESTATUS[@]}"',
                '(exit 2) | (exit 3) | true; rec "${PIPESTATUS[@]}" $?',
                'rec "${BASH_REMATCH[@]}"',
                "rec $_",
                'rec ${#BASH_REMATCH[@]} "${BASH_REMATCH[1]}"',
            )
        )
    return getopts(random)


def getopts(random: Random) -> str:
    form = random.choice(("ab:c", ":ab:c", "x", ":b:"))
    arguments = random.choice(
        ("-a -b v rest", "-ab v", "-bv -c", "-z", "-b", "-a -- -c", "x -a", "-cab", '"$@"', "-a - -c")
    )
    return (
        f'OPTIND=1; while getopts {form} o {arguments}; do rec "$o" "${{OPTARG-unset}}" "$OPTIND"; done; rec $? $OPTIND'
    )


def block(random: Random, depth: int) -> str:
    """One or two commands."""
    return "\n".join(command(random, depth) for _ in range(random.randint(1, 2)))


def command(random: Random, depth: int = 2) -> str:
    kind = random.randint(0, 35) if depth > 0 else 0
    if kind <= 8:
        return simple(random)
    if kind in (31, 32):
        return file_command(random)
    inner = block(random, depth - 1)
    if kind >= 33:
        return idiom(random, inner)
    if kind >= 29:
        return machine_command(random, inner)
    if kind <= 10:
        more = random.choice(("", f"elif {condition(random, 0)}; then\n{block(random, 0)}\n"))
        return f"if {condition(random, 1)}; then\n{inner}\n{more}else\n{block(random, 0)}\nfi"
    if kind == 11:
        words = _HOME.sub("x~", words_of(random, 0, 3, 1))
        leave = random.choice(
            (
                "",
                "",
                "break",
                "continue",
                "[[ $v == x* ]] && break",
                "continue 2",
                "break 1",
                "if ((i > 3)); then break; fi",
                "continue 1/0",
                "break 0",
            )
        )
        return f'for v in {words}; do\nrec "$v"\n{inner}\n{leave}\ndone'
    if kind == 12:
        return f'for v; do rec "$v"\n{inner}\ndone'
    if kind <= 14:
        return case(random, inner)
    if kind == 15:
        turn = f"n{depth}"  # a loop in a loop counts by itself
        head = random.choice(
            (
                f"{turn} = 0; {turn} < {random.randint(0, 3)}; {turn}++",
                f"{turn}=3;{turn};{turn}--",
                f"{turn}=0; {turn}<=1; {turn}+=1",
            )
        )
        return f"for (({head})); do\n{inner}\ndone"
    if kind == 16:
        return f"( {inner}\n)" + random.choice(("", "; rec $?", " 2>/dev/null", " && :"))
    if kind == 17:
        return f"{condition(random, 0)} {random.choice(('&&', '||'))} {{ {inner}\n}}"
    if kind == 18:
        return document(
            random,
            f'while {random.choice(("", "IFS= ", "IFS=: "))}read -r p q; do rec "$p" "$q"\n{block(random, 0)}\ndone',
        )
    if kind == 19:
        return function(random, inner)
    if kind == 20:
        return f"{{ {inner}\n}}" + random.choice(("", " >/dev/null", " <<< 'x y'", " 2>&1"))
    if kind == 21:
        turn = f"w{depth}"
        word_ = random.choice(("while", "until"))
        test = f"(({turn} < 2))" if word_ == "while" else f"(({turn} >= 2))"
        return f"{turn}=0; {word_} {test}; do (({turn}++)) || :\n{inner}\ndone"
    if kind == 22:
        return f'echo {words_of(random, 1, 2, 1)} | {{ read -r a b; rec "$a" "$b"\n{inner}\n}}'
    if kind == 23:
        action = single_quoted(random.choice(ACTIONS))
        signal = random.choice(("EXIT", "ERR", "0", "EXIT ERR", "INT"))
        return f"trap {action} {signal}\n{inner}" + random.choice(("", "\ntrap - EXIT", "\ntrap - ERR"))
    if kind == 24:
        return random.choice(
            (
                f"({{ {inner}\n}}\n)",
                f"! {{ {inner}\n}}; rec $?",
                f"time :; {{ {inner}\n}}",
                f"if ! ( {inner}\n); then rec failed; fi",
                f"{{ {inner}\n}} || rec failed",
                f"until {{ {inner}\n}}; do break; done",
            )
        )
    if kind == 25:
        return f"set -e; {inner}\nset +e"
    if kind == 26:
        return f"( set -{random.choice(('e', 'u', 'eu', 'f'))}; {inner}\nrec reached\n)"
    if kind == 27:
        while _LOST.search(inner):
            inner = block(random, 0)
        silent = f"{{ {inner}\n}} >/dev/null"  # what `rec` prints is not known to us
        return f"{random.choice(SCALARS)}=$( {silent}\necho done {words_of(random, 0, 1, 1)}\n)"
    return f"case {parameter(random, 1, False)} in *) {inner}\nesac"


def case(random: Random, inner: str) -> str:
    """`case` with one to three items, and every way to end one."""
    items = []
    for _ in range(random.randint(1, 2)):
        patterns = random.choices(
            PATTERNS + EXTENDED + ("$a", '"$a"', "$c", "'x'y", '"${l[@]}"', "~"), k=random.randint(1, 2)
        )
        joined = random.choice(("|", " | ")).join(pattern_word(text) for text in patterns)
        items.append(f"{random.choice(('', '('))}{joined}) {inner}\n{random.choice((';;', ';;', ';&', ';;&'))}")
        inner = random.choice(("rec second", ":", "(( i++ ))", "false"))
    last = random.choice(("*) rec other ;;\n", "*) rec other\n", ""))
    between = "\n".join(items)
    return f"case {word(random, 1)} in\n{between}\n{last}esac" + random.choice(("", "; rec $?"))


def function(random: Random, inner: str) -> str:
    """A function, and a call."""
    head = random.choice(("g() {", "function g {", "g () {", "function g() {", "g()\n{", "g() ("))
    end = ")" if head.endswith("(") else "}"
    local = random.choice(
        (
            "local a=$1",
            "local a",
            'local -a l=("$@")',
            "local -i i=5",
            "local a=$1 b=$a",
            "local -n nr=a; nr=by_name",
            "declare c=local",
            "local IFS=,",
            "local l; l+=x",
            "local -A d=([k]=local)",
            "local -r i2=1",
            "local a=x; unset a; a=after",
            "shift",
            "local -; set -f",
            "local -x a=exported",
            "local a+=more",
            ":",
        )
    )
    leave = random.choice(
        (
            f"return {random.randint(0, 300)}",
            "return",
            "return $(( i ))",
            "",
            "false",
            "[[ $a ]]",
            "return -1",
            'rec "${FUNCNAME[0]}" $#',
        )
    )
    more = random.choice(("", 'g2() { rec "$a" "$#"; a=from_g2; }; g2 x; rec "$a"\n'))
    return f"{head}\n{local}\n{more}{inner}\n{leave}\n{end}\ng {words_of(random, 0, 2, 1)}\nrec $?"
