"""What shellcheck says about each script of a run: kept from earlier, or asked for beside our own work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from lint import shellcheck
from lint.files.cache import Cache
from lint.packed import Packed
from lint.settings import ScriptSettings
from lint.text import Source

Answer: TypeAlias = "list[shellcheck.Comment] | shellcheck.Failure"


class Remarks:
    """First every script is named with `ask`; then shellcheck works between `start` and `collect`."""

    def __init__(self, cache: Cache, processes: int) -> None:
        self._cache = cache
        self._processes = processes
        self._answers: Packed[str, Answer] = Packed()
        self._keys: dict[str, str] = {}  # of the scripts that shellcheck must be asked about
        self._texts: dict[str, bytes] = {}  # of those among them that it cannot read from a file
        self._running: shellcheck.Running | None = None

    def ask(self, source: Source, on_disk: bool, settings: ScriptSettings) -> None:
        """Note a script, unless its settings leave shellcheck out or the answer is kept from earlier."""
        if not settings.shellcheck or not _asks_shellcheck(settings):
            return
        path = source.path
        key = shellcheck.key(source.encode(), path) if self._cache.folder is not None else ""
        kept = self._cache.load("shellcheck", path, key)
        if isinstance(kept, list):
            self._answers[path] = kept
            return
        self._keys[path] = key
        if not on_disk or not shellcheck.can_be_named(path):
            self._texts[path] = source.encode()

    def start(self) -> None:
        """Let shellcheck begin."""
        named = [path for path in self._keys if path not in self._texts]
        if self._keys:
            self._running = shellcheck.Running(named, self._processes, self._texts)

    def advance(self) -> None:
        """Let it go on: to be called from time to time."""
        if self._running is not None:
            for path, answer in self._running.advance().items():
                self._keep(path, answer)

    def collect(self, look: Callable[[], None] | None = None) -> Mapping[str, Answer]:
        """Every answer, once all are there. `look` is called while they are awaited; what it raises ends the wait."""
        if self._running is not None:
            for path, answer in self._running.answers(look).items():
                self._keep(path, answer)
        return self._answers

    def stop(self) -> None:
        """Ask no more."""
        if self._running is not None:
            self._running.stop()

    def _keep(self, path: str, answer: Answer) -> None:
        self._answers[path] = answer
        if isinstance(answer, list):
            self._cache.store("shellcheck", path, self._keys[path], answer)


def _asks_shellcheck(settings: ScriptSettings) -> bool:
    """False if nothing that shellcheck could say is selected: its group is left out, and none of its codes named."""
    if any(name.startswith("SC") for name in settings.select):
        return True
    if "shellcheck" in settings.ignore or (settings.select and "shellcheck" not in settings.select):
        return False
    levels = [level for name, level in settings.severity.items() if name.startswith("SC")]
    return settings.severity.get("shellcheck") != "off" or any(level != "off" for level in levels)
