"""Random commands of the shell's own machinery: menus, traps before and after commands, questions about names."""

from __future__ import annotations

from random import Random

from tests.bash.grammar.choosing import SCALARS, single_quoted
from tests.bash.grammar.words import word, words_of

ANSWERS = ("2", "1", "$'\\n3\\n1'", "$'9\\nx\\n 1 '", "''", '"$b"', '"$i"', "$'1\\n2\\n3'", "+2", "$'1 2\\n-1\\n02'")
QUESTIONS = (
    *("type -t f", "type -t echo", "type -t if", "type f >/dev/null", "command -v f", "command -v cd"),
    *("declare -F f", "declare -F none", "declare -f none", "alias none", "command -V cd"),
    *("compgen -v long_", "shopt -q extglob", "set -o | read -r x", "declare -p none", "unset -f none", "trap -p EXIT"),
    *("pwd", "cd .", "(cd /; pwd)", "pushd / ; popd", "dirs", "umask", "builtin pwd", "enable -n none"),
    *("let", "let a", "test a = b", "wait", "exec 2>&1", "readonly none5", "getopts", "shift 99", "ulimit -n none"),
)
BEFORE = ("rec debug $a", "i=$((i + 1))", ":", 'rec "$# $_"', "((n4++ < 3)) && rec early")


def machine_command(random: Random, inner: str) -> str:
    """One command; `inner` are the commands that stand in it."""
    kind = random.randint(0, 11)
    name = random.choice(SCALARS)
    if kind <= 2:
        leave = random.choice(("break", "break", "[[ $v ]] && break", "", "continue", "return"))
        head = random.choice((f"select v in {words_of(random, 0, 4, 1)};", "select v;"))
        body = f'{head} do rec "$v" "$REPLY"\n{random.choice((inner, ":"))}\n{leave}\ndone <<< {random.choice(ANSWERS)}'
        return f'{body} 2>/dev/null; rec $? "$v"'
    if kind <= 5:
        question = random.choice(QUESTIONS)
        return random.choice(
            (f'{name}=$({question} 2>/dev/null); rec $? "${name}"', f"{question} >/dev/null 2>&1; rec $?")
        )
    if kind == 6:
        return f"trap {single_quoted(random.choice(BEFORE))} DEBUG\n{inner}\ntrap - DEBUG"
    if kind == 7:
        option = random.choice(("set -E\n", "", "declare -ft g4\n"))
        action = single_quoted(random.choice(("rec returned $?", "a=late", 'rec "$1" ${FUNCNAME[0]}')))
        signal = random.choice(("RETURN", "RETURN", "ERR", "RETURN ERR"))
        call = f"g4() {{ {inner}\n{random.choice(('return 3', ':', 'false'))}\n}}\n{option}g4 {word(random, 1)}\nrec $?"
        return f"trap {action} {signal}\n{call}\ntrap - RETURN ERR\nset +E"
    if kind == 8:
        named, does = random.choice(("", "P ")), random.choice(("rec in", "read -r x", ":"))
        return f"coproc {named}{{ {does}; }} 2>/dev/null; wait; rec {word(random, 1)}"
    if kind == 9:
        return random.choice(
            (
                f"( {inner}\nexit {random.choice(('', '3', '$i', '300'))}\n); rec $?",
                "rec $LINENO $BASH_SUBSHELL; ( rec $BASH_SUBSHELL; : | { rec $BASH_SUBSHELL; } )",
                'x() { rec $LINENO "${BASH_LINENO[0]}"; }; x',
                f"f5() ( {inner}\n) > /dev/null; f5; rec $?",
                "unset -f g; g 2>/dev/null; rec $?",
                f"{{ {inner}\n}} & wait; rec $?",
                "rec bg & wait $!; rec $?",
            )
        )
    if kind == 10:
        given = word(random, 1)
        alias = f"alias r5='rec aliased {random.choice(('', 'x ', '$a '))}'"
        last = f'echo {given} | read -r {name}; rec "${name}"'
        plain = "<<" not in inner
        return random.choice(
            (
                f"shopt -s expand_aliases\n{alias}\nr5 {given}\nunalias r5",
                f"shopt -s lastpipe\n{last}\nshopt -u lastpipe",
                f"eval {single_quoted(inner)}" if plain else ":",
                f"source /dev/stdin <<'END OF'\n{inner}\nEND OF" if plain and "read" not in inner else ":",
                "local x=1 2>/dev/null; rec $?",
                f"while :; do {random.choice(('break', 'break 2', 'f >/dev/null || :; break'))}; done; rec $?",
            )
        )
    first = random.choice(("a*", "*o", "?", "[!a]*"))
    items = f"{first}) rec 1 ;;&\n*) {inner}\n;;&\n[a-m]*) rec 2 ;&\nnone) rec 3 ;;"
    return f"case {word(random, 1)} in\n{items}\nesac; rec $?"
