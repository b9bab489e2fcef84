"""Text tools on known text: what `seq`, `tr`, `cut`, `sed`, `awk` and others write, where that is simple.

Each takes the arguments of the program and its input (None: not known), and gives its output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from lint.bash.budget import TEXT
from lint.bash.numbers import whole
from lint.bash.reading import Text, Unknown
from lint.bash.words.arithmetic import Number, evaluate_string
from lint.bash.words.arithmetic_tokens import ArithmeticFault

LONGEST_SEQUENCE = 10_000


class Unclear(Exception):
    """A use of a program whose output is not computed."""


def _basename(arguments: list[str], given: str | None) -> str:
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    if not 1 <= len(arguments) <= 2 or arguments[0].startswith("-"):
        raise Unclear
    name = arguments[0].rstrip("/") or arguments[0][:1]
    name = name.rpartition("/")[2] or name
    if len(arguments) > 1 and name != arguments[1]:
        name = name.removesuffix(arguments[1])
    return name + "\n"


def _dirname(arguments: list[str], given: str | None) -> str:
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    if len(arguments) != 1 or arguments[0].startswith("-"):
        raise Unclear
    path = arguments[0]
    stripped = path.rstrip("/")
    if not stripped:
        return "/\n" if path else ".\n"
    head, slash, _ = stripped.rpartition("/")
    return (head.rstrip("/") or "/" if slash else ".") + "\n"


def _elsewhere(arguments: list[str], given: str | None) -> str:
    """A program that `output` answers itself where it can."""
    raise Unclear


def _seq(arguments: list[str], given: str | None) -> str:
    separator, width = "\n", False
    while arguments and arguments[0].startswith("-") and not re.fullmatch(r"-[0-9]+", arguments[0]):
        option = arguments.pop(0)
        if option == "-w":
            width = True
        elif option == "-s" and arguments:
            separator = arguments.pop(0)
        elif option.startswith("-s"):
            separator = option[2:]
        else:
            raise Unclear
    if not 1 <= len(arguments) <= 3 or not all(re.fullmatch(r"-?[0-9]{1,15}", argument) for argument in arguments):
        raise Unclear
    numbers = [int(argument) for argument in arguments]
    first = numbers[0] if len(numbers) > 1 else 1
    step = numbers[1] if len(numbers) == 3 else 1
    if step == 0:
        raise Unclear
    values = range(first, numbers[-1] + (1 if step > 0 else -1), step)
    if len(values) > LONGEST_SEQUENCE:
        raise Unclear
    texts = [str(value) for value in values]
    if width:
        size = max((len(text) for text in (str(first), str(numbers[-1]))), default=0)
        texts = [text.zfill(size) for text in texts]
    return separator.join(texts) + "\n" if texts else ""


def _expr(arguments: list[str], given: str | None) -> str:
    if len(arguments) != 3 or not all(re.fullmatch(r"-?[0-9]{1,18}", arguments[i]) for i in (0, 2)):
        raise Unclear
    left, operator, right = int(arguments[0]), arguments[1], int(arguments[2])
    if operator in ("/", "%") and right != 0:
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return f"{quotient if operator == '/' else left - quotient * right}\n"
    results: dict[str, Callable[[], int]] = {
        "+": lambda: left + right,
        "-": lambda: left - right,
        "*": lambda: left * right,
    }
    if operator not in results:
        raise Unclear
    return f"{results[operator]()}\n"


def _tr(arguments: list[str], given: str | None) -> str:
    if given is None:
        raise Unclear
    if len(arguments) == 2 and arguments[0] == "-d":
        deleted = set(_characters(arguments[1]))
        return "".join(character for character in given if character not in deleted)
    if len(arguments) != 2 or arguments[0].startswith("-"):
        raise Unclear
    source, target = _characters(arguments[0]), _characters(arguments[1])
    if not source or not target:
        raise Unclear
    target += target[-1] * (len(source) - len(target))
    table = dict(zip(map(ord, reversed(source)), reversed(target[: len(source)]), strict=True))
    return given.translate(table)


def _characters(text: str) -> str:
    """The characters of a set of `tr`."""
    classes = {"[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "[:lower:]": "abcdefghijklmnopqrstuvwxyz"}
    for name, members in {**classes, "[:digit:]": "0123456789", "[:space:]": " \t\n\r\v\f"}.items():
        text = text.replace(name, members)
    if "[:" in text or "[=" in text:
        raise Unclear
    text = re.sub(r"\\([nt\\])", lambda found: {"n": "\n", "t": "\t", "\\": "\\"}[found[1]], text)
    return re.sub(
        r"(.)-(.)",
        lambda found: "".join(map(chr, range(ord(found[1]), ord(found[2]) + 1))) if found[1] <= found[2] else found[0],
        text,
        flags=re.DOTALL,
    )


def _cut(arguments: list[str], given: str | None) -> str:
    joined = " ".join(arguments)
    found = re.fullmatch(r"-d ?(\S| ) -f ?([0-9]+)(-?)|-f ?([0-9]+)(-?) -d ?(\S| )", joined)
    if found is None or given is None:
        raise Unclear
    delimiter = found[1] or found[6]
    index, open_end = whole(found[2] or found[4]), bool(found[3] or found[5])
    lines = []
    for line in given.removesuffix("\n").split("\n"):
        fields = line.split(delimiter)
        if len(fields) == 1:
            lines.append(line)
        else:
            lines.append(delimiter.join(fields[index - 1 :] if open_end else fields[index - 1 : index]))
    return "\n".join(lines) + "\n" if given else ""


def _lines(given: str | None) -> list[str]:
    if given is None:
        raise Unclear
    return given.removesuffix("\n").split("\n") if given else []


def _count_of(arguments: list[str]) -> int:
    found = re.fullmatch(r"-n ?([0-9]+)|-([0-9]+)", " ".join(arguments))
    if found is None and arguments:
        raise Unclear
    return whole(found[1] or found[2]) if found is not None else 10


def _joined(lines: Sequence[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _head(arguments: list[str], given: str | None) -> str:
    return _joined(_lines(given)[: _count_of(arguments)])


def _tail(arguments: list[str], given: str | None) -> str:
    count = _count_of(arguments)
    return _joined(_lines(given)[-count:]) if count else ""


def _wc(arguments: list[str], given: str | None) -> str:
    if given is None or arguments not in (["-l"], ["-w"], ["-c"]):
        raise Unclear
    counts = {"-l": given.count("\n"), "-w": len(given.split()), "-c": len(given.encode("utf-8", "surrogateescape"))}
    return f"{counts[arguments[0]]}\n"


def _rev(arguments: list[str], given: str | None) -> str:
    if arguments:
        raise Unclear
    return _joined([line[::-1] for line in _lines(given)])


def _paste(arguments: list[str], given: str | None) -> str:
    found = re.fullmatch(r"-s ?-d ?(\S)(?: -)?|-sd ?(\S)(?: -)?", " ".join(arguments))
    if found is None:
        raise Unclear
    return (found[1] or found[2]).join(_lines(given)) + "\n"


def _xargs(arguments: list[str], given: str | None) -> str:
    """`xargs` alone: trims and joins words."""
    if arguments or given is None or any(character in given for character in "'\"\\"):
        raise Unclear
    return " ".join(given.split()) + "\n"


def _sed(arguments: list[str], given: str | None) -> str:
    """`sed 's/plain/plain/[g]'`: only where the expression is plain text."""
    if given is None or len(arguments) != 1:
        raise Unclear
    script = arguments[0]
    if len(script) < 4 or script[0] != "s":
        raise Unclear
    parts = script[2:].split(script[1])
    if len(parts) != 3 or parts[2] not in ("", "g") or not parts[0]:
        raise Unclear
    if re.search(r"[\\.*^$\[\]]", parts[0]) or re.search(r"[\\&]", parts[1]):
        raise Unclear
    if given.count(parts[0]) * len(parts[1]) > TEXT:
        raise Unclear
    return _joined([line.replace(parts[0], parts[1], -1 if parts[2] else 1) for line in _lines(given)])


def _awk(arguments: list[str], given: str | None) -> str:
    """`awk [-F c] '{print $n}'`, `'{print NF}'`, `'{print $NF}'`."""
    joined = " ".join(arguments)
    found = re.fullmatch(r"(?:-F ?([^ \\|.*+?^$()\[\]{}]) )?\{ *print (NF|\$NF|\$[0-9]{1,3}) *;? *\}", joined)
    if found is None:
        raise Unclear
    printed: list[str] = []
    for line in _lines(given):
        fields = line.split(found[1]) if found[1] and line else line.split()
        if found[2] == "NF":
            printed.append(str(len(fields)))
        elif found[2] == "$0":
            printed.append(line)
        else:
            index = len(fields) if found[2] == "$NF" else whole(found[2][1:])
            printed.append(fields[index - 1] if 0 < index <= len(fields) else "")
    return _joined(printed)


class _NoVariables:
    """Arithmetic without variables."""

    taken = 0

    def get(self, name: str, subscript: str | Unknown | None) -> Text | None:
        raise Unclear

    def place(self, name: str, subscript: str) -> str:
        return subscript

    def set(self, name: str, subscript: str | Unknown | None, value: Number) -> None:
        raise Unclear

    def doubt(self) -> None:
        raise Unclear


def _bc(arguments: list[str], given: str | None) -> str:
    """`bc` on whole numbers of moderate size."""
    results: list[str] = []
    for line in _lines(given):
        small = all(len(number) < 9 and not re.match("0[0-9]", number) for number in re.findall("[0-9]+", line))
        if arguments or not small or not re.fullmatch(r"[-+*/() 0-9]+", line) or line.count("*") > 1 or "**" in line:
            raise Unclear
        try:
            results.append(str(evaluate_string(line, (), _NoVariables())))
        except (ArithmeticFault, RecursionError):
            raise Unclear from None
    return _joined(results)


TOOLS: Mapping[str, Callable[[list[str], str | None], str]] = {
    "awk": _awk,
    "basename": _basename,
    "bc": _bc,
    "dirname": _dirname,
    "realpath": _elsewhere,
    "readlink": _elsewhere,
    "cat": _elsewhere,
    "tee": _elsewhere,
    "seq": _seq,
    "expr": _expr,
    "tr": _tr,
    "cut": _cut,
    "head": _head,
    "tail": _tail,
    "wc": _wc,
    "rev": _rev,
    "paste": _paste,
    "xargs": _xargs,
    "sed": _sed,
}
