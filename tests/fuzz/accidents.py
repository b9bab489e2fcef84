"""What happens to a script: accidents to its bytes, lines, words and structure, each from one throw of the dice."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

Accident = Callable[[bytes, random.Random, Sequence[bytes]], bytes]
"""From a script, dice, and other scripts to the script after the accident."""

HOSTILE = (
    *(b"'", b'"', b"`", b"$(", b"${", b"))", b";;", b"\\", b"\n", b"\r\n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf"),
    *(b"<<EOF\n", b"((", b"[[ ", b"]]", b"{1..1000000}", b"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", b"$((9**9**9))"),
    *(b"while :; do\n", b"for ((;;)); do\n", b"done\n", b"fi\n", b"esac\n", b"f() { f; }; f\n", b'eval "$0"\n'),
    *(b'source "$0"\n', b"${!x}", b"${x//a*b*c*d/e}", b"=", b"+", b"~", b"++", b"[a,b", b"{a:b}", b"#", b"&", b"|"),
    *(b"# recipe-lint: ignore[", b"|&", b"exit\n", b"return\n", b"set -u\n", b"unset x\n", b"\xe2\x80\xae", b"x=(\n"),
    *(b"=1e999", b"=-9223372036854775808", b"=null", b"=0", b"trainer.nnodes=0 ", b"\xed\xa0\x80", b"a" * 5000),
)
VALUES = (
    *(b"", b"0", b"-1", b"1" + b"0" * 400, b"9223372036854775807", b"1e308", b"0.0000001", b"nan", b"inf", b"null"),
    *(b"True", b"[]", b"{}", b"[1,2,[3,[4]]]", b"{a:{b:{c:1}}}", b"'\"'\"'", b"\\'x\\'", b"${x", b"${oc.env:HOME}"),
    *(
        b"\xf0\x9f\x9a\x80",
        b"\xe6\xa8\xa1" * 300,
        b"a/b" * 2000,
        b"x" * 100_000,
        b"9" * 5000,
        b"\xc2\xb2",  # a digit, and no number
        b"$x$y$z",
        b"`date`",
        b"???",
        b"a=b=c",
    ),
)
PAIRS = (
    *((b"$(", b")"), (b"${a:-", b"}"), (b"{ ", b"; }"), (b"( ", b" )"), (b"$((", b"))"), (b'"$(', b')"'), (b"`", b"`")),
    *((b"if true; then\n", b"\nfi\n"), (b"while read -r x; do\n", b"\ndone\n"), (b"case x in x)\n", b"\n;; esac\n")),
    *((b"f() {\n", b"\n}\nf\n"), (b"[[ ! ", b" ]]"), (b"{a,", b"}"), (b"x=(", b")"), (b"eval '", b"'"), (b"[", b"]")),
)
WORD = re.compile(rb"[^\s\\\"']+")
VALUE = re.compile(rb"(?<==)[^\s\\\"']+")
NUMBER = re.compile(rb"(?<![\w.])\d+")
LONGEST = 300_000  # bytes; a longer script takes its time and shows nothing new


def mutated(scripts: Sequence[bytes], dice: random.Random) -> bytes:
    """A script with one to six accidents."""
    text = dice.choice(scripts)
    for _ in range(dice.randint(1, 6)):
        text = dice.choice(ACCIDENTS)(text, dice, scripts)[:LONGEST]
    return text


def _stretch(text: bytes, dice: random.Random) -> tuple[int, int]:
    """A place in the text, and an end not far from it."""
    at, to = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    return at, min(to, at + dice.choice((1, 3, 30, 300)))


# ------------------------------------------------------------------------------------------------------------- bytes


def lose_bytes(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    at, to = _stretch(text, dice)
    return text[:at] + text[to:]


def repeat_bytes(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    at, to = _stretch(text, dice)
    return text[:at] + text[at:to] * dice.randint(1, 3) + text[at:]


def flip_byte(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    at, _ = _stretch(text, dice)
    return text[:at] + bytes([dice.randrange(256)]) + text[at + 1 :]


def sprinkle(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    at, _ = _stretch(text, dice)
    return text[:at] + dice.choice(HOSTILE) + text[at:]


def sprinkle_controls(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    at, _ = _stretch(text, dice)
    return text[:at] + bytes(dice.randrange(32) for _ in range(dice.randint(1, 5))) + text[at:]


# ------------------------------------------------------------------------------------------------------------- lines


def shuffle_lines(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    lines = text.split(b"\n")
    if dice.random() < 0.1:
        dice.shuffle(lines)
    else:
        lines.insert(dice.randrange(len(lines)), dice.choice(lines))
    return b"\n".join(lines)


def lose_line(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    lines = text.split(b"\n")
    del lines[dice.randrange(len(lines))]
    return b"\n".join(lines)


def break_continuation(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    ends = [found.start() for found in re.finditer(rb"\\\n", text)]
    if not ends:
        return text
    at = dice.choice(ends)
    return text[:at] + dice.choice((b"\n", b" \\ \n", b"\\\n\n", b"\\\n# note\n", b"\\\r\n")) + text[at + 2 :]


def end_lines_as_windows(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    if dice.random() < 0.3:
        return text.replace(b"\n", b"\r\n")
    return b"".join(line + dice.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r")) for line in text.split(b"\n"))


# ------------------------------------------------------------------------------------------------------------- words


def swap_words(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    words = list(WORD.finditer(text))
    if len(words) < 2:
        return text
    first, second = sorted(dice.sample(words, 2), key=lambda word: word.start())
    return b"".join(
        (text[: first.start()], second[0], text[first.end() : second.start()], first[0], text[second.end() :])
    )


def borrow_word(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    words, more = list(WORD.finditer(text)), WORD.findall(dice.choice(others))
    if not words or not more:
        return text
    word = dice.choice(words)
    return b"".join((text[: word.start()], dice.choice(more), text[word.end() :]))


def spoil_value(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    values = list(dice.choice((VALUE, NUMBER)).finditer(text))
    if not values:
        return text
    value = dice.choice(values)
    return text[: value.start()] + dice.choice(VALUES) + text[value.end() :]


def lose_quote(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    places = [at for at, byte in enumerate(text) if byte in b"\"'`(){}[]$\\"]
    if not places:
        return text
    at = dice.choice(places)
    return text[:at] + text[at + 1 :]


# --------------------------------------------------------------------------------------------------------- structure


def splice(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    at, _ = _stretch(text, dice)
    other = dice.choice(others)
    start = dice.randrange(len(other) + 1)
    return text[:at] + other[start : start + dice.choice((5, 50, 500))] + text[at:]


def join_scripts(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    other = dice.choice(others)
    return text + other if dice.random() < 0.5 else text[: len(text) // 2] + other[len(other) // 2 :]


def nest(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    at, to = _stretch(text, dice)
    depth = dice.choice((1, 2, 10, 100, 1500))
    opened, closed = dice.choice(PAIRS)
    return text[:at] + opened * depth + text[at:to] + closed * (depth - dice.randrange(2)) + text[to:]


def repeat_much(text: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    lines = text.split(b"\n")
    at = dice.randrange(len(lines))
    return b"\n".join([*lines[:at], *[lines[at]] * dice.choice((50, 1000)), *lines[at:]])


ACCIDENTS: tuple[Accident, ...] = (
    *(lose_bytes, repeat_bytes, flip_byte, sprinkle, sprinkle, sprinkle_controls),
    *(shuffle_lines, lose_line, break_continuation, end_lines_as_windows),
    *(swap_words, borrow_word, spoil_value, spoil_value, lose_quote, lose_quote),
    *(splice, join_scripts, nest, repeat_much),
)
