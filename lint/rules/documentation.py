"""The documentation of a rule, read from the docstring of its module.

The first paragraph is a summary in one sentence. Then come these headings, each exactly once and in this order:

    ## What it finds           the condition, in words and formula
    ## Why it hurts            what happens in verl or below
    ## When it fails           starts with one of `MOMENTS`: "at start: ...", "silently: ..."
    ## Example that fails      a fenced bash script; `# <- here` ends the line where the finding stands
    ## Example that passes     the same script, repaired
    ## Fix                     what to write instead
    ## Sources                 a list: file :: function, with the release that was read

Both examples are whole scripts and run as tests; `# <- here` (with the blanks before it) is taken out first, so it may
follow a backslash. Where the name of the script matters, or another file, each is headed `# file: PATH`; the last one
is the script that is checked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from lint.frozen import frozen
from lint.regular import regular

HEADINGS = (
    "What it finds",
    "Why it hurts",
    "When it fails",
    "Example that fails",
    "Example that passes",
    "Fix",
    "Sources",
)

MOMENTS = {
    "before start": "bash or Hydra refuses, within seconds",
    "at start": "in the driver, within a minute or so",
    "at init": "after models were loaded on every device, minutes to tens of minutes",
    "first step": "in the first rollout, weight update or optimizer step",
    "late": "depends on the data: hours or days into the run",
    "silently": "no message: the run goes on with something else than was asked",
}

HERE = regular(r"[ \t]*# <- here[ \t]*$", re.MULTILINE)
FENCE = regular(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = regular(r"^# file: (\S+)\n", re.MULTILINE)
NAMELESS = "example.sh"


class Undocumented(ValueError):
    """The docstring of a rule does not follow the headings; the message says where."""


@frozen
class Example:
    """A script; `lines` (from 1) are those where a finding of the rule must stand, if the text marks any.

    `beside` are other files, by path.
    """

    script: str
    lines: tuple[int, ...]
    path: str = NAMELESS
    beside: Mapping[str, str] = field(default_factory=dict)


@frozen
class Documentation:
    """The text under each heading. `moment` is a key of `MOMENTS`."""

    summary: str
    finds: str
    hurts: str
    moment: str
    fails: str
    failing: Example
    passing: Example
    fix: str
    sources: tuple[str, ...]


def parse(text: str) -> Documentation:
    """The documentation in a docstring. Raises `Undocumented`."""
    summary, *parts = re.split(r"^## (.+)$\n", text.strip() + "\n", flags=re.MULTILINE)
    headings = tuple(parts[::2])
    if headings != HEADINGS:
        raise Undocumented(f"headings are {', '.join(headings) or 'missing'}; they must be {', '.join(HEADINGS)}")
    summary = " ".join(summary.split())
    if not summary.endswith("."):
        raise Undocumented("the summary must be one sentence that ends with a full stop")
    bodies = [body.strip() for body in parts[1::2]]
    for heading, body in zip(headings, bodies, strict=True):
        if not body:
            raise Undocumented(f"nothing is said under {heading!r}")
    finds, hurts, fails, failing, passing, fix, sources = bodies
    moment = fails.partition(":")[0]
    if moment not in MOMENTS:
        raise Undocumented(f"'When it fails' must start with one of: {', '.join(MOMENTS)}, and a colon")
    listed = tuple(" ".join(item.split()) for item in re.split(r"^- ", sources, flags=re.MULTILINE) if item.strip())
    if not sources.startswith("- "):
        raise Undocumented("'Sources' must be a list of lines that start with '- '")
    return Documentation(
        summary,
        finds,
        hurts,
        moment,
        fails,
        _example(failing, HEADINGS[3]),
        _example(passing, HEADINGS[4]),
        fix,
        listed,
    )


def _example(text: str, heading: str) -> Example:
    found = FENCE.search(text)
    if found is None:
        raise Undocumented(f"{heading!r} must hold a script between ```bash and ```")
    start, *named = FILE.split(found[1])
    files = {} if start else dict(zip(named[::2], named[1::2], strict=True))
    path, script = list(files.items())[-1] if files else (NAMELESS, found[1])
    lines = tuple(number for number, line in enumerate(script.splitlines(), 1) if HERE.search(line))
    beside = {other: text for other, text in files.items() if other != path}
    return Example(HERE.sub("", script), lines, path, beside)
