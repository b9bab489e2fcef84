"""The scripts to check: those that are named, those found under named folders, and their bytes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence

from lint.files.globs import ignored
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Source

SHEBANG = regular(rb"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*)?(?:ba|da|k)?sh(?:\s|\Z)")
OTHER_INTERPRETER = regular(
    rb"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*)?(zsh|t?csh|fish|pwsh|python[0-9.]*|perl|ruby|node|lua|php|expect|tclsh|g?awk"
    rb"|Rscript)(?:\s|\Z)"
)
SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages", "venv"})
MAKEFILES = frozenset({"makefile", "Makefile", "GNUmakefile"})  # make starts them, whatever their first line says
OTHER_LANGUAGES = {
    ".yml": "is YAML, not a script; workflows are read as callers of the scripts that they start: check those",
    ".yaml": "is YAML, not a script; workflows are read as callers of the scripts that they start: check those",
    ".json": "is JSON, not a script",
    ".ipynb": "is a notebook, not a script",
    ".py": "is Python, not a script of a shell",
}
"""Why files named so are not read as bash, unless their first line says that a shell runs them."""
LARGEST = 64 * 1024 * 1024  # bytes; nobody writes a script of that size, and reading it would fill memory

Excluded = Callable[[str], bool]
Rules = tuple[tuple[str, tuple[str, ...]], ...]
"""Folders (absolute) with the lines of their `.gitignore`, from the top down."""


@frozen
class Unreadable:
    """An input that is not a script that can be checked, and why."""

    path: str
    reason: str


@frozen
class Inputs:
    """What the arguments of the command line stand for: scripts, arguments that stand for nothing, and folders below
    others that cannot be looked into."""

    paths: tuple[str, ...]
    missing: tuple[Unreadable, ...] = ()
    closed: tuple[Unreadable, ...] = ()


def discover(arguments: Sequence[str], excluded: Excluded) -> Inputs:
    """Files as they are named, and every script below named folders; each once, in order.

    `excluded` is asked for what a folder holds, never for a file that was named. Under folders a script is a file
    named `*.sh` or `*.bash` that names no other interpreter, or one that starts with a shebang of a shell; hidden
    folders, virtual environments, and what `.gitignore` files name are left out.
    """
    found: dict[str, None] = {}
    missing: list[Unreadable] = []
    closed: list[Unreadable] = []
    for argument in arguments:
        path = shown_path(argument) if argument else "''"
        try:
            os.lstat(argument)
        except OSError as error:
            missing.append(_not_read(path, error))
            continue
        if not os.path.isdir(argument):
            found[path] = None
            continue
        for inside in _walk(path, excluded):
            if isinstance(inside, str):
                found[inside] = None
            else:
                (missing if inside.path == path else closed).append(inside)
    return Inputs(tuple(found), tuple(missing), tuple(closed))


def _not_read(path: str, error: OSError) -> Unreadable:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return Unreadable(path, "no such file or folder")
    return Unreadable(path, f"cannot be read: {(error.strerror or str(error)).lower()}")


def shown_path(path: str) -> str:
    """A path as messages show it: relative to the current folder if it is below it, else absolute or as given."""
    relative = os.path.relpath(path)
    if not relative.startswith(os.pardir):
        return relative
    return path


def _walk(top: str, excluded: Excluded) -> Iterator[str | Unreadable]:
    """Scripts below a folder, in the order of their names; symbolic links to folders are not followed."""
    pending: list[tuple[str, str, Rules]] = [(top, os.path.abspath(top), tuple(_rules_above(top)))]
    while pending:
        folder, absolute, rules = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield _not_read(folder.removeprefix("./"), error)
            continue
        names = {entry.name for entry in entries}
        if ".gitignore" in names:
            rules = (*rules, (absolute, _gitignore(os.path.join(folder, ".gitignore"))))
        if "pyvenv.cfg" in names:
            continue
        deeper = []
        for entry in entries:
            path = entry.path.removeprefix("./") if top == "." else entry.path
            is_folder = entry.is_dir(follow_symlinks=False)
            here = os.path.join(absolute, entry.name)
            if entry.name.startswith(".") or _ignored(rules, here, is_folder) or excluded(path):
                continue
            if is_folder:
                if entry.name not in SKIPPED:
                    deeper.append((path, here, rules))
            elif os.path.isfile(entry.path) and _is_script(entry):  # a link in a circle is no file
                yield path
        pending.extend(reversed(deeper))


def _rules_above(folder: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The `.gitignore` files of the folders above one, from the top of its repository down."""
    here = os.path.abspath(folder)
    above = []
    while not os.path.lexists(os.path.join(here, ".git")):
        parent = os.path.dirname(here)
        if parent == here:
            return
        here = parent
        above.append(here)
    for outer in reversed(above):
        yield outer, _gitignore(os.path.join(outer, ".gitignore"))


def _gitignore(path: str) -> tuple[str, ...]:
    text = text_of(path) or ""
    lines = (line.rstrip("\n").rstrip() for line in text.splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def _ignored(rules: Rules, path: str, is_folder: bool) -> bool:
    verdict = False
    for folder, patterns in rules:
        inside = path[len(folder.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        said = ignored(patterns, inside, is_folder)
        verdict = verdict if said is None else said
    return verdict


def _is_script(entry: os.DirEntry[str]) -> bool:
    named = entry.name.endswith((".sh", ".bash"))
    if not named and ("." in entry.name or entry.name in MAKEFILES):
        return False
    try:
        with open(entry.path, "rb") as file:
            first = file.read(128)
    except OSError:
        return named  # whoever reads it says why it cannot be read
    return OTHER_INTERPRETER.match(first) is None if named else SHEBANG.match(first) is not None


def read(path: str) -> bytes | Unreadable:
    """The bytes of a script, or why there are none. Never waits on a pipe or a device."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return Unreadable(path, "does not exist")
    if stat.S_ISDIR(status.st_mode):
        return Unreadable(path, "is a folder")
    if not stat.S_ISREG(status.st_mode):
        return Unreadable(path, "is not a regular file")
    if status.st_size > LARGEST:
        return Unreadable(path, f"is larger than {LARGEST >> 20} MiB")
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        return Unreadable(path, f"cannot be read: {(error.strerror or str(error)).lower()}")


def text_of(path: str) -> str | None:
    """The text of a file that is read beside scripts (configs, modules), or None: as careful as `read`."""
    data = read(path)
    return None if isinstance(data, Unreadable) else data.decode("utf-8", "replace")


def _is_binary(data: bytes) -> bool:
    """Whether bash runs none of a file: there is a NUL in its first line or, if that is a `#!`, in the second one.

    Of the second line it sees what is in the first 80 bytes (`check_binary_file` in general.c, 5.2).
    """
    first, _, rest = data[:8192].partition(b"\n")
    second = rest.partition(b"\n")[0][: max(0, 79 - len(first))]
    return b"\0" in first or (first.startswith(b"#!") and b"\0" in second)


def decode(path: str, data: bytes) -> Source | Unreadable:
    """The text of a script, or why it is none: bytes that bash itself takes for a binary file, or another language."""
    if _is_binary(data):
        return Unreadable(path, "is a binary file, not a script")
    language = OTHER_LANGUAGES.get(os.path.splitext(path)[1].lower())
    if language is not None and not SHEBANG.match(data):
        return Unreadable(path, language)
    other = OTHER_INTERPRETER.match(data)
    if other is not None:
        return Unreadable(path, f"is a script of {other[1].decode()}, not of a shell that is read here")
    return Source.decode(path, data)
