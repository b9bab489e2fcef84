"""shfmt as a witness of the parser: which commands it finds, where, with which words.

    python -m tests.bash.shfmt_witness TREE

compares every shell script of a tree; the exit status is 1 if a script that both can parse is parsed differently.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import sysconfig
from bisect import bisect_left
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from lint.bash import syntax
from lint.bash.parser import parse
from lint.bash.walk import Nodes
from lint.text import Source

SHFMT = os.path.join(sysconfig.get_path("scripts"), "shfmt")
KINDS = {
    "IfClause": "If",
    "WhileClause": "While",
    "ForClause": "For",
    "CaseClause": "Case",
    "Block": "Group",
    "Subshell": "Subshell",
    "FuncDecl": "Function",
    "ArithmCmd": "ArithmeticCommand",
    "TestClause": "Test",
    "CoprocClause": "Coprocess",
}
OURS = {"ArithmeticFor": "For"}


@dataclass(frozen=True, order=True)
class Found:
    """A command: a simple one with the places of its words, or a compound one with the place where it begins."""

    start: int
    kind: str
    words: tuple[tuple[int, int], ...] = ()


def by_shfmt(text: str) -> list[Found] | None:
    """The commands that shfmt finds, in order; None if it rejects the script."""
    data = text.encode("utf-8", "surrogateescape")
    done = subprocess.run([SHFMT, "--ln", "bash", "--to-json"], input=data, capture_output=True, check=False)
    if done.returncode != 0:
        return None
    offsets = list(accumulate((len(c.encode("utf-8", "surrogateescape")) for c in text), initial=0))
    found = []
    for one in _commands(json.loads(done.stdout)):
        places = [(bisect_left(offsets, start), bisect_left(offsets, end)) for start, end in one.words]
        words = tuple((start, _without_continuation(text, end)) for start, end in places)
        found.append(Found(bisect_left(offsets, one.start), one.kind, words))
    return sorted(found)


def _without_continuation(text: str, end: int) -> int:
    """The end of a word; shfmt counts a line continuation right behind it in."""
    while text.endswith("\\\n", 0, end):
        end -= 2
    return end


def _commands(root: Any) -> Iterator[Found]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(node)
            continue
        if not isinstance(node, dict):
            continue
        waiting.extend(node.values())
        kind = node.get("Type")
        start = node.get("Pos", {}).get("Offset", 0)
        if kind in KINDS:
            yield Found(start, KINDS[kind])
        elif kind == "CallExpr":
            yield Found(start, "SimpleCommand", _places([*node.get("Assigns", ()), *node.get("Args", ())]))
        elif kind == "DeclClause":
            yield Found(start, "SimpleCommand", _places([node["Variant"], *node.get("Args", ())]))


def _places(nodes: list[Any]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((node.get("Pos", {}).get("Offset", 0), node["End"]["Offset"]) for node in nodes))


def by_us(text: str) -> list[Found] | None:
    """The commands that we find, in order; None if the script has an error."""
    script = parse(Source("script.sh", text))
    if script.errors:
        return None
    nodes = Nodes(script.body)
    found: list[Found] = []
    for command in nodes.of(syntax.SimpleCommand):
        words = sorted((word.start, word.end) for word in (*command.assignments, *command.words))
        if words and text[words[0][0] : words[0][1]] != "let":  # which is no simple command for shfmt
            found.append(Found(words[0][0], "SimpleCommand", tuple(words)))
    for name in {*KINDS.values(), *OURS}:
        found.extend(Found(node.start, OURS.get(name, name)) for node in nodes.of(getattr(syntax, name)))
    return sorted(found)


def differences(text: str) -> list[str] | None:
    """What one finds and the other does not, as text; None if one of them rejects the script.

    Some things shfmt 3.14 reads otherwise than bash, and they are left out: a carriage return, which it takes for part
    of the line end; a `#` right behind an expansion (`$name#set`), which it takes for a comment in some places; a
    backslash in backquotes, after which its places are off; one at the end of a comment, which it takes for a
    continuation.
    """
    if "\r" in text or re.search(r"\$\w+#|\\`|`[^`]*\\[^`]*`|#[^\n]*\\\n", text):
        return None
    theirs = by_shfmt(text)
    ours = by_us(text) if theirs is not None else None
    if theirs is None or ours is None:
        return None
    theirs = [one for one in theirs if one.kind != "SimpleCommand" or one.words]
    told: list[str] = []
    for who, some, others in (("shfmt", theirs, set(ours)), ("ours", ours, set(theirs))):
        told.extend(f"{who}: {_shown(text, one)}" for one in some if one not in others)
    return told


def _shown(text: str, one: Found) -> str:
    line = text.count("\n", 0, one.start) + 1
    words = " | ".join(text[start:end] for start, end in one.words) or text[one.start : one.start + 40]
    return f"line {line}: {one.kind}: {' '.join(words.split())[:160]}"


def scripts(tree: Path) -> list[Path]:
    """The shell scripts of a tree: by their names, or by their first line."""
    found = []
    for path in sorted(tree.rglob("*")):
        if ".git" in path.parts or not path.is_file() or path.is_symlink():
            continue
        if path.suffix in (".sh", ".bash", ".bats") or (not path.suffix and _is_bash(path)):
            found.append(path)
    return [path for path in found if path.suffix != ".bats"]


def _is_bash(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline(80)
    return first.startswith(b"#!") and (b"bash" in first or first.rstrip().endswith(b"/sh"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    options = parser.parse_args()
    paths = scripts(options.tree)
    texts = [Source.decode(str(path), path.read_bytes()).text for path in paths]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        results = list(pool.map(differences, texts))
    for path, told in zip(paths, results, strict=True):
        for line in told or ():
            print(f"{path.relative_to(options.tree)}: {line}")
    both = [told for told in results if told is not None]
    print(f"{len(paths)} scripts, {len(both)} that both can parse, {sum(map(bool, both))} of them different")
    return int(any(results))


if __name__ == "__main__":
    sys.exit(main())
