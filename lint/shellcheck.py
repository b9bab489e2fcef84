"""shellcheck beside our own rules: started once for a batch of files, its comments turned into findings.

A comment SC2086 is a finding of rule `SC2086`. shellcheck's own directives and the user's `.shellcheckrc` hold, as they
do in an editor; the variable SHELLCHECK_OPTS does not, so that a result does not depend on who asks.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any

from lint.files.beside import KILLED, Beside
from lint.files.cache import digest
from lint.findings import Edit, Finding, Fix, Severity
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Source, Span

SEVERITIES: Mapping[str, Severity] = {"error": "error", "warning": "warning", "info": "info", "style": "info"}

EXCLUDED = {
    "SC1090": "which file `source` reads is followed by the reader, which says what it could not follow",
    "SC1091": "as SC1090",
    "SC2148": "scripts without a shebang are read as bash: they are started by `bash script.sh`",
}

SPLITTING = frozenset({"SC2068", "SC2086", "SC2206", "SC2248"})
"""Codes that say an unquoted expansion could split or glob: dropped where the reader proves that it cannot."""

# Codes that say less than a rule of ours on the same line, by rule.
SAID_BETTER: Mapping[str, frozenset[str]] = {
    "array-undefined": frozenset({"SC2153", "SC2154"}),
    "continuation-broken": frozenset({"SC2276"}),
    "lookalike-character": frozenset({"SC1015", "SC1016", "SC1018", "SC1110", "SC1111", "SC1112"}),
    "override-syntax": frozenset({"SC1101", "SC2191"}),
    "overrides-not-passed": frozenset({"SC2034", "SC2128"}),
    "setting-not-used": frozenset({"SC2034"}),
    "variable-not-expanded": frozenset({"SC2016"}),
    "variable-unbound": frozenset({"SC2153", "SC2154"}),
    "variable-unset": frozenset({"SC2153", "SC2154"}),
}

NOT_PARSED = frozenset({"SC1009", "SC1072", "SC1073"})
"""Codes that say that shellcheck stopped reading. Whether a script is valid bash is for our own parser to say."""

JOINING = ("\\\n", "\\\r\n")
"""What may stand between two quoted texts on purpose: SC2140 takes the end of a line for a part outside of quotes."""

OVERRIDE = regular(r"[+~]{0,2}[\w./@-]+=")
"""How an override begins: the commas in its value belong to Hydra."""

ABOUT_SYNTAX = "SC1"
"""How codes about the text begin, before its meaning. After a syntax error they follow from it, line by line."""

Comment = Mapping[str, Any]
"""One comment, as shellcheck's `json1` format writes it."""

SECONDS = 30  # of the processor for one process; shellcheck takes about 20 ms for a script
PATIENCE = 120  # seconds by the clock for one process
PAUSE = 0.002  # seconds until processes are looked at again
BATCH = 24  # scripts for one process: the more it has read, the longer its collector of garbage takes


@frozen
class Failure:
    """Why shellcheck said nothing about a script."""

    reason: str


NOT_INSTALLED = Failure("shellcheck is not installed")
STOPPED = Failure("shellcheck was stopped")
TOO_LONG = Failure(f"shellcheck took more than {SECONDS} s of the processor, or all memory, and was ended")


def program() -> str | None:
    """The program: the one that came with this Python, else the one on PATH."""
    own = Path(sys.executable).with_name("shellcheck.exe" if os.name == "nt" else "shellcheck")
    return str(own) if own.is_file() else shutil.which("shellcheck")


def arguments(shell: str) -> list[str]:
    """How shellcheck is called. Its data flow analysis takes 0.4 of its time and mostly decides which values hold no
    blank, which our reader knows better (on verl's tree it changes nothing but SC2086, by 1,030 of 4,306 comments)."""
    options = ["--format=json1", "--severity=style", "--color=never", "--extended-analysis=false"]
    return [shell, *options, f"--exclude={','.join(EXCLUDED)}"]


@lru_cache(maxsize=4096)
def configuration(directory: str) -> str:
    """A digest of the `.shellcheckrc` that holds for the scripts of a folder; empty if there is none."""
    folder = Path(directory)
    home = Path(os.path.expanduser("~"))  # unlike Path.home, no error for a user without one
    own = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    places = [*(above / name for above in (folder, *folder.parents) for name in (".shellcheckrc", "shellcheckrc"))]
    for file in (*places, home / ".shellcheckrc", own / "shellcheckrc"):
        if file.is_file():
            return hashlib.sha256(file.read_bytes()).hexdigest()
    return ""


