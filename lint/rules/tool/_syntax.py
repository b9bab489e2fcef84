"""What to write where bash's grammar does not allow a text, by what the parser says of it."""

from __future__ import annotations

import re

from lint.regular import regular

OPENERS = {"fi": "if", "done": "for or while", "esac": "case", "}": "{", "then": "if", "do": "for or while"}
ADVICE: tuple[tuple[str, str], ...] = (
    (r"unterminated quote: .* has no closing (.*)", r"write the \1 where the text ends"),
    (r'unbalanced .*: "(.*)" is missing', r"write the \1 where it ends"),
    (r'.*looking for "(.*)" of the "(.*)" in line (\d+)', r"write \1 where the \2 of line \3 ends"),
    (r'.*looking for "(then|do)"', r"write \1 before it, behind a ; or on a line of its own"),
    (r'.*looking for "(.*)"', r"write the \1 before it"),
    (r'unexpected .* in "\[\["', r"close the test with ]], and quote what bash takes for syntax"),
    *(
        (f'unexpected "{closer}"', f"remove it, or write the {opener} that belongs to it above")
        for closer, opener in OPENERS.items()
    ),
    (r'unexpected "(else|elif)"', r"write it between then and fi"),
    (r'unexpected "(;;|;&|;;&)"', r"remove it: it ends a branch of a case"),
    (r'unexpected "(\|\||&&|\|&?|;|&)"', r"write a command before it, or remove it"),
    (r'unexpected "(\(|\))"', r"remove it, or quote it for bash: \\\1"),
    (r'unexpected (?:line end|end of file) after "(.*)"', r"write the file behind \1"),
    (r"unexpected end of file", r"write the command that belongs behind the last operator, or remove that"),
)
"""Patterns of messages, the most special first, and what to write."""
BLANK_BEFORE = regular(r"(?:.*[\s;&|({])?([A-Za-z_]\w*)[ \t]+(\+?=)[ \t]*")
BLANK_BEHIND = regular(r"(?:.*[\s;&|({])?([A-Za-z_]\w*)(\+?=)[ \t]+")


def advice(message: str, before: str) -> str:
    """What to write; `before` is what stands before the place on its line."""
    if message.startswith("unterminated quote") and message.endswith("'") and before[-1:].isalnum():
        return "write \\' for an apostrophe, or put the whole text into double quotes"
    if message == 'unexpected "("':
        for side, blanks in (("before", BLANK_BEFORE), ("behind", BLANK_BEHIND)):
            array = blanks.fullmatch(before)
            if array is not None:
                return f"write {array[1]}{array[2]}(: bash takes no blank {side} the ="
    for pattern, help in ADVICE:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found is not None:
            return found.expand(help)
    return "quote what bash takes for syntax; `bash -n` must accept the script"
