"""Reads a git repository: branches, the names in a commit, the text of files. Never a checkout, never a change.

Names that people write (refs, paths) reach git only through standard input of `git cat-file`, so none can become an
option. What git needs on its command line is a commit id that git itself gave.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from difflib import get_close_matches
from pathlib import Path

from lint.files.discovery import LARGEST
from lint.files.git import environment
from lint.frozen import frozen

TIMEOUT = 120  # seconds: a call to git on a local repository takes milliseconds
OF_ONE_REPOSITORY = frozenset(  # what `git rev-parse --local-env-vars` names, without settings
    (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    )
)
ALIKE = "60%"  # of the lines of a file that moved must be the same
PREFERRED_REMOTES = ("origin", "upstream")
SHALLOW = "{} is a shallow clone without the history that both branches share: run `git fetch --unshallow`"


class NotRead(Exception):
    """git cannot answer; the message says why, and what to do about it."""


@frozen
class Branch:
    """A branch: its name without `refs/...`, the remote that it was fetched from (None: local), its commit."""

    name: str
    remote: str | None
    commit: str

    @property
    def label(self) -> str:
        """The name as people write it: `release/v0.8.0`, or `origin/release/v0.8.0`."""
        return self.name if self.remote is None else f"{self.remote}/{self.name}"


@frozen
class Commit:
    """A commit as people cite it: its id, shortened, and its first line."""

    name: str
    subject: str


@frozen
class Repository:
    """A repository; `top` is the top folder of its work tree, or itself if it has none (a bare one, a mirror)."""

    top: Path
    _branches: list[Branch] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def at(cls, folder: Path) -> Repository:
        """The repository that holds a folder, else the one that `GIT_DIR` names. Raises `NotRead`."""
        try:
            return cls(_folder(_git(folder, ("rev-parse", "--show-toplevel"))))
        except NotRead:
            pass
        try:
            return cls(_folder(_git(folder, ("rev-parse", "--absolute-git-dir"))))  # a bare one
        except NotRead:
            named = os.environ.get("GIT_DIR")
            if not named:
                raise
        return cls(_folder(_git(Path(named), ("rev-parse", "--absolute-git-dir"))))

    @property
    def head(self) -> str | None:
        """The id of the commit that is checked out; None if there is none yet."""
        return self._resolve(["HEAD^{commit}"])[0]

    @property
    def is_shallow(self) -> bool:
        return _git(self.top, ("rev-parse", "--is-shallow-repository")).strip() == b"true"

    # ---------------------------------------------------------------------------------------------------- branches

    def branches(self) -> Sequence[Branch]:
        """Every local and remote branch; local ones first, then remotes, `origin` before others."""
        if not self._branches:
            form = "--format=%(objectname) %(refname)"
            rows = _git(self.top, ("for-each-ref", form, "refs/heads", "refs/remotes"))
            found = [_branch(os.fsdecode(row)) for row in rows.splitlines()]
            self._branches.extend(sorted((branch for branch in found if branch), key=_rank))
        return self._branches

    def commit(self, name: str) -> str:
        """The commit id that a name stands for: a branch, a remote branch, a tag, a commit. Raises `NotRead`."""
        if not name or any(character in name for character in "\n\0"):
            raise NotRead(f"{name!r} names no commit")
        (found,) = self._resolve([f"{name}^{{commit}}"])
        if found is not None:
            return found
        for branch in self.branches():
            if branch.name == name:
                return branch.commit
        raise NotRead(self._unknown(name))

    def _unknown(self, name: str) -> str:
        names = [branch.label for branch in self.branches()]
        near = get_close_matches(name, names, 1, 0.7)
        if near:
            return f"git knows no commit {name!r} in {self.top}; did you mean {near[0]!r}?"
        where = f"{self.top}, a shallow clone" if self.is_shallow else str(self.top)
        is_identity = len(name) >= 7 and set(name) <= set("0123456789abcdef")
        run = f"run `git fetch origin {name}`" if is_identity else f"if it is a branch, run `{fetching([name])}`"
        return f"git knows no commit {name!r} in {where}; {run}"

    # ------------------------------------------------------------------------------------------------------- files

    def files(self, commit: str, folder: str = "") -> dict[str, str]:
        """The id of each regular file of a commit below a folder, by its path; both paths are from the top.

        Links and submodules are no files, nor is what is too large to be a script.
        """
        rows = _git(self.top, ("ls-tree", "-r", "-l", "-z", "--full-tree", commit))
        below = f"{folder}/" if folder else ""
        found = {}
        for row in rows.split(b"\0"):
            meta, _, path = row.partition(b"\t")
            if meta.startswith(b"100"):
                _, _, identity, size = meta.split()
                name = os.fsdecode(path)
                if name.startswith(below) and not (size.isdigit() and int(size) > LARGEST):
                    found[name] = os.fsdecode(identity)
        return found

    def read(self, commit: str, paths: Iterable[str]) -> Mapping[str, bytes]:
        """The bytes of those paths (from the top, without `.` and `..`) that are files in a commit. Links to other
        files of the commit are followed. Raises `NotRead` for what is too large to be a script."""
        asked = [path for path in dict.fromkeys(paths) if _is_plain(path)]
        names = [f"{commit}:{path}" for path in asked]
        for path, size in zip(asked, self._sizes(names), strict=True):
            if size > LARGEST:
                raise NotRead(f"{path} has {size} bytes in that commit: too large to be a script")
        return {path: data for path, data in zip(asked, self._batch(names), strict=True) if data is not None}

    def blobs(self, identities: Sequence[str]) -> list[bytes]:
        """The bytes of files by their whole ids. Raises `NotRead` for what a partial clone lacks."""
        found = self._batch(identities)
        there = [data for data in found if data is not None]
        if len(there) < len(found):
            lacking = len(found) - len(there)
            raise NotRead(f"{self.top} is a partial clone and lacks {lacking} of the files: run `git fetch --refetch`")
        return there

    def blob(self, identity: str) -> bytes | None:
        """The bytes of the file that has an id; the first digits of the id are enough."""
        if not identity or not set(identity) <= set("0123456789abcdef"):
            return None
        (data,) = self._batch([identity])
        return data

    def identity(self, data: bytes) -> str:
        """The id that a file with these bytes has in this repository."""
        return os.fsdecode(_git(self.top, ("hash-object", "--stdin", "--no-filters"), data)).strip()

    def merge_base(self, one: str, other: str) -> str | None:
        """The last commit that two commits (ids that git gave) have in common, if git knows one."""
        try:
            return os.fsdecode(_git(self.top, ("merge-base", one, other))).strip() or None
        except NotRead:
            return None

    def commits(self, one: str, other: str, folder: str) -> list[tuple[Commit, list[str]]]:
        """The commits that lead to `one` and not to `other`, and change files below a folder, with their paths.

        What `other` has as another commit with the same change is left out. Both are ids that git gave; newest first.
        """
        words = ("-c", "core.quotePath=false", "log", "--cherry-pick", "--left-only", "--no-merges", "--name-only")
        rows = _git(self.top, (*words, "--format=%x01%h %s", f"{one}...{other}", "--", f"./{folder}"))
        found = []
        for entry in os.fsdecode(rows).split("\1")[1:]:
            heading, *paths = entry.split("\n")
            name, _, subject = heading.partition(" ")
            found.append((Commit(name, subject), [path for path in paths if path]))
        return found

    def renames(self, one: str, other: str, folder: str) -> dict[str, str]:
        """Files below a folder of one commit that are likely those of another path in the other (ids that git gave)."""
        words = ("diff", "--no-ext-diff", f"--find-renames={ALIKE}", "-l0", "--diff-filter=R", "--name-status", "-z")
        rows = os.fsdecode(_git(self.top, (*words, one, other, "--", f"./{folder}"))).split("\0")
        return dict(zip(rows[1::3], rows[2::3], strict=False))

    def adding(self, path: str, since: str, until: str) -> str | None:
        """The first commit between two (ids that git gave) that adds a file, if there is one."""
        words = ("log", "--diff-filter=A", "--no-renames", "--format=%H", f"{since}..{until}", "--", f"./{path}")
        names = os.fsdecode(_git(self.top, words)).split()
        return names[-1] if names else None

    # ---------------------------------------------------------------------------------------------------- cat-file

    def _resolve(self, names: Sequence[str]) -> list[str | None]:
        answer = _git(self.top, ("cat-file", "--batch-check=%(objecttype) %(objectname)"), _lines(names))
        rows = [os.fsdecode(row).split(" ") for row in answer.splitlines()]
        return [row[1] if row[0] == "commit" else None for row in rows]

    def _sizes(self, names: Sequence[str]) -> list[int]:
        """The sizes of objects; 0 for what is missing, and for links that lead out of the commit."""
        words = ("cat-file", "--batch-check=%(objectsize)", "--follow-symlinks")
        answer = _git(self.top, words, _lines(names)) if names else b""
        sizes, position = [], 0
        for _ in names:
            end = answer.index(b"\n", position)
            said, _, length = answer[position:end].rpartition(b" ")
            position = end + 1
            sizes.append(int(length) if not said and length.isdigit() else 0)
            if said and length.isdigit():  # `symlink <length>`, `dangling <length>`: a path follows
                position += int(length) + 1
        return sizes

    def _batch(self, names: Sequence[str]) -> list[bytes | None]:
        """The contents of objects that are files, in order; None for what is missing or no file."""
        words = ("cat-file", "--batch=%(objecttype) %(objectsize)", "--follow-symlinks")
        answer = _git(self.top, words, _lines(names)) if names else b""
        contents: list[bytes | None] = []
        position = 0
        for _ in names:
            end = answer.index(b"\n", position)
            kind, _, size = answer[position:end].rpartition(b" ")
            position = end + 1
            if not size.isdigit():  # `<name> missing`, `<name> ambiguous`; links that lead nowhere have a size
                contents.append(None)
                continue
            contents.append(answer[position : position + int(size)] if kind == b"blob" else None)
            position += int(size) + 1
        return contents


def fetching(branches: Iterable[str]) -> str:
    """The command that gets branches (or patterns of branches) of `origin`, also into a clone of one branch."""
    refs = (shlex.quote(f"+refs/heads/{branch}:refs/remotes/origin/{branch}") for branch in branches)
    return f"git fetch origin {' '.join(refs)}"


def _is_plain(path: str) -> bool:
    """git would read `./x` and `../x` relative to the current folder, and a line end as the next question."""
    names = path.split("/")
    return not any(sign in path for sign in "\n\0") and not {"", ".", ".."} & set(names)


def _branch(row: str) -> Branch | None:
    """One line of `for-each-ref`: the commit and the name of the ref. None for the default branch of a remote."""
    commit, _, reference = row.partition(" ")
    if reference.startswith("refs/heads/"):
        return Branch(reference.removeprefix("refs/heads/"), None, commit)
    remote, _, name = reference.removeprefix("refs/remotes/").partition("/")
    return None if name == "HEAD" else Branch(name, remote, commit)


def _rank(branch: Branch) -> tuple[int, str, str]:
    if branch.remote is None:
        return 0, "", branch.name
    known = branch.remote in PREFERRED_REMOTES
    return (1 + PREFERRED_REMOTES.index(branch.remote) if known else 9), branch.remote, branch.name


def _lines(names: Sequence[str]) -> bytes:
    return b"".join(os.fsencode(name) + b"\n" for name in names)


def _folder(answer: bytes) -> Path:
    return Path(os.fsdecode(answer.removesuffix(b"\n")))


def _variables() -> dict[str, str]:
    """The environment for git: the repository is the one of the folder that is asked about, also in a hook."""
    return {name: value for name, value in environment().items() if name not in OF_ONE_REPOSITORY}


def _git(folder: Path, arguments: Sequence[str], text: bytes = b"") -> bytes:
    """What git prints; `text` is its standard input. Never fetches what a partial clone lacks. Raises `NotRead`."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, input=text, env=_variables(), capture_output=True, timeout=TIMEOUT
        )
    except FileNotFoundError:
        raise NotRead("git is not on PATH" if folder.is_dir() else f"{folder}: no such folder") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotRead(f"git cannot be asked: {error}") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise NotRead(said.removeprefix("fatal: ") or f"git {arguments[0]} ended with status {done.returncode}")
    return done.stdout
