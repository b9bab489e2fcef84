"""Real bash as a witness: the environment and the user that it is given, and how it is ended with all that it left."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

ENVIRONMENT = {"HOME": "/home/me", "LC_ALL": "C.UTF-8"}
NOBODY: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}


def run_with_children(command: Sequence[str], seconds: float, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command; whatever it left in the background ends with it. Raises subprocess.TimeoutExpired."""
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            output, errors = process.communicate(timeout=seconds)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)
