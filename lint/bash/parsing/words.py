"""Words: quoting, and the text between delimiters, in each of the styles that bash reads such text in."""

from __future__ import annotations

import re

from lint.bash.parsing.cursor import CONTINUATION, MAXIMUM_SIZE, Cursor, Suspect, Unclosed
from lint.bash.parsing.escapes import decode_escapes
from lint.bash.syntax import (
    DoubleQuoted,
    Literal,
    Parameter,
    Part,
    Quoted,
    Statement,
    Unreadable,
    Word,
)
from lint.frozen import frozen
from lint.regular import regular

_RUN = regular(r"[^ \t\n;&|()<>\"'$`\\]+")
_AFTER_WORD = " \t\n;|&)"  # or nothing: where the text ends
_OPENERS = regular(r"\(+|\[+")
_SIMPLE_DOUBLE_QUOTED = regular(r'"([^"\\$`]*)"')
_SIMPLE_PARAMETER = regular(r"\$(?:([A-Za-z_]\w*|[0-9@*#?$!-])|\{([A-Za-z_]\w*|[0-9]+|[@*#?$!-])\})", re.ASCII)
_ESCAPED_QUOTE_END = regular(r"[^'\\]*(?:\\.[^'\\]*)?", re.DOTALL)
_READ_AGAIN = regular(r"[\"'\\$`{}<>]")
_LINE = regular(r"[^\n]*?(?=[ \t]*\\?(?:\n|\Z))")


def end_of_line(text: str, opening: int) -> int:
    """Where a quote that was not closed was meant to end: at its line end, before a line continuation."""
    match = _LINE.match(text, opening + 1)
    return match.end() if match else opening + 1


@frozen
class Style:
    """How the text between two delimiters is read.

    `plain` matches a run of text that means itself. `closers` end the text; one that is also `closer` does not while a
    pair of `opener` and `closer` is open. `quoted` text is as between double quotes: a backslash quotes only the
    characters of `escapable`, and single quotes are text, though bash still looks for them in pairs.
    """

    plain: re.Pattern[str]
    closers: str
    opener: str = ""
    closer: str = ""
    quoted: bool = False
    escapable: str = ""
    decodes: bool = False  # `$'...'` is what its escapes say, though it is quoted


DOUBLE_QUOTED = Style(regular(r'[^"\\$`]+'), '"', quoted=True, escapable='"\\$`')
INNER_DOUBLE_QUOTED = Style(regular(r'[^"\\$`]+'), '"', quoted=True)
"""`"..."` in an operand that stands in double quotes itself: there a backslash quotes any character."""
SINGLE_QUOTED_TEXT = Style(regular(r"[^'\\$`]+"), "'", quoted=True, escapable='"\\$`}')
HERE_DOCUMENT = Style(regular(r"[^\\$`]+"), "", quoted=True, escapable="\\$`")
ARITHMETIC = Style(regular(r"[^\"\\$`'()]+"), ")", "(", ")", quoted=True, escapable='"\\$`')
ARITHMETIC_PART = Style(regular(r"[^\"\\$`'();]+"), ");", "(", ")", quoted=True, escapable='"\\$`')
OLD_ARITHMETIC = Style(regular(r"[^\"\\$`'\[\]]+"), "]", "[", "]", quoted=True, escapable='"\\$`')
OFFSET = Style(regular(r"[^\"\\$`'():?}]+"), ":}", "(", ")", quoted=True, escapable='"\\$`')
QUOTED_OFFSET = Style(OFFSET.plain, ":}", "(", ")", quoted=True, escapable=OFFSET.escapable, decodes=True)
OPERAND = Style(regular(r"[^\"\\$`'}<>]+"), "}")
REPLACEMENT = Style(OPERAND.plain, "}")
QUOTED_OPERAND = Style(regular(r"[^\"\\$`'}]+"), "}", quoted=True, escapable='"\\$`}', decodes=True)
UNQUOTED_OPERAND = Style(regular(r"[^\\$`]+"), "", quoted=True, escapable='"\\$`}')
"""The same once bash has removed its double quotes."""
REPLACED = Style(regular(r"[^\"\\$`'}<>/]+"), "/}")
SUBSCRIPT = Style(regular(r"[^\"\\$`'\[\]]+"), "]", "[", "]")
ARGUMENT_SUBSCRIPT = Style(regular(r"[^\"\\$`'\[\] \t\n;&|()<>]+"), "] \t\n;&|()<>", "[", "]")
PARENTHESIZED = Style(regular(r"[^\"\\$`'()<>]+"), ")", "(", ")")
_TRANSLATED = (QUOTED_OPERAND, ARITHMETIC, ARITHMETIC_PART, OLD_ARITHMETIC, OFFSET, QUOTED_OFFSET)
"""Quoted text in which `$"..."` is a string in double quotes."""


