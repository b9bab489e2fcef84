"""The files that git says were changed, so that a run can look at those alone."""

from __future__ import annotations

import os
import subprocess

from lint.files.git import environment, without_filters


class NoRepository(Exception):
    """git cannot answer; the message says why."""


def changed_files(reference: str) -> frozenset[str]:
    """Absolute paths of files that differ from a commit in the work tree, and of files that git does not know yet.

    `main...` is the commit at which this branch left `main`, as for `git diff`.
    """
    top = os.fsdecode(_git("rev-parse", "--show-toplevel").rstrip(b"\n"))
    commit = _commit(reference.removesuffix("..."))
    if reference.endswith("..."):
        commit = _common_ancestor(commit, reference.removesuffix("..."))
    options = ("--name-only", "--diff-filter=d", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", "-z")
    names = _git("diff", *options, commit, "--", folder=top)
    names += _git("ls-files", "--others", "--exclude-standard", "-z", folder=top)
    return frozenset(os.path.join(top, os.fsdecode(name)) for name in names.split(b"\0") if name)


def _commit(name: str) -> str:
    found = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").decode().split()
    if len(found) != 1:
        raise NoRepository(f"git knows no commit {name!r}{_shallow()}")
    return found[0]


def _common_ancestor(commit: str, name: str) -> str:
    found = _git("merge-base", "--all", commit, "HEAD").decode().split()
    if not found:
        raise NoRepository(f"no commit is known at which this branch left {name!r}{_shallow()}")
    return found[0]


def _shallow() -> str:
    """What may be missing where git does not find a commit."""
    if _git("rev-parse", "--is-shallow-repository").strip() != b"true":
        return ""
    return ": this clone holds a part of the history; `git fetch --unshallow` brings the rest"


def _git(*arguments: str, folder: str | None = None) -> bytes:
    """What git prints; filters stay off, so a file that git would filter counts as changed once it was touched."""
    asked = ["git", "config", "--null", "--name-only", "--get-regexp", r"^filter\."]
    try:
        filters = subprocess.run(asked, capture_output=True, cwd=folder, check=False, timeout=60, env=environment())
        settings = without_filters(filters.stdout)
        done = subprocess.run(
            ["git", *arguments], capture_output=True, cwd=folder, check=False, timeout=60, env=environment(settings)
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoRepository(f"git cannot be asked: {error}") from None
    if done.returncode != 0 and arguments[0] != "merge-base" and "--verify" not in arguments:
        raise NoRepository(done.stderr.decode("utf-8", "replace").strip().partition("\n")[0])
    return done.stdout
