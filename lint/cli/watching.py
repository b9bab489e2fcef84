"""`check --watch`: the same run again whenever a script, a file that its result depends on, or the baseline changes."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

from typer import Exit

from lint.checking.remembered import forget, surroundings
from lint.cli.running import Call, collect
from lint.files.watch import Watched, state, watch


def check_again(call: Call, baseline: Callable[[], Path | None], check: Callable[[set[str]], None]) -> None:
    """Run a check now and after every change. A call that cannot be run is said once, until that changes.

    `check` adds to a set the paths of the other files that its result depends on.
    """
    others = Watched()

    def look() -> Any:
        forget()
        complaint = io.StringIO()
        try:
            with redirect_stderr(complaint):
                jobs = collect(call).jobs
        except Exit:
            return complaint.getvalue()
        known = baseline()
        scripts = [(job.path, job.request, state(job.path)) for job in jobs]
        around = surroundings(job.path for job in jobs)
        return scripts, around, others.changes(), known, known and state(str(known))

    def act(seen: Any) -> None:
        if isinstance(seen, str):
            sys.stderr.write(seen)
            return
        depends: set[str] = set()
        begin = time.time()
        check(depends)
        sys.stdout.flush()  # whoever reads it, reads it now
        others.watch(depends, begin)

    watch(look, act)
