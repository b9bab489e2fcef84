"""The list of recipes that a README keeps: every script that it links between two marks.

    <!-- recipes -->
    | recipe | model |
    | --- | --- |
    | [run_qwen3_8b_fsdp.sh](grpo_trainer/run_qwen3_8b_fsdp.sh) | Qwen3-8B |
    <!-- end -->

The marks are how a folder says that the list is whole. Without them a README may name what it likes.
"""

from __future__ import annotations

import os
import re

from lint.frozen import frozen
from lint.regular import regular
from lint.subject.once import once
from lint.subject.subject import ScriptSubject
from lint.text import Source, Span

README = "README.md"
LIST = regular(r"<!--\s*recipes\s*-->(.*?)<!--\s*end\s*-->", re.DOTALL)
LINK = regular(r"\]\(<?([^()<>\s#]+\.sh)>?\)")


@frozen
class Entry:
    """One link of a list. `path` is relative to the folder of the README."""

    path: str
    span: Span


@frozen
class RecipeList:
    """The list of a README: what it links, and the folder (absolute) that it speaks for."""

    source: Source
    folder: str
    entries: tuple[Entry, ...]


@once
def list_above(subject: ScriptSubject) -> RecipeList | None:
    """The list of the nearest README that keeps one, in the folder of a script or above; None if there is none."""
    folder, above = None, os.path.dirname(os.path.abspath(subject.script.source.path))
    while folder != above:
        folder, above = above, os.path.dirname(above)
        source = subject.files.read(f"{folder}/{README}")  # None outside of the tree that is checked
        found = None if source is None else LIST.search(source.text)
        if source is not None and found is not None:
            links = LINK.finditer(source.text, *found.span(1))
            return RecipeList(
                source,
                folder,
                tuple(Entry(os.path.normpath(link[1]), Span(source.path, *link.span(1))) for link in links),
            )
    return None
