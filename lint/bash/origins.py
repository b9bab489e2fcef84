"""Origins of derived text: one step for each place that passes a value on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from lint.bash.reading import Known, Origin, OriginKind, Piece, Text, Unknown
from lint.text import Span

LONGEST_CHAIN = 12  # steps of an origin that are looked at for a repetition
MOST_STEPS = 200  # of one origin, each as often as a walk would pass it; a script's own go to some ten


def derive(span: Span, kind: OriginKind, name: str | None, sources: tuple[Origin, ...]) -> Origin:
    """The origin of a text made from `sources`. A counter in a loop does not grow a chain: the first round stands.

    Where a value went through too many steps to tell, this place stands for all of them.
    """
    steps = 1
    for source in sources:
        steps += source.steps
        step = source
        for _ in range(LONGEST_CHAIN):
            if not step.sources:
                break
            if step.span == span and step.kind == kind:
                return step
            step = step.sources[0]
    return Origin(span, kind, name, sources, steps) if steps <= MOST_STEPS else Origin(span, kind, name)


def step(piece: Piece, span: Span, kind: OriginKind, name: str | None) -> Piece:
    """A piece of text as seen at a place of use."""
    source = piece.origin
    origin = derive(span, kind, name, (source,)) if source.sources else Origin(span, kind, name, (source,), 2)
    if isinstance(piece, Known):
        return Known(piece.text, origin)
    plain = type(piece) is Unknown  # most are, and to replace a field is slow
    return Unknown(piece.reason, origin, piece.splits, piece.characters) if plain else replace(piece, origin=origin)


def wrap(text: Text, span: Span, kind: OriginKind, name: str | None) -> Text:
    """A text as seen at a place of use."""
    return Text(tuple([step(piece, span, kind, name) for piece in text.pieces]))


class PassedOn(Text):
    """A word that an expansion passes on as it is, `"${ARGS[@]}"`: what `wrap` gives, made when somebody asks for it.

    Most words are only read: nobody wants to know where their pieces come from.
    """

    __slots__ = ("_made", "hops", "kind", "name", "span", "text")

    def __init__(self, text: Text, span: Span, kind: OriginKind, name: str) -> None:
        self.text = text  # as it was before
        self.span, self.kind, self.name = span, kind, name
        self.hops: int = text.hops + 1 if isinstance(text, PassedOn) else 1
        self._joined: str | None = None
        self._made: tuple[Piece, ...] | None = None

    @property
    def pieces(self) -> tuple[Piece, ...]:
        if self._made is None:
            self._made = wrap(self.text, self.span, self.kind, self.name).pieces
        return self._made

    @property
    def value(self) -> str | None:
        if self._joined is None:
            self._joined = self.text.value
        return self._joined

    @property
    def shown(self) -> str:
        value = self.value
        return self.text.shown if value is None else value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.pieces == other.pieces

    def __hash__(self) -> int:
        return hash(self.pieces)


def passed_on(text: Text, span: Span, kind: OriginKind, name: str) -> Text:
    """A word as an expansion passes it on. As with `derive`, the first round of a loop stands."""
    before = text
    while isinstance(before, PassedOn):
        if before.span == span and before.kind == kind:
            return before
        before = before.text
    lazy = not isinstance(text, PassedOn) or text.hops < LONGEST_CHAIN
    return PassedOn(text, span, kind, name) if lazy else wrap(text, span, kind, name)


def origins_of(texts: Iterable[Text | None], most: int = 16) -> tuple[Origin, ...]:
    """The origins of the pieces of some texts, at most `most` of them."""
    found: list[Origin] = []
    for text in texts:
        for piece in text.pieces if text is not None else ():
            found.append(piece.origin)
            if len(found) == most:
                return tuple(found)
    return tuple(found)


def comes_from(origin: Origin, wanted: Callable[[Origin], bool]) -> bool:
    """Whether a text was made from one of these origins, as far as that is kept."""
    waiting = [origin]
    while waiting:
        step = waiting.pop()
        if wanted(step):
            return True
        waiting.extend(step.sources)
    return False


def is_of_the_machine(origin: Origin) -> bool:
    """Whether something is a home of another user, or what a builtin or a pattern finds: no variable holds that."""
    return origin.kind == "environment" and origin.name is None
