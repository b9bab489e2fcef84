"""Random commands that write and read files of their own, and move descriptors about."""

from __future__ import annotations

from random import Random

from tests.bash.grammar.choosing import SCALARS
from tests.bash.grammar.words import double_quoted, word, words_of

NAMES = ("../f1", "../f2", "../new.txt", '"$PWD/../f1"', "../f$((1))", '"../work/../f2"')
"""Files that every program begins with: whether another one can be read is not known to us. They stand beside the
working folder, which stays empty, so that patterns match nothing.
"""
READERS = (
    'while read -r p q; do rec "$p" "$q"; done',
    "read -r a b",
    "mapfile -t m",
    "IFS= read -r a",
    "{ read -r a; read -r b; }",
    'while IFS=: read -ra l; do rec "${l[@]}"; done',
    "read -rd '' c",
    "mapfile -tn 1 l",
    'until ! read -r p; do rec "$p"; done',
)
TESTS = ("-e", "-f", "-s", "-d", "-r", "-w")


def file_command(random: Random) -> str:
    """One command, or a few that belong together."""
    kind = random.randint(0, 13)
    name, other = random.choice(NAMES), random.choice(NAMES)
    reader = random.choice(READERS)
    scalar = random.choice(SCALARS)
    writer = random.choice(
        (
            f"echo {words_of(random, 0, 2, 1)}",
            f"printf '%s\\n' {words_of(random, 1, 3, 1)}",
            f"{{ echo {word(random, 1)}; echo {word(random, 1)}; }}",
            f'for q in {words_of(random, 1, 2, 1)}; do echo "$q"; done',
            f"f {word(random, 1)}",
            "declare -p a l",
        )
    )
    if kind <= 2:
        return f"{writer} {random.choice(('>', '>', '>>', '>|'))} {name}"
    if kind <= 5:
        return f'{reader} < {name}; rec $? "${scalar}"'
    if kind == 6:
        return f'{scalar}=$(< {name}); rec "${scalar}"'
    if kind == 7:
        return f"[[ {random.choice(TESTS)} {name} ]]; rec $?"
    if kind == 8:
        return f"exec {random.choice('345')}{random.choice(('>', '>>', '<'))} {name}; rec $?"
    if kind == 9:
        number = random.choice("345")
        return random.choice(
            (
                f"echo {word(random, 1)} >&{number}; rec $?",
                f'read -r -u {number} {scalar}; rec $? "${scalar}"',
                f"exec {number}>&-",
                f"{reader} <&{number}",
                f"exec {number}<<< {double_quoted(random, 1)}",
                f"{{ echo {word(random, 1)} >&{number}; }} {number}> {name}",
                f'while read -r -u {number} p; do rec "$p"; done {number}< {name}',
            )
        )
    if kind == 10:
        return random.choice(
            (
                f"{{ {writer}\necho more\n}} > {name} 2>&1",
                f"( {writer} ) > {name}; {reader} < {name}",
                f'{writer} | {{ {reader}; rec "${scalar}"; }} > {name}',
                f"{writer} > {name} > {other}",
                f"{reader} < {name} < {other}",
                f"set -C; {writer} > {name}; rec $?; set +C",
                f": > {name}",
                f"{writer} <> {name}",
                f'exec 6>&1 > {name}; {writer}; exec >&6; {scalar}=$(< {name}); rec "${scalar}"',
            )
        )
    if kind == 11:
        code = random.choice(
            ('rec sourced \\"\\$@\\" $a', "a=sourced", "return 5", "shift\\nrec \\$#", 'rec \\"\\$a\\"\\nfalse')
        )
        return f'printf "%b\\n" "{code}" > ../f1; . ../f1 x y; rec $? "$@"'
    if kind == 12:
        return random.choice(
            (
                f'{reader} < <({writer}); rec "${scalar}"',
                f'{scalar}=$({writer} > {name}; echo in); rec "${scalar}"',
                f'{{ {reader}; rec "${scalar}"; }} <<< {word(random, 1)}',
                f"g3() {{ {writer}; }} > {name}; g3; {reader} < {name}",
                f"for q in 1 2; do echo $q {word(random, 0)}; done >> {name}",
            )
        )
    return f"rec {random.choice(('../*', '../f*', '../[fn]*', '../*.txt', '../f?', '../*/'))} {name}"
