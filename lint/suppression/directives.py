"""What comments in a script say to the linter.

    # recipe-lint: device=ascend-a3 release=0.9.1 model=Qwen3-8B nodes=4 expected-tokens=1800
    # recipe-lint: ignore[rule, SC2086] -- reason
    # recipe-lint: ignore-file[rule] -- reason

Facts stand in the head of the script, before its first command. A suppression stands at the end of a line, or on a line
of its own before the command (or the array element) that it is meant for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from lint.bash.syntax import Script
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Source, Span

DIRECTIVE = regular(r"#[ \t]*recipe-lint:[ \t]*")
IGNORE = regular(r"(?P<form>ignore(?:-file)?)[ \t]*\[(?P<names>[^\]]*)\][ \t]*(?:--[ \t]*(?P<reason>.*))?\Z", re.DOTALL)
FACT = regular(r"([A-Za-z][\w-]*)=(\S+)")

FACTS = ("device", "release", "model", "nodes", "expected-tokens", "copy-of")
NEARLY = regular(
    r"#[ \t]*recipe[-_ ]?lint[ \t]*:?[ \t]*"
    rf"(?=ignore(?:-file)?[ \t]*\[|(?:{'|'.join(FACTS)})=)",
    re.IGNORECASE,
)
"""What begins nearly as a directive and goes on as one: without the colon, or with the name written in another way."""


@frozen
class Fact:
    """`name=value` in the head of a script; `span` is that of the value."""

    value: str
    span: Span


@frozen
class Ignore:
    """One suppression. `span` is the directive without what stands before it, `names` are the rules it silences."""

    span: Span
    names: tuple[tuple[str, Span], ...]
    reason: str
    whole_file: bool
    own_line: bool


@frozen
class Problem:
    """A directive that says nothing that the linter understands."""

    span: Span
    message: str
    help: str


@frozen
class Directives:
    """Everything that the comments of one file say to the linter."""

    facts: Mapping[str, Fact]
    ignores: tuple[Ignore, ...]
    problems: tuple[Problem, ...]


def parse(script: Script) -> Directives:
    """The directives in the comments of a script."""
    source = script.source
    if "lint" not in source.text.lower():
        return Directives({}, (), ())
    head = script.body[0].start if script.body else len(source.text)
    facts: dict[str, Fact] = {}
    ignores: list[Ignore] = []
    problems: list[Problem] = []
    for comment in script.comments:
        text = source.text[comment.start : comment.end].rstrip("\r\n")
        found = DIRECTIVE.search(text)
        if found is None:
            problems.extend(_nearly(source, comment.start, text))
            continue
        span = Span(source.path, comment.start + found.start(), comment.start + len(text))
        at = comment.start + found.end()
        body = text[found.end() :].rstrip()
        if body.startswith("ignore"):
            ignore = _ignore(source, span, body, at, own_line=_own_line(source, comment.start))
            (ignores if isinstance(ignore, Ignore) else problems).append(ignore)  # type: ignore[arg-type]
        else:
            stated, wrong = _facts(span, body, at, in_head=comment.start <= head)
            facts.update(stated)
            problems.extend(wrong)
    return Directives(facts, tuple(ignores), tuple(problems))


def _nearly(source: Source, start: int, text: str) -> Iterator[Problem]:
    """A comment that is not read, though it was meant to be."""
    found = NEARLY.match(text)
    if found is not None:
        said = f"a comment that begins with {found[0].strip()!r} is not read"
        span = Span(source.path, start, start + len(text))
        yield Problem(span, said, f"write `# recipe-lint: {text[found.end() :].strip()}`")


def _own_line(source: Source, offset: int) -> bool:
    start = source.line_starts[source.line(offset) - 1]
    return not source.text[start:offset].strip()


def _ignore(source: Source, span: Span, body: str, at: int, own_line: bool) -> Ignore | Problem:
    found = IGNORE.fullmatch(body)
    if found is None:
        return Problem(span, f"{body!r} is no suppression", "write `# recipe-lint: ignore[rule] -- reason`")
    names = tuple(
        (name[0], Span(source.path, at + found.start("names") + name.start(), at + found.start("names") + name.end()))
        for name in re.finditer(r"[^\s,]+", found["names"])
    )
    if not names:
        return Problem(span, "the suppression names no rule", "write `# recipe-lint: ignore[rule] -- reason`")
    return Ignore(span, names, (found["reason"] or "").strip(), found["form"] == "ignore-file", own_line)


def _facts(span: Span, body: str, at: int, in_head: bool) -> tuple[dict[str, Fact], list[Problem]]:
    """Facts of one comment, and what in it is none."""
    known = f"known are {', '.join(FACTS)}, ignore[rule] and ignore-file[rule]"
    facts: dict[str, Fact] = {}
    problems = []
    for found in re.finditer(r"\S+", body):
        here = Span(span.path, at + found.start(), at + found.end())
        fact = FACT.fullmatch(found[0])
        if fact is None:
            problems.append(Problem(here, f"the linter does not understand {found[0]!r} in this comment", known))
        elif fact[1] not in FACTS:
            near = get_close_matches(fact[1].lower(), FACTS, 1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            problems.append(Problem(here, f"a script cannot state {fact[1]!r} in this comment{meant}", known))
        elif not in_head:
            help = "move the comment above the first command of the script"
            problems.append(Problem(here, f"{fact[1]} is stated after the head of the script and not read", help))
        else:
            facts[fact[1]] = Fact(fact[2], Span(span.path, here.end - len(fact[2]), here.end))
    return facts, problems
