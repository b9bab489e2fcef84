"""Random arithmetic."""

from __future__ import annotations

from random import Random

NUMBERS = (
    *("0", "1", "2", "7", "10", "0x1f", "010", "2#101", "-3", "1000000007", "9223372036854775807", "36#z", "64#_"),
    *("0X0F", "16#fF", "9223372036854775808"),
)
TARGETS = ("i", "j", "l[0]", "l[i]", "n[1]", "sparse[5]", "d[k]", "n[j]")
NAMES = (
    "i",
    "j",
    "$i",
    "${j}",
    "${#a}",
    "${#l[@]}",
    "l",
    "n[1]",
    "n[i]",
    "unset_name",
    "d[k]",
    "$(( i + 1 ))",
    '"2"',
)
FAULTY = (
    "1/0",
    "i %% 2",
    "1 +",
    "3 = 4",
    "08",
    "2 ** -1",
    "a b",
    "1 ? 2",
    "(1",
    "2#9",
    "i++ ++",
    "$a",
    "",
    "1,",
    "5 %0",
)


def expression(random: Random, depth: int = 2) -> str:
    """An arithmetic expression; once in a while one that bash rejects."""
    if depth == 0 or random.random() < 0.4:
        return random.choice((*NUMBERS, *NAMES))
    left, right = expression(random, depth - 1), expression(random, depth - 1)
    kind = random.randint(0, 9)
    if kind == 0:
        return f"({left})"
    if kind == 1:
        return f"{left} {random.choice(('/', '%'))} {random.choice(('1', '2', '7', '-3'))}"
    if kind == 2:
        return f"{left} {random.choice(('<<', '>>'))} {random.choice(('0', '1', '5', '65'))}"
    if kind == 3:
        return f"({left}) ? {right} : {expression(random, 0)}"
    if kind == 4:
        return f"{random.choice(('!', '~', '- ', '+ ', '-', '+', '! !', '- -'))}({left})"
    if kind == 5:
        operator = random.choice(("=", "+=", "-=", "|=", "^=", "*=", "&=", "<<=", ">>="))
        return f"{random.choice(TARGETS)} {operator} ({left})"
    if kind == 6:
        target = random.choice(TARGETS)
        return random.choice(
            (f"{target}++", f"--{target}", f"{target}--", f"++{target}", "i = 3, j = 4", f"i+++{target}")
        )
    if kind == 7:
        return f"{left}**{random.choice(('0', '1', '3', '2**2'))}"
    if kind == 8 and random.random() < 0.1:
        return random.choice(FAULTY)
    operator = random.choice(("+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "&&", "||", ","))
    blank = random.choice(("", " "))
    if operator in ("+", "-", "&"):
        blank = " "
    return f"{left}{blank}{operator}{blank}{right}"
