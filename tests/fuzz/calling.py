"""Calls of the command inside this process: within a time, and what is wrong with their end or their output."""

from __future__ import annotations

import contextlib
import io
import json
import signal
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from types import FrameType

from lint.__main__ import main as recipe_lint

LIMIT = 10  # seconds of the processor for one call; the bounds of the reader leave a hostile script some five
REFUSING = ("compare", "copies", "new")  # subcommands that say on standard error alone that an input cannot be read
CHANGING = 3  # times that, for what checks a script again after each change


class TooLong(BaseException):
    """A call that was not done in time: no `except Exception` on its way may stop it."""


def wrong(arguments: tuple[str, ...], statuses: tuple[int, ...] = (0, 1, 2, 3)) -> Iterator[str]:
    """What goes wrong with a call: exceptions, too much time, a status that none should have, bad output."""
    try:
        status, out = call(arguments)
        found = [f"status {status}"] if status not in statuses else []
        refused = status == 2 or (status == 3 and arguments[0] in REFUSING)
        found += ["output of a refused call"] * bool(out) if refused else unreadable(arguments, out)
    except (Exception, TooLong) as error:
        found = [f"{type(error).__name__}: {error}"]
    yield from (f"{' '.join(arguments)}: {problem}" for problem in found)


def call(arguments: tuple[str, ...]) -> tuple[int, bytes]:
    """The exit status of a call in this process, and what it writes to standard output."""

    limit = LIMIT * (CHANGING if {"--fix", "--diff", "--add-ignore", "new"} & set(arguments) else 1)

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
    if {"--diff", "backport"} & set(arguments):  # a patch and a copy hold the bytes of the script
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
