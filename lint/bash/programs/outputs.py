"""Programs whose output is known without running them: text tools on known text, and names of paths."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lint.bash.budget import TEXT
from lint.bash.commands.redirection import read_from
from lint.bash.origins import derive, origins_of
from lint.bash.programs import spelled
from lint.bash.programs.text_tools import TOOLS, Unclear
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.state import written
from lint.bash.state.places import path_of
from lint.bash.unknown import Place
from lint.bash.words.special import place_reason
from lint.regular import regular

if TYPE_CHECKING:
    from lint.bash.commands.simple import Call


def output(call: Call) -> Text | None:
    """What a program writes, where that or its spelling follows from its arguments and a known input; else None."""
    text = _known_output(call)
    if text is None and call.state.descriptors.get(1):
        letters = spelled.characters(call.name, [word.value for word in call.words[1:]])
        if letters:
            origin = Origin(call.span, "substitution")
            return Text((Unknown(f"output of `{call.name}`", origin, characters=letters), Known("\n", origin)))
    return text


def _known_output(call: Call) -> Text | None:
    run = TOOLS.get(call.name)
    if run is None or not call.state.descriptors.get(1):
        return None
    texts = call.words[1:]
    if call.name in ("dirname", "realpath", "readlink", "basename"):
        placed = _of_place(call, texts)
        if placed is not None:
            return placed
    stream = call.state.descriptors.get(0)
    given = call.state.inputs.get(stream) if stream else None
    if call.name == "tee":
        return given
    if call.name == "cat":
        return _joined_files(call, texts, given)
    if call.name in _TAKE_FILE and len(texts) > 1 and not (texts[-1].value or "").startswith("-"):
        held = written.content(call.evaluator, call.state, texts[-1])
        if held is not None:
            texts, given = texts[:-1], held
    values = [text.value for text in texts]
    if any(value is None for value in values):
        return None
    known = given.value if given is not None and given.size <= TEXT else None
    try:
        text = run([value for value in values if value is not None], known)
    except Unclear:
        return None
    origin = derive(call.span, "substitution", call.name, origins_of([*texts, given]))
    return Text((Known(text, origin),))


_TAKE_FILE = frozenset(("awk", "cut", "head", "rev", "sed", "tail", "paste"))  # the last word may be a file


def _joined_files(call: Call, names: Sequence[Text], given: Text | None) -> Text | None:
    """What `cat` writes."""
    pieces: list[Piece] = []
    for name in names or [Text((Known("-", Origin(call.span, "literal")),))]:
        if name.value == "-":
            text, given = given, Text(())
        elif (name.value or "").startswith("-"):
            return None
        else:
            text = read_from(call.evaluator, call.state, name)
        if text is None:
            return None
        pieces.extend(text.pieces)
    return Text(tuple(pieces))


READERS = frozenset(
    [
        "awk",
        "bash",
        "cat",
        "cut",
        "grep",
        "head",
        "jq",
        "sed",
        "sh",
        "sort",
        "ssh",
        "tail",
        "tee",
        "tr",
        "uniq",
        "wc",
        "xargs",
    ]
)
_SILENT = frozenset(
    ["chmod", "chown", "cp", "ln", "mkdir", "mv", "rm", "rmdir", "sleep", "touch", "true", "false", "kill"]
)
_IMPORT = regular(r"\s*((import\s+[\w., ]+|from\s+[\w.]+\s+import\s+[\w, ]+)\s*(;|\n|$)\s*)+")


def is_silent(call: Call) -> bool:
    """Whether a program that succeeds prints nothing and reads nothing."""
    values = [word.value for word in call.words[1:]]
    if call.name in _SILENT:
        return "-v" not in values
    if call.name == "grep":
        return any(v is not None and re.fullmatch(r"-[a-zA-Z]*q[a-zA-Z]*|--quiet", v) for v in values)
    if re.fullmatch(r"python[0-9.]*", call.name) and len(values) == 2 and values[0] == "-c" and values[1] is not None:
        return _IMPORT.fullmatch(values[1]) is not None
    return False


_CANONICAL = ("-f", "-e", "-m", "--canonicalize", "--")  # options of realpath and readlink that give the whole path


def _of_place(call: Call, texts: Sequence[Text]) -> Text | None:
    """`dirname`, `basename` and `realpath` of a path relative to the start folder, or of one with an unknown head."""
    operands = [text for text in texts if not (text.value or "").startswith("-")]
    if not operands or not operands[0].pieces:
        return None
    text = operands[0]
    first, last = text.pieces[0], text.pieces[-1]
    origin = derive(call.span, "substitution", call.name, origins_of([text], 4))
    newline = Known("\n", origin)
    rest = Text(text.pieces[1:]).value
    if isinstance(first, Place) and rest is not None:
        path = posixpath.normpath(first.path + rest)
        if call.name == "dirname":
            if path in (".", "/") or path.endswith(".."):
                path = posixpath.normpath(path + "/..")
            else:
                path = posixpath.dirname(path) or "."
        if call.name != "basename":
            return Text((Place(place_reason(path), origin, path=path), newline))
        if path.endswith((".", "..")):
            return None
        name = posixpath.basename(path)
        if len(operands) > 1:
            name = name.removesuffix(operands[1].value or "")
        return Text((Known(name, origin), newline))
    if text.value is not None and call.name in ("realpath", "readlink"):
        path_known = path_of(call.state, text)
        whole = all(text in operands or (text.value or "") in _CANONICAL for text in texts)
        if path_known is None or not whole or len(operands) > 1 or (call.name == "readlink" and len(texts) == 1):
            return None
        return Text((Place(place_reason(path_known), origin, path=path_known), newline))
    if text.value is None and isinstance(last, Known) and "/" in last.text.rstrip("/") and len(operands) <= 2:
        head, _, tail = last.text.rstrip("/").rpartition("/")
        if call.name == "basename" and tail:
            suffix = operands[1].value if len(operands) > 1 else ""
            return None if suffix is None else Text((Known(tail.removesuffix(suffix), origin), newline))
        if call.name == "dirname" and tail:
            return Text((*text.pieces[:-1], Known(head, last.origin), newline))
    return None
