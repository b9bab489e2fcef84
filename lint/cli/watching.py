"""`check --watch`: the same run again whenever a script, its settings or the baseline changes."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

from typer import Exit

from lint import settings
from lint.cli.running import Call, collect
from lint.files.watch import state, watch


def check_again(call: Call, baseline: Callable[[], Path | None], check: Callable[[], None]) -> None:
    """Run a check now and after every change. A call that cannot be run is said once, until that changes."""

    def look() -> Any:
        settings.nearest.cache_clear()
        complaint = io.StringIO()
        try:
            with redirect_stderr(complaint):
                jobs = collect(call).jobs
        except Exit:
            return complaint.getvalue()
        known = baseline()
        return [(job.path, job.request, state(job.path)) for job in jobs], known, known and state(str(known))

    def act(seen: Any) -> None:
        if isinstance(seen, str):
            sys.stderr.write(seen)
        else:
            check()
            sys.stdout.flush()  # whoever reads it, reads it now

    watch(look, act)
