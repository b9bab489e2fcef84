"""What a check says it did not read."""

import os

from lint.bash.files import NoFiles
from lint.checking.examination import Request
from lint.checking.linter import examine
from lint.files.sources import Files
from lint.settings import ScriptSettings
from lint.text import Source

REQUEST = Request(ScriptSettings(select=("unknown-key",), shellcheck=False), ScriptSettings())


def unread(text: str) -> list[tuple[int, str]]:
    """Lines and reasons of all places of a script that were not checked."""
    source = Source("run.sh", text)
    examination = examine(source, REQUEST, Files(NoFiles(), os.curdir))
    return [(source.line(place.span.start), place.reason) for place in examination.unchecked]
