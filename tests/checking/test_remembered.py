"""What a process remembers of files on disk, and when it forgets."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from lint import callers, files, settings, shellcheck
from lint.checking import remembered
from lint.schema import checkout

OTHERS = {
    *("lint.files.globs.compile_pattern", "lint.files.globs._any_of", "lint.files.sources._digest"),
    "lint.shellcheck._version",
}
"""Those that read nothing of the user's: patterns, texts that were read, and the shellcheck that is installed."""


def readers() -> Iterator[ModuleType]:
    """Modules that read files which a user may change while the process runs."""
    for room in (files, callers):
        for module in pkgutil.iter_modules(room.__path__):
            yield import_module(f"{room.__name__}.{module.name}")
    yield from (settings, shellcheck, checkout)


def test_whatever_keeps_what_it_read_is_made_to_forget() -> None:
    kept = {
        f"{member.__module__}.{member.__name__}"
        for module in readers()
        for member in vars(module).values()
        if hasattr(member, "cache_clear") and member.__module__ == module.__name__
    }
    forgotten = {f"{function.__module__}.{function.__name__}" for function in remembered.REMEMBERED}
    assert kept - forgotten == OTHERS


def test_the_state_changes_with_what_the_repository_asks_for(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    script = str(tmp_path / "run.sh")
    before = remembered.surroundings([script])
    assert remembered.surroundings([script]) == before
    (tmp_path / "requirements.txt").write_text("verl==0.8.0\n")
    assert remembered.surroundings([script]) != before