Answers = Mapping[str, "list[Comment] | Failure"]


@frozen
class _Share:
    """A process at work on some files, or on one text that is in no file."""

    paths: list[str]
    process: Beside
    end: float  # of patience, by the monotonic clock


class Running:
    """shellcheck at work: `jobs` processes at a time, each with a share of the files, or with one of the `texts`.

    The path of a text says where `.shellcheckrc` is looked for.
    """

    def __init__(self, paths: Sequence[str], jobs: int, texts: Mapping[str, bytes] | None = None) -> None:
        self._jobs = jobs
        self._texts = texts or {}
        self._waiting = [*batches(paths, jobs), *([path] for path in self._texts)]
        self._working: list[_Share] = []
        self._said: dict[str, list[Comment] | Failure] = {}
        self._begin()

    def advance(self) -> Answers:
        """Start as many processes as may be at work; the result is what was said since it was last asked for."""
        for share in tuple(self._working):
            if time.monotonic() > share.end:
                share.process.end()
            status = share.process.status()
            if status is not None:
                self._working.remove(share)
                self._take(share, status)
        self._begin()
        said, self._said = self._said, {}
        return said

    def answers(self, look: Callable[[], None] | None = None) -> Answers:
        """What is said about each of the other files, once all is said. What `look` raises ends the wait."""
        found = dict(self.advance())
        while self._working or self._waiting:
            time.sleep(PAUSE)
            if look is not None:
                look()
            found.update(self.advance())
        return found

    def stop(self) -> None:
        """End every process now; what has not been said never will be."""
        for share in self._working:
            share.process.end()
            self._said.update(dict.fromkeys(share.paths, STOPPED))
        self._said.update((path, STOPPED) for paths in self._waiting for path in paths)
        self._waiting, self._working = [], []

    def _begin(self) -> None:
        while self._waiting and len(self._working) < self._jobs:
            self._start(self._waiting.pop(0))

    def _start(self, paths: list[str]) -> None:
        shell = program()
        if shell is None:
            self._said.update(dict.fromkeys(paths, NOT_INSTALLED))
            return
        text = self._texts.get(paths[0])
        named = map(_named, paths) if text is None else ["-"]
        folder = None if text is None else os.path.dirname(os.path.abspath(paths[0]))
        try:
            process = Beside(
                [*arguments(shell), "--", *named],
                SECONDS,
                text=text or b"",
                environment=_environment(),
                folder=folder if folder is not None and os.path.isdir(folder) else None,
            )
        except OSError as error:
            self._said.update(dict.fromkeys(paths, _failed(error)))
            return
        self._working.append(_Share(paths, process, time.monotonic() + PATIENCE))

    def _take(self, share: _Share, status: int) -> None:
        """What a process said of its files; one that was killed was given too many, or one that takes for ever."""
        said = share.process.said()
        if status == KILLED and len(share.paths) > 1:
            self._waiting.extend([path] for path in share.paths)
        elif status == KILLED:
            self._said[share.paths[0]] = TOO_LONG
        elif share.paths[0] in self._texts:
            self._said[share.paths[0]] = _comments(said, ["-"])["-"]
        else:
            self._said.update(_comments(said, share.paths))


