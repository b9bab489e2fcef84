"""`echo` and `printf`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal

from lint.bash.budget import LABEL, TEXT
from lint.bash.builtins.number_formats import endless_text, integer_text
from lint.bash.builtins.operands import USAGE
from lint.bash.builtins.option_letters import parted
from lint.bash.builtins.targets import NoName, assign_named
from lint.bash.commands.simple import Call
from lint.bash.commands.writing import write
from lint.bash.numbers import whole
from lint.bash.origins import derive, origins_of
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.state.complaints import AssignmentFault, ReadonlyFault
from lint.bash.state.state import Status
from lint.bash.unknown import ExitStatus
from lint.bash.words.quoting import backslash_quote, echo_decode, format_decode
from lint.regular import regular
from lint.text import Span

_DIRECTIVE = regular(
    r"%(?:%|(?P<flags>[-+ #0']*)(?P<width>\*|[0-9]*)(?:\.(?P<precision>\*|-?[0-9]*))?[hlLqjzt]*"
    r"(?P<letter>[diouxXfFeEgGaAcsbqnQ]|\([^)]*\)T))"
)
_NEVER_FAIL = frozenset("sbcqQ")  # directives that take any word
_NAME = regular(r"[A-Za-z_]\w*", re.ASCII)
_REAL = regular(
    r"\s*[-+]?((?P<hexadecimal>0[xX][0-9A-Fa-f]+)|(?P<digits>[0-9]+)(?![.0-9eE])"
    r"|[0-9]+\.?[0-9]*([eE][-+]?[0-9]+)?|\.[0-9]+([eE][-+]?[0-9]+)?|(?i:inf(inity)?|nan))"
)
_LONG_DOUBLE = 19  # digits of a whole number that bash, which counts in `long double`, keeps
_ROUNDS = 20_000


def echo(call: Call) -> Status:
    """`echo`, with `-n`, `-e`, `-E`."""
    words = list(call.operands)
    newline, escapes = True, "xpg_echo" in call.state.shell_options
    while words and (value := words[0].value) is not None and re.fullmatch(r"-[neE]+", value):
        for letter in value[1:]:
            newline = newline and letter != "n"
            escapes = letter == "e" if letter in "eE" else escapes
        words.pop(0)
    if not call.state.descriptors.get(1):
        return 0
    origin = Origin(call.span, "substitution")
    pieces: list[Piece] = []
    for index, word in enumerate(words):
        if index:
            pieces.append(Known(" ", origin))
        whole = word.value if escapes and len(word.pieces) > 1 else None  # an escape may go over several pieces
        joined = None if whole is None else Known(whole, derive(call.span, "substitution", None, origins_of([word])))
        for piece in word.pieces if joined is None else (joined,):
            if escapes and isinstance(piece, Known):
                text, ended = echo_decode(piece.text)
                pieces.append(Known(text, piece.origin))
                if ended:
                    write(call.state, 1, Text(tuple(pieces)))
                    return 0
            else:
                pieces.append(piece)
    if newline:
        pieces.append(Known("\n", origin))
    write(call.state, 1, Text(tuple(pieces)))
    return 0


def printf(call: Call) -> Status:
    """`printf` and `printf -v name`."""
    options, words = parted("printf", call.operands)
    if not words:
        return USAGE
    target = None if (given := options.get("v")) is None else given.value
    if given is not None and target is None:
        call.evaluator.budget.report(call.span, "printf into a variable whose name is not known")
    origin = Origin(call.span, "substitution")
    text, counted, failed = format_text(words[0], words[1:], call.span)
    status = ExitStatus("exit status of printf", origin) if failed is None else int(failed)
    size = sum(len(piece.text) for piece in text.pieces if isinstance(piece, Known))
    call.state.work += (size >> 6) + len(text.pieces)
    if size > TEXT:
        call.evaluator.budget.report(call.span, f"a value of more than {TEXT} characters")
        text = Text((Unknown("output of printf that is too long to read", origin),))
    try:
        for name, count in counted:
            with suppress(ReadonlyFault):  # bash complains, and goes on
                assign_named(call, name, count)
        if given is not None and target is None:
            return status
        if target is None:
            write(call.state, 1, text)
            return status
        end = text.shown.find("\0")  # the value of a variable ends before a NUL
        assign_named(call, target, text if end < 0 else text.slice(0, end))
    except NoName:
        return 2
    except AssignmentFault:
        return 1
    return status


def format_text(
    form: Text, arguments: Sequence[Text], span: Span
) -> tuple[Text, Sequence[tuple[str, Text]], bool | None]:
    """What `printf` writes, the variables that `%n` sets, and whether it fails; None: only a run can tell."""
    value = form.value
    unknown = [piece for word in arguments for piece in word.pieces if isinstance(piece, Unknown)]
    found = [each for each in _DIRECTIVE.finditer(value) if each["letter"]] if value is not None and unknown else []
    letters = {each["letter"] for each in found}
    if value is None or "n" in letters or any(piece.splits for piece in unknown):
        origin = derive(span, "substitution", None, origins_of([form]))
        size = Text((Unknown("size of what printf writes", origin),))
        names = [word.value for word in arguments if word.value and _NAME.fullmatch(word.value)]
        sure = value is not None and letters <= _NEVER_FAIL and not any("*" in each[0] for each in found)
        output = Text(
            (Unknown("output of printf", derive(span, "substitution", None, origins_of([form, *arguments]))),)
        )
        return output, [(name, size) for name in names if "n" in letters], False if sure else None
    writer = _Writer(value, list(arguments), span, form)
    writer.run()
    return Text(tuple(writer.pieces)), writer.counted, True if writer.failed else None if writer.unsure else False


@dataclass(slots=True)
class _Writer:
    form: str
    arguments: list[Text]
    span: Span
    source: Text
    pieces: list[Piece] = field(default_factory=list)
    failed: bool = False
    unsure: bool = False  # whether what is not known may be a bad number
    position: int = 0
    size: int = 0
    ended: bool = False
    begin: int = 0  # of the pieces that this round of the format has written
    counted: list[tuple[str, Text]] = field(default_factory=list)  # variables that `%n` sets

    def run(self) -> None:
        for _ in range(_ROUNDS):
            before, self.begin = self.position, len(self.pieces)
            self.round()
            if self.ended or self.position >= len(self.arguments) or self.position == before or self.size > TEXT:
                return

    def known(self, text: str, sources: Sequence[Text] = ()) -> None:
        if text:
            self.size += len(text)
            origin = derive(self.span, "substitution", None, origins_of([*sources] or [self.source]))
            self.pieces.append(Known(text, origin))

    def round(self) -> None:
        """The format once."""
        begin = 0
        for found in _DIRECTIVE.finditer(self.form):
            self.known(format_decode(self.form[begin : found.start()]))
            begin = found.end()
            if found[0] == "%%":
                self.known("%")
            else:
                self.directive(found)
            if self.ended:
                return
        rest = self.form[begin:]
        if "%" in rest:
            rest = rest[: rest.index("%")]
            self.failed = self.ended = True
        self.known(format_decode(rest))

    def next(self) -> Text | None:
        """The next argument; None if there is none left."""
        if self.position < len(self.arguments):
            self.position += 1
            return self.arguments[self.position - 1]
        self.position += 1
        return None

    def star(self, text: str | None) -> tuple[str | None, bool]:
        """A width or a precision, and whether it is known."""
        if text != "*":
            return text, True
        argument = self.next()
        if argument is not None and argument.value is None:
            return None, False
        return str(self.integer(argument.value or "0")) if argument is not None else "0", True

    def directive(self, found: re.Match[str]) -> None:
        flags = found["flags"].replace("'", "")
        width, knows_width = self.star(found["width"])
        precision, knows_precision = self.star(found["precision"])
        width = width or ""
        if width.startswith("-"):
            flags, width = flags + "-", width[1:]
        letter = found["letter"]
        argument = self.next()
        sized = knows_width and knows_precision
        if not sized or (argument is not None and argument.value is None and letter not in _NEVER_FAIL):
            self.unsure = True
        if letter.endswith("T"):
            if argument is not None and argument.value is not None:
                self.integer(argument.value)
            form = letter[1:-2]
            if form and sized and not width and precision is None and "%" not in form.replace("%%", ""):
                self.known(form.replace("%%", "%"))
            else:
                self.pieces.append(Unknown("the time", Origin(self.span, "substitution")))
            return
        if letter == "n":
            self.count(argument.value if argument is not None else None)
            return
        if letter in "aA":
            if argument is not None and argument.value is not None:
                self.real(argument.value)  # for the exit status
            self.pieces.append(Unknown("a number in hexadecimal", Origin(self.span, "substitution")))
            return
        if argument is not None and (argument.value is None or not sized):
            if letter == "s" and sized and not width and precision is None:
                self.pieces.extend(argument.pieces)
            else:
                origin = derive(self.span, "substitution", None, origins_of([argument]))
                self.pieces.append(Unknown(f"{argument.shown[:LABEL]} formatted", origin))
            return
        value = argument.value if argument is not None and argument.value is not None else ""
        if letter == "s" and not width and precision is None:
            if argument is not None:
                self.pieces.extend(argument.pieces)
                self.size += len(value)
            return
        self.known(self.formatted(letter, flags, _bounded(width), precision, value), [argument] if argument else [])

    def count(self, name: str | None) -> None:
        """`%n`: how many bytes this round has written goes to a variable; a word that names none ends printf."""
        if not name:
            return
        if not _NAME.fullmatch(name):
            self.failed = self.ended = True
            return
        text, origin = Text(tuple(self.pieces[self.begin :])), Origin(self.span, "substitution")
        size = None if text.value is None else len(text.value.encode(errors="surrogateescape"))
        count = Unknown(f"size of {text.brief}", origin) if size is None else Known(str(size), origin)
        self.counted.append((name, Text((count,))))

    def formatted(self, letter: str, flags: str, width: str, precision: str | None, value: str) -> str:
        head = "%" + flags + width
        if precision is not None and precision.startswith("-"):
            precision = None
        tail = "" if precision is None else "." + (_bounded(precision) or "0")
        if letter in "sbqQc":
            if letter == "b":
                value, self.ended = echo_decode(value, octal=True)
            elif letter == "Q":
                value = backslash_quote(_first_bytes(value, tail)) if precision != "" else ""
                tail = ""
            elif letter == "q":
                value = backslash_quote(value)
            elif letter == "c":
                tail = ".1"
                value = value or "\0"
            data = _first_bytes(value, tail).encode("utf-8", "surrogateescape")  # C counts bytes
            padded = data.ljust(int(width or 0)) if "-" in flags else data.rjust(int(width or 0))
            return padded.decode("utf-8", "surrogateescape")
        if letter in "diouxX":
            digits = int(tail[1:]) if tail else None
            return integer_text(letter, flags, int(width or 0), digits, self.integer(value))
        if letter in "fFeEgG":
            real = self.real(value)
            if not math.isfinite(real):
                return endless_text(letter, flags, int(width or 0), real, value.lstrip().startswith("-"))
            if letter in "fF" and isinstance(real, int) and "#" not in flags:  # a float does not hold all digits of it
                left = "-" in flags
                sign = "+" if "+" in flags else " " if " " in flags else ""
                layout = ("<" if left else "") + sign + ("0" if "0" in flags and not left else "")
                return format(Decimal(real), f"{layout}{width}{tail or '.6'}f")
            return str((head + tail + letter) % real)
        self.failed = True
        return ""

    def integer(self, text: str) -> int:
        """The number an argument stands for, read as C does; what cannot be read makes the status 1."""
        if text[:1] in ("'", '"'):
            return ord(text[1]) if len(text) > 1 else 0
        found = re.match(r"\s*([-+]?)(0[xX][0-9A-Fa-f]+|0[0-7]*|[1-9][0-9]*)", text)
        if found is None:
            self.failed = self.failed or bool(text)
            return 0
        if found.end() < len(text):
            self.failed = True
        digits = found[2]
        base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" and len(digits) > 1 else 10
        number = (whole(digits) if base == 10 else int(digits, base)) * (-1 if found[1] == "-" else 1)
        return max(-(1 << 63), min((1 << 63) - 1, number))

    def real(self, text: str) -> float | int:
        if text[:1] in ("'", '"'):
            return ord(text[1]) if len(text) > 1 else 0
        found = _REAL.match(text)
        if found is None or found.end() < len(text):
            self.failed = self.failed or bool(text)
        if found is None:
            return 0
        if found["hexadecimal"]:
            return int(found[0], 16)
        return int(found[0]) if found["digits"] and len(found["digits"]) <= _LONG_DOUBLE else float(found[0])


def _first_bytes(text: str, precision: str) -> str:
    """As many bytes of a text as a precision like `.5` lets through."""
    if not precision:
        return text
    return text.encode("utf-8", "surrogateescape")[: int(precision[1:])].decode("utf-8", "surrogateescape")


def _bounded(size: str) -> str:
    """A width or a precision that makes no longer text than tells that it is too long to read."""
    return str(min(whole(size), TEXT + 1)) if size else size


BUILTINS = {"echo": echo, "printf": printf}
