"""Edits: applying those of fixes, and building the one that changes a value where it is decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lint.bash.reading import Known, Origin, Text
from lint.findings import Edit, Finding, Fix
from lint.frozen import frozen
from lint.regular import regular
from lint.text import Source, Span

PLAIN = regular(r"[\w@%+=:,./-]+")
CARRIERS = frozenset({"expansion", "positional", "scenario"})


@frozen
class Applied:
    """The new text of each file that changed, and the findings whose fixes are in it."""

    texts: Mapping[str, str]
    fixed: tuple[Finding, ...]


def apply(findings: Iterable[Finding], sources: Mapping[str, Source], unsafe: bool) -> Applied:
    """Apply each fix that does not touch what an earlier one changes; what is left over waits for the next round."""
    taken: dict[str, list[Edit]] = {}
    fixed = []
    seen: set[Fix] = set()
    for finding in findings:
        fix = finding.fix
        if fix is None or not fix.edits or not (fix.safe or unsafe) or not is_sound(fix, sources):
            continue
        if fix in seen:
            fixed.append(finding)
        elif all(_fits(edit, taken.get(edit.span.path, [])) for edit in fix.edits):
            for edit in fix.edits:
                taken.setdefault(edit.span.path, []).append(edit)
            seen.add(fix)
            fixed.append(finding)
    texts = {path: edited(sources[path].text, edits) for path, edits in taken.items()}
    return Applied({path: text for path, text in texts.items() if text != sources[path].text}, tuple(fixed))


def is_sound(fix: Fix, sources: Mapping[str, Source]) -> bool:
    """Whether every edit stands inside its file: what a fix would otherwise do to a script nobody can tell."""
    return all(
        edit.span.path in sources and 0 <= edit.span.start <= edit.span.end <= len(sources[edit.span.path].text)
        for edit in fix.edits
    )


def _fits(edit: Edit, taken: Iterable[Edit]) -> bool:
    """True if an edit touches no other one; the same edit asked for twice does not fit either."""
    return all(edit.span.end < other.span.start or other.span.end < edit.span.start for other in taken)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """`text` after edits that do not overlap; everything outside them stays as it is."""
    pieces = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        pieces.append(text[position : edit.span.start])
        pieces.append(edit.text)
        position = edit.span.end
    return "".join([*pieces, text[position:]])


def value_edit(span: Span, value: Text, new: str, sources: Mapping[str, Source]) -> Edit | None:
    """The edit that makes a value be `new`: at `span` if the value stands there as it is, else where it is decided."""
    source = sources.get(span.path)
    if source is not None and source.text[span.start : span.end] == value.value and PLAIN.fullmatch(new):
        return Edit(span, new)
    return deciding_edit(value, new, sources)


def deciding_edit(value: Text, new: str, sources: Mapping[str, Source]) -> Edit | None:
    """The edit that makes `value` be `new`, at the one literal that decides it; None if there is no such literal.

    A value that is put together from several texts, computed, or taken from outside has none: an edit of one part
    would be a guess.
    """
    if len(value.pieces) != 1 or not isinstance(value.pieces[0], Known):
        return None
    literal = _literal(value.pieces[0].origin)
    if literal is None or literal.span.path not in sources:
        return None
    text = sources[literal.span.path].text
    start, end = literal.span.start, literal.span.end
    written = text[start:end]
    old = value.pieces[0].text
    if written == old:
        quoted = start > 0 and text[start - 1] in "\"'" and text[end : end + 1] == text[start - 1]
    elif len(written) >= 2 and written[0] in "\"'" and written == written[0] + old + written[0]:
        quoted = False
    else:
        return None
    if not PLAIN.fullmatch(new):
        if quoted or "'" in new:
            return None
        new = f"'{new}'"
    return Edit(literal.span, new)


def _literal(origin: Origin) -> Origin | None:
    """The literal at the end of a chain that only carries a value; None if something on the way changes it."""
    while origin.kind in CARRIERS or (origin.kind == "default" and origin.sources):
        if len(origin.sources) != 1:
            return None
        origin = origin.sources[0]
    return origin if origin.kind == "literal" else None