def batches(paths: Sequence[str], jobs: int) -> list[list[str]]:
    """The files in shares of about the same size in bytes, at least one share for each job, the largest files first."""
    count = max(min(jobs, len(paths)), -(-len(paths) // BATCH))
    shares: list[tuple[int, int, list[str]]] = [(0, index, []) for index in range(count)]
    for path in sorted(paths, key=_size, reverse=True):
        weight, index, share = shares[0]
        share.append(path)
        heapq.heapreplace(shares, (weight + _size(path) + 500, index, share))
    return [share for _, _, share in sorted(shares, key=itemgetter(1)) if share]


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def check_text(text: bytes, path: str) -> list[Comment] | Failure:
    """What shellcheck says about a text that is not in a file. `path` is where `.shellcheckrc` is looked for."""
    return Running([], 1, {path: text}).answers()[path]


def can_be_named(path: str) -> bool:
    """Whether shellcheck can be told a path: it only knows names in UTF-8. Other files are handed over as text."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _environment() -> dict[str, str]:
    """Names of files are UTF-8 whatever the locale, and nobody's options hold."""
    kept = {name: value for name, value in os.environ.items() if name != "SHELLCHECK_OPTS"}
    return {**kept, "LC_ALL": "C.UTF-8"}


def _named(path: str) -> str:
    """A path as an argument: never an option."""
    return f"./{path}" if path.startswith("-") and path != "-" else path


def _comments(said: bytes, paths: Sequence[str]) -> Answers:
    """The comments on each file of a share."""
    try:
        comments = json.loads(said.decode("utf-8", "replace"))["comments"]
        by_name: dict[str, list[Comment]] = {}
        for comment in comments:
            by_name.setdefault(comment["file"], []).append(comment)
    except (ValueError, KeyError, TypeError) as error:
        return dict.fromkeys(paths, _failed(error))
    return {path: by_name.get(_named(path), []) for path in paths}


def _failed(error: Exception) -> Failure:
    return Failure(f"shellcheck failed: {error}")


def findings(comments: Iterable[Comment], source: Source) -> list[Finding]:
    """The comments on one script as findings, each once."""
    found: dict[tuple[str, Span, str], Finding] = {}
    for comment in comments:
        name = f"SC{comment['code']:04d}"
        span = Span(
            source.path,
            _offset(source, comment["line"], comment["column"]),
            _offset(source, comment["endLine"], comment["endColumn"]),
        )
        text = source.text[span.start : span.end]
        if (name == "SC2140" and text in JOINING) or (name == "SC2054" and not _separates(text)):
            continue
        message = " ".join(str(comment["message"]).split()).rstrip(".")
        found[name, span, message] = Finding(
            rule=name,
            severity=SEVERITIES.get(comment["level"], "info"),
            confidence="high",
            span=span,
            message=_uncapitalized(message),
            note=f"https://www.shellcheck.net/wiki/{name}",
            fix=_fix(comment, source),
        )
    return list(found.values())


def _offset(source: Source, line: int, column: int) -> int:
    """Lines end at LF for shellcheck too; its columns count characters, a tab as one."""
    line = min(max(line, 1), len(source.line_starts))
    start = source.line_starts[line - 1]
    return min(start + max(column, 1) - 1, start + len(source.line_text(line)))


def _uncapitalized(message: str) -> str:
    """The message in lower case at its start, unless it starts with the name of a variable."""
    return message[:1].lower() + message[1:] if message.partition(" ")[0].istitle() else message


def _fix(comment: Comment, source: Source) -> Fix | None:
    """shellcheck's own fix. It may change what a script means (quotes stop splitting), so it is not a safe one."""
    replacements = (comment.get("fix") or {}).get("replacements") or []
    edits = [
        Edit(
            Span(
                source.path,
                _offset(source, part["line"], part["column"]),
                _offset(source, part["endLine"], part["endColumn"]),
            ),
            part["replacement"],
        )
        for part in sorted(replacements, key=lambda part: (part["line"], part["column"], part["precedence"]))
    ]
    return Fix("apply shellcheck's fix", False, tuple(edits)) if edits else None


def key(data: bytes, path: str) -> str:
    """What an answer about a script depends on: its text, the program, how it is called, the user's configuration."""
    return digest(data, _version(), arguments(""), configuration(os.path.dirname(os.path.abspath(path))))


@lru_cache(maxsize=1)
def _version() -> str:
    """The program as it is on the disk; asking it for its version would cost a process."""
    shell = program()
    if shell is None:
        return ""
    status = os.stat(shell)
    return f"{shell} {status.st_size} {status.st_mtime_ns}"


def _separates(array: str) -> bool:
    """Whether a comma stands between elements of an array, not inside an override (`betas=[0.9,0.98]`)."""
    bare = re.sub(r"#.*|'[^']*'|\"[^\"]*\"", "", array)
    listed = [word for word in bare.strip("() \n").split() if "," in word]
    return not listed or any(word.endswith(",") or not OVERRIDE.match(word) for word in listed)
