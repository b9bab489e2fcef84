"""What comments to the linter can say at the cursor, and what they say: names of rules, facts and their values."""

from __future__ import annotations

from collections.abc import Iterator

from lint.facts.devices import load_devices
from lint.facts.models import load_models
from lint.regular import regular
from lint.rules.catalogue import describe, is_rule, is_suppressible
from lint.rules.registry import all_rules
from lint.schema.load import shipped
from lint.server.document import Document
from lint.suppression.directives import DIRECTIVE, FACTS

NAME = regular(r"ignore(?:-file)?\[(?:[^\]]*[ ,])?(?P<typed>[\w-]*)\Z")
VALUE = regular(r"(?:\A|\s)(?P<fact>[a-z-]+)=(?P<typed>\S*)\Z")
WORD = regular(r"(?:\A|\s)(?P<typed>[\w-]*)\Z")
RULE = regular(r"[\w-]+")


def words(document: Document, before: str, offset: int) -> tuple[str, list[tuple[str, str]]]:
    """What is typed of a comment at an offset, and what could stand there, with details. `before` is what stands before
    the offset on its line."""
    directive = DIRECTIVE.search(before)
    if directive is None:
        return "", []
    said = before[directive.end() :]
    found = NAME.search(said)
    if found is not None:
        return found["typed"], list(_rules(document, offset - len(before) + directive.start()))
    found = VALUE.search(said)
    if found is not None:
        return found["typed"], list(_values(found["fact"]))
    found = WORD.search(said)
    return ("", []) if found is None else (found["typed"], [(f"{name}=", "") for name in FACTS] + [("ignore[", "")])


def _rules(document: Document, comment: int) -> Iterator[tuple[str, str]]:
    """The names of rules, those first that have found something, other than about the comment that starts there."""
    found = {
        finding.rule: finding.message
        for finding in document.report.findings
        if is_suppressible(finding.rule) and finding.span.start != comment
    }
    yield from found.items()
    for rule in all_rules():
        if rule.name not in found and rule.suppressible:
            yield rule.name, describe(rule.name).summary


def _values(fact: str) -> Iterator[tuple[str, str]]:
    if fact == "release":
        yield from ((release, "") for release in reversed(shipped()))
    elif fact == "device":
        yield from ((device.name, device.title) for device in load_devices().values())
    elif fact == "model":
        yield from ((name, model.architecture) for name, model in load_models().items())


def rule_at(document: Document, offset: int) -> str | None:
    """The rule whose name stands at an offset of a suppression."""
    source = document.source
    line = source.line(offset)
    begin, text = source.line_starts[line - 1], source.line_text(line)
    directive = DIRECTIVE.search(text)
    if directive is None:
        return None
    for found in RULE.finditer(text, directive.end()):
        if found.start() <= offset - begin <= found.end() and is_rule(found[0]):
            return found[0]
    return None
