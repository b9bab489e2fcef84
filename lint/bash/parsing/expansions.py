"""Expansions: `${...}`, `$((...))`, `$[...]`, `$(...)`, backquotes and process substitution."""

from __future__ import annotations

import re
from typing import Literal as Choice
from typing import TypeVar

from lint.bash.parsing import unbalanced
from lint.bash.parsing.cursor import CONTINUATION, Unclosed
from lint.bash.parsing.relocate import relocate
from lint.bash.parsing.words import (
    ARITHMETIC,
    OFFSET,
    OLD_ARITHMETIC,
    OPERAND,
    QUOTED_OFFSET,
    QUOTED_OPERAND,
    REPLACED,
    REPLACEMENT,
    SUBSCRIPT,
    UNQUOTED_OPERAND,
    Style,
    WordParser,
)
from lint.bash.syntax import (
    Arithmetic,
    CommandSubstitution,
    DoubleQuoted,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    Quoted,
    Statement,
    Unreadable,
    Word,
)
from lint.regular import regular

_NAME = r"(?:[A-Za-z_](?:\w|\\\n)*|[0-9]+|[@*#?$!-])"
_NAME_AT = regular(_NAME, re.ASCII)
_LENGTH = regular(rf"#(?={_NAME}[\[}}])", re.ASCII)
_NAMES = regular(r"!([A-Za-z_]\w*)([@*])\}", re.ASCII)
_INDIRECT = regular(r"!(?=[A-Za-z_0-9@*#])", re.ASCII)
_OPERATOR = regular(r":?[-=?+]|##?|%%?|//|/#|/%|/|\^\^?|,,?|~~?|@(?=[A-Za-z]\})|:")
_SIMPLE_DEFAULT = regular(r"([A-Za-z_]\w*)(:?[-=?+])([^\"\\$`'{}<>]*)\}", re.ASCII)
_BRACKET = regular(r"[(){}\n]")
_NAME_BEFORE_QUOTE = regular(r'\$\w*(?:"|\\\w)', re.ASCII)
_SPECIAL = ('"', "\\", "$", "`")
_SPECIAL_CHARACTERS = regular(r'["\\$`]')
_FAR = 200
"""Characters in which the end of what bash cannot read is looked for."""
_OPEN_SUBSCRIPT = regular(r"""\[[^]}"'`$\\(){\n]*\}(?!\S*\])""")  # a brace where its bracket should be
_TYPO = regular(r"[^\s\"'`;|&<>(){}$\\\]]*[)\]]?")
_NAME_AFTER_DOLLAR = regular(r"[A-Za-z_](?:\w|\\\n)*\w|[A-Za-z_]|[0-9@*#?$!-]", re.ASCII)
_BACKQUOTE_RUN = regular(r"[^`\\]*")

_VALUE_OPERATORS = frozenset(["-", ":-", "=", ":=", "?", ":?", "+", ":+"])

Self = TypeVar("Self", bound="ExpansionParser")


