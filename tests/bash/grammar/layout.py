"""Unusual layout: comments, blanks, and semicolons instead of line ends."""

from __future__ import annotations

from random import Random


def laid_out(random: Random, command: str) -> str:
    """A command with comments and blanks around it."""
    before = random.choice((*("",) * 6, "# comment 'with a quote\n", "  ", "\t", "\n\n"))
    after = random.choice((*("",) * 6, " ;", " # comment", "\n# (", " \\\n", " ;# x", "  "))
    if "<<" in command or (("LINENO" in command or command.endswith(("\\", ")"))) and after == " \\\n"):
        after = ""  # bash gives a command the line of its second token
    return before + command + after