class WordParser(Cursor):
    """Reads words. What `$` introduces is read by `ExpansionParser`, what is between `$(` and `)` by the rest."""

    def word(self, regex: bool = False) -> Word | None:
        """The word at the position; None where no word begins. `regex`: the right side of `=~` in `[[ ]]`."""
        start, text = self.position, self.text
        match = _RUN.match(text, start)
        if match and not regex and text[(end := match.end()) : end + 1] in _AFTER_WORD:
            self.grow(1)
            self.position = end
            return Word(start, end, (Literal(start, end, match.group()),))
        parts = self.word_parts(regex)
        self.grow(1)
        return Word(start, parts[-1].end, parts) if parts else None

    def word_parts(self, regex: bool = False) -> tuple[Part, ...]:
        """The parts up to the end of the word."""
        text = self.text
        parts: list[Part] = []
        while True:
            start = self.position
            match = _RUN.match(text, start)
            self.size += 1
            if match:
                self.position = end = match.end()
                parts.append(Literal(start, end, match.group()))
                start = end
            character = text[start : start + 1]
            if self.size > MAXIMUM_SIZE:
                self.grow(1)
            if character in _AFTER_WORD and not regex:
                return tuple(parts)
            if character == "$":
                parts.append(self.dollar(quoted=False))
            elif character == '"':
                parts.append(self.double_quoted(start))
            elif character == "\\":
                self.backslash(parts)
            elif character == "'":
                parts.append(self.single_quoted())
            elif character == "`":
                parts.append(self.backquoted(quoted=False))
            elif character in ("<", ">") and text.startswith("(", start + 1) and not regex:
                parts.append(self.process_substitution())
            elif character == "(" and (regex or (self.extglob and start and text[start - 1] in "?*+@!")):
                self.parenthesized(parts)
            elif character == "|" and regex and not text.startswith("|", start + 1):
                self.position += 1
                parts.append(Literal(start, start + 1, "|"))
            else:
                return tuple(parts)

    def backslash(self, parts: list[Part]) -> None:
        """`\\x` outside of quotes: the character itself; a line continuation, or the end of the file: nothing."""
        start = self.position
        text = self.text
        if text.startswith("\n", start + 1):
            self.position = start + 2
        elif start + 1 == len(text):
            self.position = start + 1
        else:
            self.position = start + 2
            parts.append(Quoted(start, start + 2, text[start + 1]))

    def parenthesized(self, parts: list[Part]) -> None:
        """`( ... )` inside a word: of an extended pattern, of a regular expression."""
        start = self.position
        self.position += 1
        parts.append(Literal(start, start + 1, "("))
        parts.extend(self.parts_until(PARENTHESIZED, start, "("))
        start = self.position
        self.position += 1
        parts.append(Literal(start, start + 1, ")"))

    # --------------------------------------------------------------------------------------------------- quotes

    def single_quoted(self) -> Part:
        start = self.position
        end = self.text.find("'", start + 1)
        if start in self.closings:
            return self.unreadable(start)
        if end < 0:
            raise Unclosed(start, "'", "'")
        if "\n" in (text := self.text[start + 1 : end]):
            self.suspect_quote(start, end)
        self.position = end + 1
        return Quoted(start, end + 1, text)

    def substitution(self, start: int, quoted: bool) -> Part:
        """`$(...)` or `$((...))`."""
        before = self.in_quoted_substitution
        self.in_quoted_substitution = quoted and not self.in_here_document
        try:
            return self.parenthesis(start)
        finally:
            self.in_quoted_substitution = before

    def unquoted(self, part: Quoted) -> Part:
        """`$'...'` in `"$(x ${y+$'...'})"`, `"${x:$'...'}"`: bash writes its value without quotes, and reads that."""
        if _READ_AGAIN.search(part.text):
            return Unreadable(part.start, part.end, f"{self.text[part.start : part.end]} is read twice by bash")
        return Literal(part.start, part.end, part.text)

    def escaped_quoted(self, quoted: bool) -> Quoted:
        """`$'...'`. Between double quotes it is text, except inside `${...}`."""
        start = position = self.position
        text = self.text
        position += 2
        while True:
            match = _ESCAPED_QUOTE_END.match(text, position)
            assert match is not None
            position = match.end()
            if position >= len(text):
                raise Unclosed(start, "$'", "'")
            if text[position] == "'":
                break
            if text[position] == "\\" and position + 1 == len(text):
                raise Unclosed(start, "$'", "'")
        self.position = position + 1
        return Quoted(start, position + 1, decode_escapes(text[start + 2 : position]))

    def double_quoted(self, start: int, style: Style = DOUBLE_QUOTED) -> Part:
        """`"..."` at the position; `start` is where `$"` began, or the same."""
        if start in self.closings:
            return self.unreadable(start)
        opening = self.position
        match = _SIMPLE_DOUBLE_QUOTED.match(self.text, opening)
        if match:
            text, end = match.group(1), match.end()
            self.position = end
            if "\n" in text:
                self.suspect_quote(opening, end - 1)
            return DoubleQuoted(start, end, (Quoted(opening + 1, end - 1, text),) if text else ())
        self.position += 1
        parts = self.parts_until(style, start, '"')
        self.suspect_quote(opening, self.position)
        self.position += 1
        return DoubleQuoted(start, self.position, parts)

    def suspect_quote(self, opening: int, closing: int) -> None:
        """Remembers a string over several lines whose closing quote looks like the opening quote of another one."""
        text = self.text
        line_end = text.find("\n", opening, closing)
        if line_end < 0:
            return
        before, after = text[closing - 1], text[closing + 1 : closing + 2]
        if before in "= \t\n([{" and after not in ("", "\n", " ", "\t", ";", ")", "|", "&", "\\", "}"):
            quote = text[opening]
            outer = self.substitutions[-1] if self.substitutions else opening
            if outer < opening and text.find("\n", outer, opening) < 0 and text.find('"', outer, opening) < 0:
                closer = "}" if text[outer + 1] == "{" else ")"
                self.suspects.append(Suspect("quote", outer, text[outer : outer + 2], closer, opening))
            else:
                self.suspects.append(Suspect("quote", opening, quote, quote, end_of_line(text, opening)))

    def unreadable(self, opening: int) -> Unreadable:
        """The construct at `opening`, which the recovery has decided to cut."""
        closing = self.closings[opening]
        self.position = closing.end
        self.take_decision(opening)
        return Unreadable(opening, closing.end, closing.problem.message)

    # ------------------------------------------------------------------------------------------ delimited text

    def parts_until(self, style: Style, opening: int, opener: str) -> tuple[Part, ...]:
        """The parts from the position up to a closer of the style, where the position stays.

        Raises Unclosed if the text ends first (except in a here-document, which the end closes).
        """
        text = self.text
        length = len(text)
        parts: list[Part] = []
        depth = colons = 0
        start = position = self.position
        while True:
            match = style.plain.match(text, position)
            if match:
                position = match.end()
            character = text[position : position + 1]
            if character and character == style.opener:
                run = _OPENERS.match(text, position)
                count = run.end() - position if run else 1
                depth += count
                position += count
                continue
            if depth and character == style.closer:
                depth -= 1
                position += 1
                continue
            if (
                style.closers == OFFSET.closers
                and character
                and character in "?:"
                and (character == "?" or colons or depth)
            ):
                colons += 0 if depth else 1 if character == "?" else -1
                position += 1
                continue
            if character and character in style.closers and not (depth and character == style.closer):
                self.literal(parts, style, start, position)
                self.position = position
                return tuple(parts)
            if position >= length:
                if style.closers:
                    raise Unclosed(opening, opener, style.closers[-1])
                self.literal(parts, style, start, position)
                self.position = position
                return tuple(parts)
            part = self.special(style, character, position)
            if part is None:
                position += 2 if character == "\\" and text.startswith("'", position + 1) else 1
                continue
            self.grow(1)
            self.literal(parts, style, start, position)
            parts.extend(part)
            start = position = self.position

    def literal(self, parts: list[Part], style: Style, start: int, end: int) -> None:
        if end > start:
            kind = Quoted if style.quoted else Literal
            parts.append(kind(start, end, self.text[start:end]))

    def special(self, style: Style, character: str, position: int) -> tuple[Part, ...] | None:
        """The parts that begin with a special character; None if it is text here."""
        text = self.text
        self.position = position
        if character == "$":
            part = self.dollar(style.quoted, style)
            return None if isinstance(part, Literal) and part.text == "$" else (part,)
        if character == "\\":
            return self.escape(style)
        if character == "`":
            return (self.backquoted(style.quoted),)
        if character == '"':
            inner = INNER_DOUBLE_QUOTED if style is QUOTED_OPERAND else DOUBLE_QUOTED
            return None if style is SINGLE_QUOTED_TEXT else (self.double_quoted(position, inner),)
        if character == "'":
            return self.paired_quotes() if style.quoted else (self.single_quoted(),)
        if character in "<>" and text.startswith("(", position + 1):
            return (self.process_substitution(),)
        return None

    def escape(self, style: Style) -> tuple[Part, ...] | None:
        start = self.position
        text = self.text
        if not style.quoted:
            parts: list[Part] = []
            self.backslash(parts)
            return tuple(parts)
        if text.startswith("\n", start + 1):
            self.position = start + 2
            return ()
        following = text[start + 1 : start + 2]
        if following and (following in style.escapable or style is INNER_DOUBLE_QUOTED):
            self.position = start + 2
            return (Quoted(start, start + 2, following),)
        return None

    def paired_quotes(self) -> tuple[Part, ...]:
        """`'...'` inside quoted text: the quotes are text, but what is between them closes nothing."""
        start = self.position
        self.position += 1
        parts = self.parts_until(SINGLE_QUOTED_TEXT, start, "'")
        end = self.position
        self.position += 1
        return (Quoted(start, start + 1, "'"), *parts, Quoted(end, end + 1, "'"))

    # ----------------------------------------------------------------------------------------------- expansions

    def dollar(self, quoted: bool, style: Style | None = None) -> Part:
        """What `$` introduces; a `Literal` if it stands for itself."""
        start = self.position
        text = self.text
        match = _SIMPLE_PARAMETER.match(text, start)
        if match and not (match.end(1) == match.end() and text.startswith(CONTINUATION, match.end())):
            self.position = match.end()
            return Parameter(start, match.end(), match.group(match.lastindex or 0))
        if match:
            return self.interrupted_dollar(start, quoted)
        following = text[start + 1 : start + 2]
        if following == "{":
            return self.braced(start, quoted)
        if following == "(":
            return self.substitution(start, quoted)
        if following == "[":
            return self.old_arithmetic(start)
        if following == "'" and (not quoted or (style is not None and style.decodes and not self.in_here_document)):
            part, again = self.escaped_quoted(quoted), style is OPERAND and self.in_quoted_substitution
            return self.unquoted(part) if again or style is QUOTED_OFFSET else part
        if following == '"' and (not quoted or (style in _TRANSLATED and not self.in_here_document)):
            self.position += 1
            return self.double_quoted(start)
        if text.startswith(CONTINUATION, start + 1):
            return self.interrupted_dollar(start, quoted)
        self.position += 1
        return Literal(start, start + 1, "$")

    def backquoted(self, quoted: bool) -> Part:
        raise NotImplementedError

    def braced(self, start: int, quoted: bool) -> Part:
        raise NotImplementedError

    def parenthesis(self, start: int) -> Part:
        raise NotImplementedError

    def old_arithmetic(self, start: int) -> Part:
        raise NotImplementedError

    def interrupted_dollar(self, start: int, quoted: bool) -> Part:
        raise NotImplementedError

    def process_substitution(self) -> Part:
        raise NotImplementedError

    def substitution_body(self, opening: int, opener: str) -> tuple[Statement, ...]:
        raise NotImplementedError