class ExpansionParser(WordParser):
    """Reads expansions; the commands inside substitutions are left to `substitution_body`."""

    # ------------------------------------------------------------------------------------------------ parameters

    def braced(self, start: int, quoted: bool) -> Part:
        """`${...}` at `start`."""
        if start in self.closings:
            return self.unreadable(start)
        text = self.text
        simple = _SIMPLE_DEFAULT.match(text, start + 2)
        if simple:
            return self.simple_default(simple, start, quoted)
        self.enter()
        self.substitutions.append(start)
        self.position = start + 2
        part = self.parameter(start, quoted)
        self.substitutions.pop()
        self.depth -= 1
        return part

    def simple_default(self, match: re.Match[str], start: int, quoted: bool) -> Parameter:
        """`${name:-text}`, where the text is one literal or nothing."""
        name, operator, _ = match.groups()
        begin, end = match.span(3)
        self.position = end + 1
        parts: list[Part] = []
        self.literal(parts, QUOTED_OPERAND if quoted else OPERAND, begin, end)
        return Parameter(
            start,
            end + 1,
            name,
            operator=operator,
            operand=Word(begin, end, tuple(parts)),
        )

    def parameter(self, start: int, quoted: bool) -> Part:
        """The inside of `${...}`, from after the brace."""
        text = self.text
        self.skip_continuations()
        names = _NAMES.match(text, self.position)
        if names:
            self.position = names.end()
            return Parameter(start, names.end(), names.group(1), names=names.group(2))
        length = self.take(_LENGTH) is not None
        indirect = not length and self.take(_INDIRECT) is not None
        name = self.take(_NAME_AT)
        if name is None:
            return self.bad_substitution(start)
        name = name.replace(CONTINUATION, "")
        subscript: Word | str | None = None
        if text.startswith("[", self.position) and (name[0].isalpha() or name[0] == "_"):
            if text.startswith("]", self.position + 1) or _OPEN_SUBSCRIPT.match(text, self.position):
                return self.bad_substitution(start)
            subscript = self.subscript(start)
        self.skip_continuations()
        if text.startswith("}", self.position):
            self.position += 1
            return Parameter(start, self.position, name, subscript, length, indirect)
        operator = self.take(_OPERATOR)
        if operator is None or length:
            return self.bad_substitution(start)
        operand, second = self.operands(start, operator, quoted)
        if not text.startswith("}", self.position):
            return self.bad_substitution(start)
        self.position += 1
        return Parameter(
            start,
            self.position,
            name,
            subscript,
            indirect=indirect,
            operator=operator,
            operand=operand,
            second=second,
        )

    def take(self, pattern: re.Pattern[str]) -> str | None:
        """The text that matches at the position, which moves behind it."""
        match = pattern.match(self.text, self.position)
        if match is None:
            return None
        self.position = match.end()
        return match.group()

    def skip_continuations(self) -> None:
        while self.text.startswith(CONTINUATION, self.position):
            self.position += 2

    def subscript(self, opening: int) -> Word | str:
        """`[...]` at the position: a word, or `@` or `*`."""
        start = self.position + 1
        self.position = start
        parts = self.parts_until(SUBSCRIPT, opening, "${")
        end = self.position
        self.position += 1
        text = self.text[start:end]
        return text if text in ("@", "*") else Word(start, end, parts)

    def operands(self, start: int, operator: str, quoted: bool) -> tuple[Word | None, Word | None]:
        """What follows the operator: one word, or two for replacement and substring."""
        if operator in _VALUE_OPERATORS:
            return self.until(QUOTED_OPERAND if quoted else OPERAND, start), None
        if operator == ":":
            offset = QUOTED_OFFSET if quoted else OFFSET
            return self.until(offset, start), self.second_operand(":", start, offset)
        if operator[0] == "/":
            return self.replaced(operator, start), self.second_operand("/", start, REPLACEMENT)
        return self.until(OPERAND, start), None

    def replaced(self, operator: str, start: int) -> Word:
        """The pattern after `/` or `//`; behind the latter, a slash is the first character of it."""
        begin = self.position
        if operator != "//" or not self.text.startswith("/", begin):
            return self.until(REPLACED, start)
        self.position += 1
        rest = self.until(REPLACED, start)
        return Word(begin, rest.end, (Literal(begin, begin + 1, "/"), *rest.parts))

    def until(self, style: Style, start: int) -> Word:
        """The word up to a closer of the style, inside the `${` at `start`."""
        begin = self.position
        parts = self.parts_until(style, start, "${")
        if style is QUOTED_OPERAND and _NAME_BEFORE_QUOTE.search(self.text, begin, self.position):
            parts = self.without_inner_quotes(parts)
        return Word(begin, self.position, parts)

    def without_inner_quotes(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        """An operand in double quotes as bash reads it: it removes the double quotes inside before it expands.

        So a name goes on behind a quote: `"${x:+$a"b"}"` holds `$ab`.
        """
        characters: list[str] = []
        offsets: list[int] = []
        waiting = list(reversed(parts))
        while waiting:
            part = waiting.pop()
            if isinstance(part, DoubleQuoted):
                waiting.extend(reversed(part.parts))
                continue
            source = self.text[part.start : part.end]
            if isinstance(part, Quoted) and source != part.text and not (source[:1] == "\\" and source[1:] in _SPECIAL):
                source = _SPECIAL_CHARACTERS.sub(r"\\\g<0>", part.text)
            characters.append(source)
            offsets.extend(range(part.start, part.start + len(source)))
        offsets.append(self.position)
        return self.derived_parts("".join(characters), offsets, UNQUOTED_OPERAND)

    def second_operand(self, separator: str, start: int, style: Style) -> Word | None:
        """The word after the second `/` or `:`, if there is one."""
        if not self.text.startswith(separator, self.position):
            return None
        self.position += 1
        return self.until(style, start)

    def bad_substitution(self, start: int) -> Part:
        """`${` followed by what cannot follow: up to a brace that closes it in the same place, else a likely typo."""
        end = self.closing_bracket("{", "}", depth=1)
        if end is not None:
            message = f'bad substitution: "{self.text[start:end]}"'
        else:
            match = _TYPO.match(self.text, self.position)
            assert match is not None
            end = match.end()
            message = f'unbalanced "{self.text[start:end]}": "}}" is missing'
        self.position = end
        self.report(start, end, message)
        return Unreadable(start, end, message)

    def closing_bracket(self, opener: str, closer: str, depth: int = 0) -> int | None:
        """The end of the pairs of brackets from the position on, if it is on the same line and not too far."""
        for match in _BRACKET.finditer(self.text, self.position, self.position + _FAR):
            if match.group() == "\n":
                return None
            depth += (match.group() == opener) - (match.group() == closer)
            if depth == 0:
                return match.end()
        return None

    def interrupted_dollar(self, start: int, quoted: bool) -> Part:
        """`$`, line continuations, and what the `$` introduces."""
        self.position += 1
        self.skip_continuations()
        text = self.text
        following = text[self.position : self.position + 1]
        match = _NAME_AFTER_DOLLAR.match(text, self.position)
        if match:
            self.position = match.end()
            return Parameter(start, match.end(), match.group().replace(CONTINUATION, ""))
        if following not in ("{", "("):
            self.position = start + 1
            return Literal(start, start + 1, "$")
        opener = self.position - 1
        return self.braced(opener, quoted) if following == "{" else self.parenthesis(opener)

    # ---------------------------------------------------------------------------------------------- substitutions

    def parenthesis(self, start: int) -> Part:
        """`$((...))` or `$(...)`. As bash has it, `$((` is arithmetic if its parentheses end in `))`."""
        if start in self.closings:
            return self.unreadable(start)
        self.enter()
        part: Part | None = None
        if self.text.startswith("((", start + 1):
            part = self.arithmetic(start)
        if part is None:
            self.position = start + 2
            nested = self.balances and self.text.startswith("((", start + 1)
            part = unbalanced.substitution(self, start) if nested else self.command_substitution(start)
        self.depth -= 1
        return part

    def command_substitution(self, start: int) -> CommandSubstitution:
        body = self.substitution_body(start, "$(")
        return CommandSubstitution(start, self.position, body)

    def arithmetic(self, start: int) -> Arithmetic | None:
        """`$((...))`; None, and the position where it was, if the parentheses do not end in `))`."""
        expression = self.double_parentheses(start + 1)
        return Arithmetic(start, self.position, expression) if expression else None

    def double_parentheses(self, start: int) -> Word | None:
        """The expression between `((` at `start` and its `))`, behind which the position moves."""
        if start in self.not_arithmetic:
            return None
        mark = self.mark()
        begin = self.position = start + 2
        try:
            parts = self.parts_until(ARITHMETIC, start, "((")
            if self.text.startswith("))", self.position):
                expression = Word(begin, self.position, parts)
                self.position += 2
                return expression
        except Unclosed:
            pass
        self.not_arithmetic.add(start)
        self.back_to(mark)
        return None

    def old_arithmetic(self, start: int) -> Part:
        """`$[...]`."""
        if start in self.closings:
            return self.unreadable(start)
        self.enter()
        begin = self.position = start + 2
        parts = self.parts_until(OLD_ARITHMETIC, start, "$[")
        end = self.position
        self.position += 1
        self.depth -= 1
        return Arithmetic(start, self.position, Word(begin, end, parts))

    def process_substitution(self) -> Part:
        """`<(...)` or `>(...)`."""
        start = self.position
        if start in self.closings:
            return self.unreadable(start)
        direction: Choice["<", ">"] = "<" if self.text[start] == "<" else ">"
        self.enter()
        self.position += 2
        body = self.substitution_body(start, direction + "(")
        self.depth -= 1
        return ProcessSubstitution(start, self.position, direction, body)

    def backquoted(self, quoted: bool) -> Part:
        """`` `...` ``: the text between loses some backslashes, and is then parsed as a text of its own."""
        start = self.position
        if start in self.closings:
            return self.unreadable(start)
        text = self.text
        characters: list[str] = []
        offsets: list[int] = []
        unescaped = '\\`$"' if quoted and not self.in_here_document else "\\`$"
        position = start + 1
        while True:
            match = _BACKQUOTE_RUN.match(text, position)
            assert match is not None
            characters.append(match.group())
            offsets.extend(range(position, match.end()))
            position = match.end()
            if position >= len(text) or (text[position] == "\\" and position + 1 == len(text)):
                raise Unclosed(start, "`", "`")
            if text[position] == "`":
                break
            if text.startswith(CONTINUATION, position):
                position += 2
                continue
            offsets.append(position)
            if text[position + 1] in unescaped:
                position += 1
            characters.append(text[position])
            position += 1
        offsets.append(position)
        self.position = position + 1
        if position == start + 1:
            return CommandSubstitution(start, self.position, ())
        self.enter()
        body = self.derived_body("".join(characters), offsets)
        self.depth -= 1
        return CommandSubstitution(start, self.position, body)

    def derived_body(self, text: str, offsets: list[int]) -> tuple[Statement, ...]:
        """Parses a text made from the source, whose character `i` stands at `offsets[i]`."""
        inner = self.derived(text)
        body = inner.all_statements()
        self.adopt(inner, offsets)
        return relocate(body, offsets)

    def derived(self: Self, text: str) -> Self:
        """A parser of the same kind on another text, at the same depth."""
        return type(self)(text, depth=self.depth, size=self.size, extglob=self.extglob)

    def adopt(self, inner: ExpansionParser, offsets: list[int]) -> None:
        """Takes over what a parser of a derived text noted."""
        self.size = inner.size
        self.errors.extend(relocate(tuple(inner.errors), offsets))
        self.comments.extend(relocate(tuple(inner.comments), offsets))

    def derived_parts(self, text: str, offsets: list[int], style: Style) -> tuple[Part, ...]:
        raise NotImplementedError

    def all_statements(self) -> tuple[Statement, ...]:
        raise NotImplementedError
