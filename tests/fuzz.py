"""Feeds mutated scripts to the whole command: no traceback, no hang, a report that every format can show.

    python -m tests.fuzz [TREE] [--count 10000] [--seed 1]

Scripts come from the tree (else from examples/), are cut, doubled, spliced, and sprinkled with hostile text. Each
failure is printed with the seed that makes it again; the exit status is 1 if there was one.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from lint.checking.examination import Request
from lint.checking.run import Job, check
from lint.files import discovery
from lint.files.cache import Cache
from lint.output import FORMATS, render
from lint.output.terminal import Style
from lint.settings import ScriptSettings

LIMIT = 5  # seconds of the processor for one script

HOSTILE = (
    *(b"'", b'"', b"`", b"$(", b"${", b"))", b";;", b"\\", b"\n", b"\r\n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf"),
    *(b"<<EOF\n", b"((", b"[[ ", b"]]", b"{1..1000000}", b"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", b"$((9**9**9))"),
    *(b"while :; do\n", b"for ((;;)); do\n", b"done\n", b"fi\n", b"esac\n", b"f() { f; }; f\n", b'eval "$0"\n'),
    *(b'source "$0"\n', b"${!x}", b"${x//a*b*c*d/e}", b"=", b"+", b"~", b"++", b"[a,b", b"{a:b}", b"#", b"&", b"|"),
    *(b"# recipe-lint: ignore[", b"|&", b"exit\n", b"return\n", b"set -u\n", b"unset x\n", b"\xe2\x80\xae", b"x=(\n"),
    *(b"=1e999", b"=-9223372036854775808", b"=null", b"=0", b"trainer.nnodes=0 ", b"\xed\xa0\x80", b"a" * 5000),
)


class TooLong(Exception):
    """A script that was not done in time."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", nargs="?", default="examples")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    scripts = [Path(path).read_bytes() for path in discovery.discover([given.tree], lambda path: False).paths]
    if not scripts:
        sys.exit(f"fuzz: no scripts in {given.tree}")
    failures = 0
    begin = time.monotonic()
    for seed in range(given.seed, given.seed + given.count):
        for problem in problems(mutated(scripts, random.Random(seed))):
            failures += 1
            print(f"seed {seed}: {problem}", flush=True)
    print(f"{given.count} scripts in {time.monotonic() - begin:.0f} s, {failures} failures")
    sys.exit(failures > 0)


def mutated(scripts: list[bytes], dice: random.Random) -> bytes:
    """A script with one to six accidents."""
    text = bytearray(dice.choice(scripts))
    for _ in range(dice.randint(1, 6)):
        at, to = sorted(dice.randrange(len(text) + 1) for _ in range(2))
        to = min(to, at + dice.choice((1, 3, 30, 300)))
        accident = dice.randrange(6)
        if accident == 0:
            del text[at:to]
        elif accident == 1:
            text[at:at] = text[at:to] * dice.randint(1, 3)
        elif accident == 2:
            text[at:at] = dice.choice(HOSTILE)
        elif accident == 3:
            text[at : at + 1] = bytes([dice.randrange(256)])
        elif accident == 4:
            other = dice.choice(scripts)
            start = dice.randrange(len(other) + 1)
            text[at:at] = other[start : start + dice.choice((5, 50, 500))]
        else:
            lines = text.split(b"\n")
            dice.shuffle(lines) if dice.random() < 0.1 else lines.insert(dice.randrange(len(lines)), dice.choice(lines))
            text = bytearray(b"\n".join(lines))
    return bytes(text)


def problems(script: bytes) -> Iterator[str]:
    """What goes wrong with one script: defects that the tool itself reports, exceptions, too much time."""

    def too_long(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"not done in {LIMIT} s")

    request = Request(ScriptSettings(shellcheck=False, confidence="low"), ScriptSettings())
    signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        report = check([Job("fuzz.sh", request, script)], processes=1, cache=Cache(None))
        for finding in report.findings:
            if finding.rule == "internal-error":
                yield finding.message
            span = finding.span
            if span.path in report.sources and not 0 <= span.start <= span.end <= len(report.sources[span.path].text):
                yield f"{finding.rule} stands outside the script: {span}"
        for name in FORMATS:
            render(name, report, Style(True)).encode("utf-8")
    except Exception as error:
        yield f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    main()
