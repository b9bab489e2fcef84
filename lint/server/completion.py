"""Keys and values that can be written at the cursor."""

from __future__ import annotations

from lint.frozen import frozen
from lint.launch.config import Special
from lint.regular import regular
from lint.rules.control.unknown_choice import names_of
from lint.server.comments import words
from lint.server.document import Document, Position
from lint.server.hover import shown
from lint.server.keys import field_of
from lint.subject.subject import Subject

WORD = regular(r"[^\s\"'()=]*\Z")
KEY = regular(r"(?:\+\+|\+|~)?(?P<key>[A-Za-z_][\w.@/-]*)=(?P<value>[^\s\"'()]*)\Z")
LONGEST = 1000  # characters before the cursor that are looked at
MOST = 500  # suggestions; an editor asks again when more is typed


@frozen
class Suggestion:
    """Text that replaces what stands before the cursor, from `start` on; `detail` is shown beside it."""

    start: int
    text: str
    detail: str


def complete(document: Document, position: Position) -> list[Suggestion]:
    """Suggestions for a position, in the order of their text."""
    offset = document.offset(position)
    line = document.text.rfind("\n", 0, offset) + 1
    before = document.text[max(line, offset - LONGEST) : offset]
    typed, known = words(document, before, offset)
    if known:
        return [
            Suggestion(offset - len(typed), text, detail)
            for text, detail in known
            if text.lower().startswith(typed.lower())
        ]
    if before.lstrip().startswith("#"):
        return []
    subject = document.subject_near(offset) or document.default_subject
    if subject is None:
        return []
    value = KEY.search(before)
    if value is not None:
        return _values(subject, value["key"], value["value"], offset - len(value["value"]))
    word = WORD.search(before)
    typed = word[0] if word is not None else ""
    return _keys(subject, typed.lstrip("+~"), offset)


def _keys(subject: Subject, typed: str, offset: int) -> list[Suggestion]:
    """Keys and config groups that begin with what is typed, or whose last part does if no dot is typed yet."""
    if not typed:
        return []
    groups = {} if subject.composition is None else subject.composition.choices
    known = {key: f"config group, {option}" for key, option in groups.items()}
    known |= {key: shown(setting.default) for key, setting in subject.config.settings.items()}
    found = [
        Suggestion(offset - len(typed), key, detail)
        for key, detail in known.items()
        if key.startswith(typed) or ("." not in typed and key.rpartition(".")[2].startswith(typed))
    ][:MOST]
    return sorted(found, key=lambda suggestion: (not suggestion.text.startswith(typed), suggestion.text))


def _values(subject: Subject, key: str, typed: str, start: int) -> list[Suggestion]:
    """Values that a key takes: those of its field, the two booleans, the names that verl knows, else its default."""
    setting = subject.config.get(key)
    if setting is None:
        return _options(subject, key, typed, start)
    field = field_of(subject, key)
    if field is not None and field.allowed:
        values = [shown(value) for value in field.allowed]
    elif isinstance(setting.default, bool) or (field is not None and "bool" in field.types):
        values = ["True", "False"]
    elif names := names_of(subject, key):
        values = names
    elif isinstance(setting.default, Special):
        values = []
    else:
        values = [shown(setting.default)]
    default = None if isinstance(setting.default, Special) else shown(setting.default)
    return [
        Suggestion(start, value, "default" if value == default else "") for value in values if value.startswith(typed)
    ]


def _options(subject: Subject, key: str, typed: str, start: int) -> list[Suggestion]:
    """The options of a config group."""
    composition = subject.composition
    if composition is None or composition.primary is None or not composition.primary.search_path.is_group(key):
        return []
    options = composition.primary.search_path.options(key)
    return [Suggestion(start, name, f"option of {key}") for name in sorted(options) if name.startswith(typed)]
