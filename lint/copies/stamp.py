"""The line in the head of a copy that says of which text it was made: `# recipe-lint: copy-of=3f2a9c1b0d4e`.

The id is the one that git gives the text of the recipe, so git can find that text again. The line stands below the one
that names the release; a copy whose head names none carries no stamp.
"""

from __future__ import annotations

import re

from lint.bash.parser import parse
from lint.regular import regular
from lint.suppression import directives
from lint.text import Source

LENGTH = 12  # digits of the id: git itself shortens to seven and more
STAMP = regular(r"^# recipe-lint: copy-of=([0-9a-f]{7,64})\r?\n", re.MULTILINE)


def stamp_of(text: str) -> str | None:
    """The id in the stamp of a copy."""
    found = STAMP.search(text)
    return None if found is None else found[1]


def without_stamp(text: str) -> str:
    """The text as if it had never been stamped."""
    return STAMP.sub("", text, count=1)


def stamped(text: str, identity: str) -> str:
    """The text with a stamp; unchanged if its head names no release."""
    text = without_stamp(text)
    stated = directives.parse(parse(Source("", text))).facts.get("release")
    if stated is None:
        return text
    end = text.find("\n", stated.span.end) + 1
    line_end = "\r\n" if text[:end].endswith("\r\n") else "\n"
    return f"{text[:end]}# recipe-lint: copy-of={identity[:LENGTH]}{line_end}{text[end:]}"
