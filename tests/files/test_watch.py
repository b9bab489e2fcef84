"""Watching files, and telling how far a long run is."""

import io
import threading
import time
from pathlib import Path

import pytest

from lint.checking import progress
from lint.files import watch


class Enough(Exception):
    """The end of a watch, which otherwise has none."""


def test_every_change_is_acted_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "PAUSE", 0.01)
    file = tmp_path / "run.sh"
    file.write_text("one")
    new = tmp_path / "new"  # takes its place in one step: nobody sees half of it
    new.write_text("two!")
    seen = []

    def act(state: object) -> None:
        seen.append(file.read_text() if file.exists() else None)
        if len(seen) == 3:
            raise Enough
        change = (lambda: new.replace(file)) if len(seen) == 1 else file.unlink
        threading.Timer(0.05, change).start()

    with pytest.raises(Enough):
        watch.watch(lambda: watch.state(str(file)), act)
    assert seen == ["one", "two!", None]


def test_progress_shows_after_a_while_and_wipes_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    shown = progress.Progress(stream)
    shown(1, 3)
    shown(2, 3)
    shown(3, 3)
    assert stream.getvalue() == "\r\x1b[Kread 1 of 3 scripts\r\x1b[Kread 2 of 3 scripts\r\x1b[K"


def test_a_short_run_shows_no_progress() -> None:
    stream = io.StringIO()
    shown = progress.Progress(stream)
    begin = time.monotonic()
    shown(1, 2)
    shown(2, 2)
    assert time.monotonic() - begin < progress.PATIENCE
    assert stream.getvalue() == ""
