"""Writes the pages, or says which are out of date."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.generator import Pages, commands, facts, limits, manual, memory, outputs, rules, settings

FOLDER = Path(__file__).parents[1]
PARTS = (rules, commands, manual, settings, outputs, memory, facts, limits)


def pages() -> Pages:
    """Every page by its path below `docs/`."""
    return {path: text for part in PARTS for path, text in part.pages().items()}


def outdated(wanted: Pages) -> list[str]:
    """The paths whose file is missing, differs, or is no longer made (`docs/README.md` is written by hand)."""
    present = {
        file.relative_to(FOLDER).as_posix(): file.read_text("utf-8")
        for pattern in ("**/*.md", "**/*.svg", "*.1")
        for file in FOLDER.glob(pattern)
        if file != FOLDER / "README.md"
    }
    return sorted(path for path in wanted.keys() | present.keys() if wanted.get(path) != present.get(path))


def write(wanted: Pages) -> None:
    """Bring the files up to date."""
    for path in outdated(wanted):
        file = FOLDER / path
        if path in wanted:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(wanted[path], "utf-8")
        else:
            file.unlink()


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        old = outdated(pages())
        sys.exit("\n".join(f"docs/{path} is out of date: run `make docs`" for path in old) if old else 0)
    write(pages())
