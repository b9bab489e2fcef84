"""The examples of README.md: scripts written in it, and what the command really prints for them.

    python -m tests.readme      writes the outputs anew

A block after `<!-- file: NAME -->` is a file; a block after `<!-- output: COMMAND -->` is what that command prints in a
folder with those files.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"(<!-- (file|output): (.+?) -->\n```\w*\n)(.*?)(```\n)", re.DOTALL)


def regenerated(text: str) -> str:
    """The text with every output as the command prints it now."""
    with tempfile.TemporaryDirectory() as folder:
        for block in BLOCK.finditer(text):
            if block[2] == "file":
                Path(folder, block[3]).write_text(block[4], "utf-8")
        return BLOCK.sub(lambda block: block[0] if block[2] == "file" else _printed(block, folder), text)


def _printed(block: re.Match[str], folder: str) -> str:
    name, *arguments = shlex.split(block[3])
    assert name == "recipe-lint"
    environment = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "GITHUB_ACTIONS")}
    command = [sys.executable, "-m", "lint", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, env={**environment, "NO_COLOR": "1"})
    assert not done.stderr, done.stderr.decode()
    return block[1] + done.stdout.decode("utf-8") + block[5]


if __name__ == "__main__":
    README.write_text(regenerated(README.read_text("utf-8")), "utf-8")
