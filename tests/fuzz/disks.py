"""Repositories and disks that are not as usual: submodules, worktrees, sparse and shallow checkouts, what may not be
read or written, no room, paths too long, names that are no text, files that change while they are read."""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from lint.checking.remembered import forget
from tests.fuzz.accidents import HOSTILE
from tests.fuzz.calling import wrong

QUIET = ("--no-shellcheck", "--jobs", "1")
NOBODY = 65534
GIT = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "protocol.file.allow=always")
SOURCING = b"\n. ./names.sh\n. ../other/names.sh\nbash ./inner.sh\n"

WAYS: tuple[tuple[str, ...], ...] = (
    ("check", "."),
    ("check", ".", "--no-cache", "--format", "json"),
    ("check", ".", "--changed"),
    ("check", ".", "--changed=HEAD~1"),
    ("check", ".", "--changed=origin/main", "--format", "sarif"),
    ("check", ".", "--diff"),
    ("check", ".", "--fix", "--unsafe-fixes"),
    ("check", ".", "--add-ignore", "x"),
    ("check", ".", "--write-baseline", "base.json"),
    ("check", ".", "--baseline", "base.json"),
    ("check", ".", "--output-file", "out/report.txt"),
    ("check", ".", "--show-settings"),
    ("copies",),
    ("copies", "backport", "a.sh", "--to", "0.8.0"),
    ("copies", "backport", "a.sh", "--to", "0.8.0", "--output", "out"),
    ("compare", "HEAD~1:a.sh", "a.sh"),
    ("show", "a.sh"),
    ("memory", "a.sh"),
    ("settings", "a.sh"),
    ("new", "a.sh", "new.sh", "--force"),
    ("init", "--force"),
)


def problems(scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """What goes wrong in one such place."""
    top = Path("disk").absolute()
    before = os.getcwd()
    top.mkdir()
    try:
        yield from dice.choice(KINDS)(top, scripts, dice)
    finally:
        os.chdir(before)
        forget()
        for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):  # Python's own go no deeper than its stack
            subprocess.run([*command, "disk"], check=True, capture_output=True)


def _tried(folder: Path, dice: random.Random, count: int = 3) -> Iterator[str]:
    """A few calls in a folder."""
    os.chdir(folder)
    yield from _called(dice, count)


def _called(dice: random.Random, count: int = 3) -> Iterator[str]:
    """The same in the current folder."""
    for way in dice.sample(WAYS, count):
        forget()
        yield from wrong((*way, *QUIET) if way[0] == "check" else way)


def _git(folder: Path, *words: str) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run([*GIT, *words], cwd=folder, check=True, env=environment, capture_output=True)


def _filled(folder: Path, scripts: Sequence[bytes], dice: random.Random) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sub").mkdir(exist_ok=True)
    for name, more in (("a.sh", SOURCING), ("names.sh", b""), ("inner.sh", b""), ("sub/b.sh", SOURCING)):
        (folder / name).write_bytes(dice.choice(scripts) + more)
    return folder


def _repository(folder: Path, scripts: Sequence[bytes], dice: random.Random) -> Path:
    """A repository with two commits and a change that is in neither."""
    _git(_filled(folder, scripts, dice), "init", "-q", "-b", "main")
    for _ in range(2):
        (folder / "a.sh").write_bytes(dice.choice(scripts))
        _git(folder, "add", ".")
        _git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    (folder / "sub" / "b.sh").write_bytes(dice.choice(scripts) + SOURCING)
    return folder


# ------------------------------------------------------------------------------------------------------ repositories


