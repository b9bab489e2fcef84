"""Path patterns, as `.gitignore` and the settings write them.

`*` and `?` stay inside one name, `**` crosses folders. A pattern with a slash before its end is anchored to the folder
that it is written for; one without matches at any depth. A trailing slash means folders only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from lint.frozen import frozen


@frozen
class Pattern:
    """One compiled pattern; `negated` ones (`!pattern`) take back what an earlier one matched."""

    expression: re.Pattern[str]
    folders_only: bool
    negated: bool

    def matches(self, path: str, is_folder: bool) -> bool:
        """Whether the pattern names this path (relative, with `/`) itself; not whether it names a folder above."""
        return (is_folder or not self.folders_only) and self.expression.fullmatch(path) is not None


@lru_cache(maxsize=4096)
def compile_pattern(text: str) -> Pattern:
    """The pattern that `text` writes."""
    negated = text.startswith("!")
    body = text[1:] if negated else text
    body = body.removeprefix("./") if body != "./" else body
    folders_only = body.endswith("/")
    body = body.rstrip("/") if folders_only else body
    anchored = "/" in body
    expression = _translate(body.lstrip("/"))
    return Pattern(re.compile(expression if anchored else f"(?:.*/)?{expression}", re.DOTALL), folders_only, negated)


def _translate(text: str) -> str:
    parts = []
    position = 0
    while position < len(text):
        if text.startswith("**/", position) and (position == 0 or text[position - 1] == "/"):
            parts.append("(?:.*/)?")
            position += 3
        elif text.startswith("**", position):
            parts.append(".*")
            position += 2
        elif text[position] == "*":
            parts.append("[^/]*")
            position += 1
        elif text[position] == "?":
            parts.append("[^/]")
            position += 1
        elif text[position] == "[" and "]" in text[position + 2 :]:
            end = text.index("]", position + 2)
            inside = text[position + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            parts.append("[^" + inside[1:] + "]" if inside[0] in "!^" else f"[{inside}]")
            position = end + 1
        elif text[position] == "\\" and position + 1 < len(text):
            parts.append(re.escape(text[position + 1]))
            position += 2
        else:
            parts.append(re.escape(text[position]))
            position += 1
    return "".join(parts)


def matches(patterns: Iterable[str], path: str) -> bool:
    """Whether any pattern names the file `path` or a folder that holds it."""
    names = path.split("/")
    ways = [("/".join(names[: depth + 1]), depth + 1 < len(names)) for depth in range(len(names))]
    return any(compile_pattern(pattern).matches(way, is_folder) for pattern in patterns for way, is_folder in ways)


@lru_cache(maxsize=256)
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """One expression for all that patterns can name: most paths are none of it, which is soon said."""
    return re.compile("|".join(f"(?:{compile_pattern(pattern).expression.pattern})" for pattern in patterns), re.DOTALL)


def ignored(patterns: Sequence[str], path: str, is_folder: bool) -> bool | None:
    """What the last pattern that names this path says, as in `.gitignore`; None if none does."""
    if not patterns or _any_of(tuple(patterns)).fullmatch(path) is None:
        return None
    verdict = None
    for text in patterns:
        pattern = compile_pattern(text)
        if pattern.matches(path, is_folder):
            verdict = not pattern.negated
    return verdict
