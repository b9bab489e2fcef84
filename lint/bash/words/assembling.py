"""Words from their parts: bash's `expand_word_internal`, step by step.

What the parts expand to is put side by side; what bash notes on the way (quotes with nothing in them, lists that are
split whatever IFS is) decides about the words that come out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lint.bash.origins import wrap
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.state.state import State
from lint.bash.syntax import (
    Arithmetic,
    DoubleQuoted,
    Literal,
    Parameter,
    Part,
    Quoted,
)
from lint.bash.words import lists
from lint.bash.words.fragments import (
    UNGUARDED,
    Fragment,
    is_null,
    is_visible,
    partly_guarded,
    perhaps_no_word,
    quoted_again,
    without_nulls,
)
from lint.bash.words.fragments import Part as SplitPart
from lint.bash.words.manner import ARGUMENT, Manner, inside_quotes, joining
from lint.bash.words.parameter_values import Found, Notes
from lint.bash.words.splitting import DEFAULT_IFS, Separators, cut
from lint.regular import regular
from lint.text import Span

_SPLIT_OR_GLOB = regular(r"[ \t\n*?\[\\]")
_AT_SPACES = regular(r" |[^ ]+")
UNSET_IFS = Separators(DEFAULT_IFS, False)
_QUOTES = (Quoted, DoubleQuoted)
# Variables of the machine whose values cannot hold a blank: numbers, and names that login(1) and POSIX restrict.
WORDS_OF_THE_MACHINE = frozenset(("HOME", "USER", "LOGNAME", "HOSTNAME"))


@dataclass(slots=True)
class Expansion:
    """What the parts of a word became."""

    parts: list[SplitPart]
    lists: bool  # it holds a list that is split whatever IFS is
    rest: list[Fragment]  # empty pieces of an expansion that yielded nothing, for their origins


@dataclass(slots=True)
class Assembler:
    """Puts words together; what parameters and substitutions expand to is left to `Expander`."""

    whole: dict[Span, bool] = field(default_factory=dict, init=False)
    """Unquoted expansion -> whether it was never split and is no pattern."""

    def found(self, state: State, node: Parameter, manner: Manner, notes: Notes) -> Found:
        raise NotImplementedError

    def other(self, state: State, part: Part) -> Sequence[Piece]:
        raise NotImplementedError

    def ifs(self, state: State) -> Separators:
        """The characters that separate fields."""
        value = state.variables.get("IFS")
        if value is None:
            return UNSET_IFS
        text = value.scalar()
        known = text.value if text is not None else None
        return UNSET_IFS if known is None else Separators(known, True)

    def expand(self, state: State, parts: Sequence[Part], manner: Manner) -> Expansion:
        """What the parts of a word become, before they are split by IFS (`expand_word_internal` of bash)."""
        notes = Notes()
        found: list[Fragment] = []
        if manner.quoted and manner.operand:
            parts = _without_quotes(parts)
        alone = len(parts) == 1
        watched = manner is ARGUMENT
        for part in parts:
            if type(part) is Literal:
                self.literal(state, part, found, manner, notes)
            elif type(part) is Parameter:
                fragments = self.parameter(state, part, manner, notes)
                if watched:
                    self.note_whole(state, part, fragments)
                found.extend(fragments)
            elif isinstance(part, Quoted):
                if manner.quoted and manner.nested and UNGUARDED.search(part.text):
                    found.extend(partly_guarded(plain(state, part)))
                    continue
                found.extend([(piece, True, False) for piece in plain(state, part)])
                if not part.text and not manner.quoted:
                    self.empty_quotes(found, manner, notes, alone, single=True)
            elif isinstance(part, DoubleQuoted):
                self.double_quoted(state, part, found, manner, notes, alone)
            else:
                splits = isinstance(part, Arithmetic) or (not manner.quoted and self.ifs(state).text != "")
                pieces = self.other(state, part)
                other: list[Fragment] = [(piece, manner.quoted, splits) for piece in pieces]
                if watched:
                    self.note_whole(state, part, other)
                found.extend(other)
        return self.finished(state, found, manner, notes, parts)

    def literal(self, state: State, part: Literal, found: list[Fragment], manner: Manner, notes: Notes) -> None:
        """Plain text of the source: split only with a word around it, or where a list in a single word is."""
        pieces = plain(state, part)
        if manner.quoted:
            found.extend([(piece, True, False) for piece in pieces])
        elif not manner.nested and not manner.single:
            found.extend([(piece, False, type(piece) is not Known) for piece in pieces])
        elif " " not in part.text or not (notes.spaces or not manner.operand or not self.ifs(state).text):
            found.extend([(piece, False, True) for piece in pieces])
        else:
            for piece in pieces:
                texts = _AT_SPACES.findall(piece.text) if isinstance(piece, Known) else []
                found.extend((Known(text, piece.origin), text == " ", text != " ") for text in texts)
                if isinstance(piece, Unknown):
                    found.append((piece, False, True))

    def parameter(self, state: State, node: Parameter, manner: Manner, notes: Notes) -> list[Fragment]:
        """What a parameter expansion adds to its word."""
        name = node.name
        if not node.operator and node.subscript is None and not node.length and not node.indirect:
            value = state.variables.get(name)
            if value is not None and isinstance(value.content, Text) and not value.reference and node.names is None:
                text = wrap(value.content, state.unit.span(node.start, node.end), "expansion", name)
                return lists.value(text, manner, self.ifs(state))
        if state.joins:
            manner = joining(manner)
        result = self.found(state, node, manner, notes)
        notes.lists += result.lists
        notes.reported = notes.lists > 0
        notes.spaces = notes.spaces or result.spaces
        notes.null = notes.null or result.null
        fragments = result.fragments
        if fragments is None:
            return []
        if notes.null and None in fragments and is_null(fragments):
            return without_nulls(fragments)
        return fragments

    def double_quoted(
        self,
        state: State,
        part: DoubleQuoted,
        found: list[Fragment],
        manner: Manner,
        notes: Notes,
        alone: bool,
    ) -> None:
        """`"..."`: one field, unless it holds `$@`; with an empty `$@` and nothing else, no field at all."""
        if not part.parts:
            notes.null = True
            found.append((Known("", Origin(state.unit.span(part.start, part.end), "literal")), True, False))
            self.empty_quotes(found, manner, notes, alone)
            return
        inner = self.expand(state, part.parts, inside_quotes(manner))
        inside = inner.parts
        if not inside:
            found.extend(inner.rest)
            if inner.lists:
                notes.quoted_lists += 1
                notes.lists += 1
            else:
                self.empty_quotes(found, manner, notes, alone)
            return
        if len(inside) == 1 and inside[0].null:
            if notes.null and inner.lists:
                notes.quoted_lists += 1
            notes.null = True
        if inner.lists:
            notes.quoted_lists += 1
            notes.lists += 1
            notes.reported = True
        if len(inside) == 1:
            fragments = inside[0].fragments
            found.extend(perhaps_no_word(fragments) if inner.lists else quoted_again(fragments))
            return
        ifs = self.ifs(state)
        separator = ifs.first if notes.quoted_lists and ifs.text else " "
        span = state.unit.span(part.start, part.end)
        found.extend(lists.side_by_side([quoted_again(each.fragments) for each in inside], separator, span))

    def empty_quotes(
        self, found: list[Fragment], manner: Manner, notes: Notes, alone: bool, single: bool = False
    ) -> None:
        """Quotes in which there is nothing: `''` if `single`, else `""`."""
        if alone:
            notes.null = notes.null or not single
            found.append(None)
            return
        notes.null = True
        if (manner.bare and manner.operand and not manner.whole and not manner.assigned) or (
            not manner.whole and not manner.single
        ):
            found.append(None)

    def finished(
        self, state: State, found: list[Fragment], manner: Manner, notes: Notes, parts: Sequence[Part]
    ) -> Expansion:
        """The end of a word: it is taken apart if there is a list in it."""
        alone = len(parts) == 1
        if not is_visible(found):
            partly = not alone and any(isinstance(part, _QUOTES) for part in parts)
            if notes.null or (partly and not notes.quoted_lists):
                return Expansion([SplitPart([*found, None], quoted=manner.quoted, null=True)], notes.reported, [])
            return Expansion([], notes.reported, found)
        quoted = manner.quoted or (alone and isinstance(parts[0], _QUOTES))
        null = notes.null and is_null(found)
        if manner.whole:
            return Expansion([SplitPart(found, quoted=manner.quoted, null=null)], notes.reported, [])
        if manner.assigned:
            kept = found if is_null(found) else without_nulls(found)
            return Expansion([SplitPart(kept, quoted=quoted, null=null)], notes.reported, [])
        if notes.spaces:
            ifs = self.ifs(state)
            return Expansion(cut(found, " " if ifs.given else DEFAULT_IFS, quoted=True), notes.reported, [])
        if notes.lists:
            ifs = self.ifs(state)
            if not notes.quoted_lists and manner.bare and manner.single:
                if ifs.text and ifs.text[0] != " ":
                    pieces = [part.fragments for part in cut(found, ifs.text, quoted=True)]
                    found = lists.side_by_side(pieces, " ", Span("", 0, 0))
                return Expansion([SplitPart(found, quoted=quoted, null=null)], notes.reported, [])
            return Expansion(cut(found, ifs.text or " ", quoted=True), notes.reported, [])
        return Expansion([SplitPart(found, quoted=quoted, null=null, saw_null=notes.null and not null)], False, [])

    def note_whole(self, state: State, part: Part, fragments: Sequence[Fragment]) -> None:
        """Note whether an unquoted expansion is as if it were quoted: nothing for splitting or file names to act on."""
        span = state.unit.span(part.start, part.end)
        if self.whole.get(span, True):
            ifs = self.ifs(state).text if "IFS" in state.variables else ""
            pieces = [fragment[0] for fragment in fragments if fragment is not None]
            self.whole[span] = bool(pieces) and all(is_plain(piece, ifs) for piece in pieces)


def plain(state: State, part: Literal | Quoted) -> tuple[Piece, ...]:
    """Plain text of the source; in a text that is partly known, with pieces that are not."""
    pieces = state.unit.plain(part.start, part.end, part.text)
    if state.unit.pieces:
        splits = isinstance(part, Literal)
        return tuple(p if isinstance(p, Known) or p.splits == splits else replace(p, splits=splits) for p in pieces)
    return pieces


def _without_quotes(parts: Sequence[Part]) -> Sequence[Part]:
    """The parts of an operand in double quotes: bash removes the double quotes inside before it expands."""
    if not any(isinstance(part, DoubleQuoted) for part in parts):
        return parts
    found: list[Part] = []
    for part in parts:
        found.extend(_without_quotes(part.parts) if isinstance(part, DoubleQuoted) else [part])
    return found


def is_plain(piece: Piece, ifs: str) -> bool:
    """True for text that is there and is neither split nor a pattern, and for words that the machine sets."""
    if isinstance(piece, Unknown) and not piece.characters:
        return piece.origin.name in WORDS_OF_THE_MACHINE
    text = piece.text if isinstance(piece, Known) else piece.characters
    return bool(text) and not _SPLIT_OR_GLOB.search(text) and not (ifs and any(c in text for c in ifs))