def _submodule(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    inner = _repository(top / "inner", scripts, dice)
    outer = _repository(top / "outer", scripts, dice)
    _git(outer, "submodule", "add", "-q", str(inner), dice.choice(("verl", "sub/module", "m .sh")))
    _git(outer, "commit", "-q", "-m", "module")
    spoil = dice.randrange(4)
    if spoil == 1:
        _git(outer, "submodule", "deinit", "-q", "-f", "--all")
    elif spoil == 2:
        shutil.rmtree(outer / ".git" / "modules")
    elif spoil == 3:
        (outer / ".gitmodules").write_bytes(dice.choice(HOSTILE))
    where = dice.choice((outer, next(outer.glob("**/names.sh")).parent))
    yield from _tried(where, dice)


def _worktree(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    main = _repository(top / "main", scripts, dice)
    _git(main, "worktree", "add", "-q", "-b", "other", str(top / "tree"))
    spoil = dice.randrange(4)
    if spoil == 1:
        shutil.rmtree(main)
    elif spoil == 2:
        (top / "tree" / ".git").write_bytes(dice.choice((b"gitdir: .git", b"gitdir: /", b"gitdir:", *HOSTILE)))
    elif spoil == 3:
        (top / "tree" / ".git").unlink()
        (top / "tree" / ".git").symlink_to(".git")
    yield from _tried(top / "tree", dice)


def _sparse(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    folder = _repository(top / "sparse", scripts, dice)
    _git(folder, "commit", "-q", "-a", "-m", "y")
    _git(folder, "sparse-checkout", "set", *dice.choice((("sub",), ("--no-cone", "/a.sh"), ("nothing",))))
    yield from _tried(folder, dice)


def _shallow(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    origin = _repository(top / "origin", scripts, dice)
    how = dice.choice((("--depth", "1"), ("--no-checkout",), ("--bare",), ("--filter=blob:none",)))
    _git(top, "clone", "-q", *how, origin.as_uri(), "clone")
    if dice.random() < 0.3:
        shutil.rmtree(origin)
    yield from _tried(top / "clone", dice)


def _moved(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """Files that were renamed, removed or that conflict since the last commit."""
    folder = _repository(top / "moved", scripts, dice)
    moves = (
        ("git", "mv", "a.sh", "sub/c d.sh"),
        ("git", "rm", "-q", "-f", "inner.sh"),
        ("mv", "names.sh", "other.sh"),
        ("cp", "a.sh", "sub/b.sh"),
        ("ln", "-sf", "b.sh", "sub/b.sh"),
        ("mv", "sub", "new"),
        ("rm", "-r", "sub"),
    )
    for move in dice.sample(moves, 3):
        subprocess.run(move, cwd=folder, check=False, capture_output=True)
    yield from _tried(folder, dice)


# ------------------------------------------------------------------------------------------------------------- disks


def _denied(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """What may not be read, entered or written."""
    folder = _repository(top / "denied", scripts, dice)
    for name in ("recipe-lint.toml", "base.json"):
        (folder / name).write_text("")
    (folder / ".recipe-lint-cache").mkdir()
    (folder / "out").mkdir()
    _open_to_all(top)
    for path in dice.sample(sorted(folder.rglob("*")), 3):
        path.chmod(dice.choice((0, 0o444, 0o111)))
    folder.chmod(dice.choice((0o755, 0o555, 0o777, 0o111, 0o444)))
    os.chdir(folder)
    with _as_nobody():
        yield from _called(dice)


def _read_only(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    folder = _repository(top / "still", scripts, dice)
    _open_to_all(top)
    with _as_nobody():
        yield from _tried(folder, dice)


def _no_room(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """No file can grow beyond some size, as on a full disk."""
    folder = _filled(top / "full", scripts, dice)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (dice.choice((0, 1, 100, 5000)), hard))
    try:
        yield from _tried(folder, dice)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _long_paths(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """Folders in folders until no path to them can be written down any more."""
    name, depth = dice.choice((("x" * 255, 20), ("d", 600), ("\N{CJK UNIFIED IDEOGRAPH-6A21}" * 85, 15)))
    os.chdir(top)
    for _ in range(depth):
        os.mkdir(name)
        os.chdir(name)
        if dice.random() < 0.05:
            Path("run.sh").write_bytes(dice.choice(scripts))
    for file in ("a.sh", "names.sh"):
        Path(file).write_bytes(dice.choice(scripts) + SOURCING)
    if dice.random() < 0.5:
        os.chdir(top)
    yield from _called(dice, 2)


def _names(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """Folders and scripts whose names are no text."""
    odd = (b"\xff\xfe", b"a\nb", b"\x1b[31m", b"-rf", b"a b'\"", "\u202e".encode(), b"$(x)", b"\xed\xa0\x80", b"[a]*?")
    folder = Path(os.fsdecode(os.fsencode(top) + b"/" + dice.choice(odd)))
    _repository(folder, scripts, dice)
    Path(os.fsdecode(os.fsencode(folder) + b"/" + dice.choice(odd) + b".sh")).write_bytes(dice.choice(scripts))
    yield from _tried(folder, dice)


def _changing(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """Somebody else changes, removes and replaces files while they are read."""
    folder = _repository(top / "busy", scripts, dice)
    done = threading.Event()
    others = random.Random(dice.random())

    def busy() -> None:
        names = ("a.sh", "names.sh", "inner.sh", "sub/b.sh", "recipe-lint.toml", ".git/index", ".recipe-lint-cache")
        while not done.wait(0.002):
            with suppress(OSError):
                others.choice(CHANGES)(folder / others.choice(names), others.choice(scripts))

    neighbour = threading.Thread(target=busy)
    neighbour.start()
    try:
        yield from _tried(folder, dice)
    finally:
        done.set()
        neighbour.join()


CHANGES: tuple[Callable[[Path, bytes], object], ...] = (
    lambda path, script: path.write_bytes(script),
    lambda path, script: path.unlink(),
    lambda path, script: os.truncate(path, 10),
    lambda path, script: path.symlink_to(path.name),
    lambda path, script: path.write_bytes(b"x = 1\n"),
    lambda path, script: path.mkdir(),
    lambda path, script: shutil.rmtree(path),
)


def _gone(top: Path, scripts: Sequence[bytes], dice: random.Random) -> Iterator[str]:
    """The current folder is no more."""
    folder = _filled(top / "gone", scripts, dice)
    os.chdir(folder)
    shutil.rmtree(folder)
    way = dice.choice(WAYS)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    ended = subprocess.run([sys.executable, "-m", "lint", *way], env=environment, capture_output=True, check=False)
    if ended.returncode not in (2, 3) or ended.stdout or ended.stderr.count(b"\n") > 2:
        yield f"{' '.join(way)} in a folder that is gone: {ended.returncode}, {ended.stderr.decode()}"


@contextmanager
def _as_nobody() -> Iterator[None]:
    """As a user to whom nothing belongs: root may read and write all."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def _open_to_all(top: Path) -> None:
    """Let others come as far as this folder."""
    for folder in (top, top.parent):
        folder.chmod(0o755)


KINDS: tuple[Callable[[Path, Sequence[bytes], random.Random], Iterator[str]], ...] = (
    *(_submodule, _worktree, _sparse, _shallow, _moved),
    *(_denied, _denied, _read_only, _no_room, _long_paths, _names, _changing, _gone),
)
