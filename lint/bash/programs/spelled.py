"""Programs whose output only a run can tell, but not what it is spelled with: dates, counts, names of the machine."""

from __future__ import annotations

from collections.abc import Sequence

from lint.bash.unknown import DIGITS, NUMBERS
from lint.regular import regular

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NAME = f"{_LETTERS}{DIGITS}._-"
_DIRECTIVE = regular(r"%([-_0+^#]*)[0-9]*([A-Za-z%+])|%:*z")
_ONE_NUMBER = regular("-i ?[0-9]+-[0-9]+ -n ?1|-n ?1 -i ?[0-9]+-[0-9]+")
"""Words with which `shuf` draws one of a range of numbers."""
_DATES = {
    **dict.fromkeys("CdgGHIjmMNSuUVwWyY", DIGITS),
    **dict.fromkeys("ekl", DIGITS + " "),
    "D": DIGITS + "/",
    "F": DIGITS + "-",
    "R": DIGITS + ":",
    "s": NUMBERS,
    "T": DIGITS + ":",
    "n": "\n",
    "t": "\t",
    "%": "%",
}
"""What a directive of `date` becomes, where that does not depend on a language. Source: POSIX and the manual of GNU
coreutils, "date invocation"."""


def characters(name: str, arguments: Sequence[str | None]) -> str:
    """The characters of the one line, not empty, that a program prints; none if these are not known."""
    if name == "expr" and len(arguments) > 2 and len(arguments) % 2 and set(arguments[1::2]) <= set("+-*/%"):
        return NUMBERS
    given = [argument for argument in arguments if argument is not None]
    if len(given) < len(arguments):
        return ""
    if name == "date":
        formats = [argument[1:] for argument in given if argument.startswith("+")]
        return _date(formats[0]) if len(formats) == 1 else ""
    if name == "shuf":
        return DIGITS if _ONE_NUMBER.fullmatch(" ".join(given)) else ""
    if name == "nproc" or (name == "wc" and len(given) == 1 and given[0] in ("-l", "-w", "-c", "-m")):
        return DIGITS
    if name == "mktemp" and given in ([], ["-d"]):
        return _NAME + "/"
    if name == "id" and given in (["-u"], ["-g"]):
        return DIGITS
    if name == "whoami" or (name == "id" and given == ["-un"]) or (name == "hostname" and given in ([], ["-s"])):
        return _NAME
    if name == "uname" and len(given) == 1 and given[0] in ("-m", "-n", "-r", "-s"):
        return _NAME + "+~"
    return ""


def _date(form: str) -> str:
    found = set(_DIRECTIVE.sub("", form))
    if "%" in found:
        return ""
    for flags, letter in _DIRECTIVE.findall(form):
        if letter and letter not in _DATES:
            return ""
        found |= set(_DATES[letter] if letter else "+-:" + DIGITS)
        found |= set(" " if "_" in flags else "+" if "+" in flags else "")
    return "".join(sorted(found))
