"""Feeds mutated scripts to the whole command: no traceback, no hang, output that its readers can read.

    python -m tests.fuzz [TREE] [--count 10000] [--seed 1]

Scripts come from the tree (else from examples/). Each goes through `check` once for its findings and once more in
another way (another format, fixes, shellcheck, another subcommand). Each failure is printed with the seed that makes it
again; the exit status is 1 if there was one.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import signal
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from lint.__main__ import TRACEBACK
from lint.__main__ import main as recipe_lint
from lint.files import discovery
from lint.output import FORMATS
from tests.fuzz.accidents import mutated

LIMIT = 10  # seconds of the processor for one call; the bounds of the reader leave a hostile script some five
CHANGING = 3  # times that, for what checks a script again after each round of fixes
SCRIPT = "fuzz.sh"
CHECK = ("check", SCRIPT, "--no-cache", "--jobs", "1", "--confidence", "low")
QUIET = (*CHECK, "--no-shellcheck")
WAYS: tuple[tuple[str, ...], ...] = (
    *((*QUIET, "--format", name) for name in FORMATS),
    (*CHECK, "--format", "json"),
    (*QUIET, "--diff", "--unsafe-fixes"),
    (*QUIET, "--fix", "--unsafe-fixes"),
    (*QUIET, "--add-ignore", "of a test"),
    (*QUIET, "--statistics", "--strict", "--device", "ascend-a3", "--nnodes", "2"),
    (*QUIET, "--release", "0.8.0", "--env", "DEVICE=npu"),
    ("show", SCRIPT),
    ("show", SCRIPT, "--format", "json"),
    ("show", SCRIPT, "--commands"),
    ("memory", SCRIPT, "--device", "ascend-a2"),
    ("memory", SCRIPT, "--format", "json", "--tp", "2"),
    ("compare", SCRIPT, "before.sh", "--format", "json"),
)


class TooLong(BaseException):
    """A call that was not done in time: no `except Exception` on its way may stop it."""


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
    slowest = (0.0, 0)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for seed in range(given.seed, given.seed + given.count):
            started = time.process_time()
            for problem in problems(scripts, random.Random(seed)):
                failures += 1
                print(f"seed {seed}: {problem}", flush=True)
            slowest = max(slowest, (time.process_time() - started, seed))
    seconds = time.monotonic() - begin
    print(f"{given.count} scripts in {seconds:.0f} s, {failures} failures; seed {slowest[1]} took {slowest[0]:.1f} s")
    sys.exit(failures > 0)


def problems(scripts: list[bytes], dice: random.Random) -> Iterator[str]:
    """What goes wrong with one script: defects that the tool itself reports, exceptions, too much time, bad output."""
    before = dice.choice(scripts)
    for name, text in (("before.sh", before), (SCRIPT, mutated([*scripts, before], dice))):
        Path(name).write_bytes(text)
    for arguments in ((*QUIET, "--format", "json"), dice.choice(WAYS)):
        try:
            status, out = call(arguments)
        except (Exception, TooLong) as error:
            yield f"{' '.join(arguments)}: {type(error).__name__}: {error}"
            continue
        if status not in (0, 1, 3):
            yield f"{' '.join(arguments)}: status {status}"
        for problem in unreadable(arguments, out):
            yield f"{' '.join(arguments)}: {problem}"


def call(arguments: tuple[str, ...]) -> tuple[int, bytes]:
    """The exit status of a call in this process, and what it writes to standard output."""

    limit = LIMIT * (CHANGING if {"--fix", "--diff", "--add-ignore"} & set(arguments) else 1)

    def too_long(number: int, frame: FrameType | None) -> None:
        raise TooLong(f"not done in {limit} s")

    out, said = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            recipe_lint(list(arguments))
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return status, out.buffer.getvalue()


def unreadable(arguments: tuple[str, ...], out: bytes) -> Iterator[str]:
    """What a reader of the output stumbles over."""
    if "--diff" in arguments:  # a patch holds the bytes of the script
        return
    text = out.decode("utf-8")
    form = arguments[arguments.index("--format") + 1] if "--format" in arguments else "text"
    if form in ("json", "gitlab", "sarif") or "--commands" in arguments:
        document = json.loads(text)
        for finding in document.get("findings", ()) if isinstance(document, dict) else ():
            if finding["rule"] == "internal-error":
                yield finding["message"]
    elif form in ("checkstyle", "junit"):
        ElementTree.fromstring(text)
    elif any(ord(character) < 32 and character != "\n" for character in text.replace("\x1b[", "")):
        yield "a control character reaches the terminal"


if __name__ == "__main__":
    os.environ.setdefault("COLUMNS", "100")
    os.environ[TRACEBACK] = "1"
    main()
