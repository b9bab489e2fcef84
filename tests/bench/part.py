"""One part of the tool by itself: `python -m tests.bench.part reading|memory SCRIPT...` prints its CPU seconds."""

from __future__ import annotations

import gc
import os
import sys
import time
from pathlib import Path

from lint.__main__ import COLLECT
from lint.bash.parser import parse
from lint.checking.examination import Request
from lint.checking.linter import read, understand
from lint.files.sources import files_beside
from lint.memory.reading import read_inputs
from lint.memory.report import launch_memory
from lint.settings import ScriptSettings
from lint.text import Source


def main() -> None:
    """The seconds of a part, and how many scripts or launches they were for."""
    gc.set_threshold(*COLLECT)
    part, *paths = sys.argv[1:]
    sources = [Source.decode(path, Path(path).read_bytes()) for path in map(os.path.relpath, paths)]
    print(*reading(sources) if part == "reading" else memory(sources))


def reading(sources: list[Source]) -> tuple[float, int]:
    """Parse and evaluate each script, without rules."""
    begin = time.process_time()
    for source in sources:
        read(parse(source), {}, files_beside(source.path))
    return time.process_time() - begin, len(sources)


def memory(sources: list[Source]) -> tuple[float, int]:
    """Predict the memory of each launch that there is enough to know of."""
    request = Request(ScriptSettings(), ScriptSettings(release="0.9.1", device="ascend-a3"))
    subjects = [
        subject for source in sources for subject in understand(source, request, files_beside(source.path)).subjects
    ]
    begin = time.process_time()
    for subject in subjects:
        launch_memory("", 1, {}, None, None, read_inputs(subject))
    return time.process_time() - begin, len(subjects)


if __name__ == "__main__":
    main()
