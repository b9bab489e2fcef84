"""What `make lint` says of the suite: nothing that is not declared."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.examples.conftest import EXAMPLES


@pytest.mark.parametrize("command", [("check", "examples", "--no-cache"), ("copies",)], ids=lambda words: words[0])
def test_the_suite_passes_its_own_linter(command: tuple[str, ...]) -> None:
    """No error and no warning in a recipe, and no difference to a copy without a reason."""
    called = [sys.executable, "-m", "lint", *command]
    ended = subprocess.run(called, cwd=EXAMPLES.parent, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
