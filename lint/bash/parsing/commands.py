"""Commands: lists, pipelines, simple commands with their assignments and redirections, function definitions."""

from __future__ import annotations

import re
from typing import Literal as Choice

from lint.bash.parsing.cursor import PendingDocument, Unclosed
from lint.bash.parsing.expansions import ExpansionParser
from lint.bash.parsing.words import ARGUMENT_SUBSCRIPT, SUBSCRIPT, Style
from lint.bash.syntax import (
    ArrayElement,
    ArrayLiteral,
    Assignment,
    Command,
    DoubleQuoted,
    Function,
    HereDocument,
    Literal,
    Part,
    Pipeline,
    Quoted,
    Redirection,
    SimpleCommand,
    Statement,
    Unreadable,
    Word,
)

_END_OF_WORD = r"(?=[ \t\n;&|()<>]|\Z)"
_CLOSING = re.compile(rf"\)|;;&|;;|;&|(?:then|elif|else|fi|done|do|esac|in|\}}){_END_OF_WORD}")
_OPENING = re.compile(
    rf"\(\(|\(|(?:if|for|case|while|until|select|function|coproc|\{{|\[\[){_END_OF_WORD}|(?:for|\[\[|while|if)(?=\\\n)"
)
_PREFIX = re.compile(rf"(?:!|time){_END_OF_WORD}")
_TIME_OPTION = re.compile(r"-p(?=[ \t\n;&|()<>]|\Z)|--(?=[ \t\n;&|()<>]|\Z)")
_ASSIGNMENT = re.compile(r"([A-Za-z_](?:\w|\\\n)*)(\+?=|\[)", re.ASCII)
_ASSIGNMENT_OPERATOR = re.compile(r"\+?=")
_REDIRECTION = re.compile(
    r"([0-9]+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\()|&>>|&>)",
    re.ASCII,
)
_FUNCTION_PARENTHESES = re.compile(r"\([ \t]*\)")
_TOKEN = re.compile(r"&&|\|\||;;&|;;|;&|\|&|[;&|()<>]|[^ \t\n;&|()<>]+|\n")
_ARRAY_WORD = re.compile(r"[A-Za-z_]\w*\+?=\(", re.ASCII)
_END_OF_VALUE = re.compile(r"[ \t\n;&|()<>]|\Z")

_DECLARATIONS = frozenset(["declare", "export", "local", "readonly", "typeset"])
_ARRAYS_AS_TEXT = frozenset(["eval", "let"])


class CommandParser(ExpansionParser):
    """Reads commands; the compound ones are left to `CompoundParser`."""

    # ---------------------------------------------------------------------------------------------------- lists

    def statements(self, closers: frozenset[str], opening: int, opener: str, closer: str) -> tuple[Statement, ...]:
        """The statements up to one of `closers`, which is left unread.

        Ends as well before a token that an enclosing list waits for: the caller then misses its own. Raises Unclosed
        if the text ends first.
        """
        text = self.text
        body: list[Statement] = []
        decided = self.closings.get(opening)
        self.expected.append(closers)
        while True:
            self.skip_lines()
            position = self.position
            if decided is not None and position >= decided.end:
                break
            if position >= len(text):
                raise Unclosed(
                    opening,
                    opener,
                    closer,
                    tuple(statement.start for statement in body),
                )
            match = _CLOSING.match(text, position)
            if match:
                token = match.group()
                if token in closers or any(token in outer for outer in self.expected):
                    break
                self.skip_unexpected()
            elif text[position] in ";&|":
                self.skip_unexpected()
            else:
                body.append(self.statement())
        self.expected.pop()
        return tuple(body)

    def at_stray(self) -> bool:
        """Whether the token at the position can neither begin a statement nor end the text."""
        return _CLOSING.match(self.text, self.position) is not None or self.text[self.position] in ";&|"

    def unexpected(self) -> str:
        """Bash's name for the token at the position."""
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            return "end of file"
        return "line end" if match.group() == "\n" else f'"{match.group()}"'

    def missing(self, what: str) -> None:
        """Reports that the token at the position is not what has to stand there."""
        self.report(
            self.position,
            self.position,
            f"unexpected {self.unexpected()} looking for {what}",
        )

    def skip_unexpected(self) -> None:
        """Reports the token at the position, and moves behind it (a line end stays)."""
        match = _TOKEN.match(self.text, self.position)
        end = match.end() if match and match.group() != "\n" else self.position
        self.report(self.position, end, f"unexpected {self.unexpected()}")
        self.position = end

    def statement(self) -> Statement:
        """An and-or list, with its `;` or `&`."""
        self.grow(1)
        text = self.text
        start = self.position
        pipelines = [self.pipeline()]
        operators: list[Choice["&&", "||"]] = []
        end = pipelines[0].end
        while text.startswith(("&&", "||"), self.position):
            operators.append("&&" if text[self.position] == "&" else "||")
            self.position += 2
            self.skip_lines()
            pipeline = self.pipeline()
            pipelines.append(pipeline)
            end = pipeline.end
        position = self.position
        character = text[position : position + 1]
        background = False
        if character == "&":
            self.position += 1
            background = True
        elif character == ";" and not text.startswith((";;", ";&"), position):
            self.position += 1
        elif (
            character
            and character not in "\n;)#"
            and position != self.decided_end
            and not _CLOSING.match(text, position)
        ):
            self.skip_unexpected()
        return Statement(start, end, tuple(pipelines), tuple(operators), background)

    def pipeline(self) -> Pipeline:
        text = self.text
        start = end = self.position
        negated = timed = False
        while match := _PREFIX.match(text, self.position):
            self.position = end = match.end()
            self.skip_blanks()
            if match.group() == "!":
                negated = not negated
                continue
            timed = True
            while option := _TIME_OPTION.match(text, self.position):
                self.position = end = option.end()
                self.skip_blanks()
        if end > start and text[self.position : self.position + 1] in (
            "",
            "\n",
            ";",
            "&",
            ")",
        ):
            return Pipeline(start, end, negated, timed, (), ())
        commands: list[Command] = []
        merged: list[bool] = []
        while True:
            command = self.command()
            if command is not None:
                commands.append(command)
                end = command.end
            self.skip_blanks()
            position = self.position
            if not text.startswith("|", position) or text.startswith("||", position):
                break
            both = text.startswith("|&", position)
            if command is not None:
                merged.append(both)
            self.position += 2 if both else 1
            self.skip_lines()
            if match := _PREFIX.match(text, self.position):
                self.position = match.end()
                if match.group() == "!":
                    self.report(match.start(), match.end(), 'unexpected "!"')
                self.skip_blanks()
        merged.append(False)
        return Pipeline(start, end, negated, timed, tuple(commands), tuple(merged[: len(commands)]))

    # ------------------------------------------------------------------------------------------------- commands

    def command(self) -> Command | None:
        """A command; None, and an error, where none begins."""
        match = _OPENING.match(self.text, self.position)
        if match:
            return self.compound(match.group())
        if _CLOSING.match(self.text, self.position):
            self.report(self.position, self.position, f"unexpected {self.unexpected()}")
            return None
        return self.simple_command()

    def compound(self, token: str) -> Command:
        raise NotImplementedError

    def simple_command(self) -> Command | None:
        text = self.text
        start = end = self.position
        assignments: list[Assignment] = []
        words: list[Word | Assignment] = []
        redirections: list[Redirection] = []
        takes_assignments = True  # before the first word, and after a declaration builtin
        while True:
            position = self.position
            character = text[position : position + 1]
            if character == "" or character == "\n":
                break
            if character == "#":
                self.skip_comment()
                break
            if takes_assignments and (assignment := self.assignment(first=not words)):
                (words if words else assignments).append(assignment)
            elif character in "<>&0123456789{" and (redirection := self.redirection()):
                redirections.append(redirection)
            elif word := self.word():
                if not words:
                    takes_assignments = self.is_declaration(word)
                words.append(word)
            elif character == "(":
                if len(words) == 1 and not assignments and not redirections:
                    match = _FUNCTION_PARENTHESES.match(text, position)
                    if match:
                        self.position = match.end()
                        return self.function(start, words[0])
                if not self.array_as_text(words):
                    self.unexpected_parenthesis(words)
            elif character == ")" and not any(")" in closers for closers in self.expected):
                self.skip_unexpected()
            else:
                break
            end = self.position
            self.skip_blanks()
        if end == start:
            self.report(start, start, f"unexpected {self.unexpected()}")
            return None
        if text.startswith("shopt", start):
            self.note_extglob(words)
        return SimpleCommand(start, end, tuple(assignments), tuple(words), tuple(redirections))

    def is_declaration(self, word: Word) -> bool:
        first = word.parts[0] if word.parts else None
        return len(word.parts) == 1 and isinstance(first, Literal) and first.text in _DECLARATIONS

    def note_extglob(self, words: list[Word | Assignment]) -> None:
        """`shopt -s extglob` changes how the rest of the text is read."""
        texts = [self.text[word.start : word.end] for word in words]
        if texts[:1] == ["shopt"] and "extglob" in texts:
            self.extglob = "-u" not in texts if "-s" in texts or "-u" in texts else self.extglob

    def unexpected_parenthesis(self, words: list[Word | Assignment]) -> None:
        """`(` where bash takes none: the balanced rest of it on the line is left unread."""
        start = self.position
        end = self.closing_bracket("(", ")") or start + 1
        self.report(start, end, 'unexpected "("')
        unreadable = Unreadable(start, end, 'unexpected "("')
        last = words[-1] if words else None
        if isinstance(last, Word) and last.end == start:
            words[-1] = Word(last.start, end, (*last.parts, unreadable))
        else:
            words.append(Word(start, end, (unreadable,)))
        self.position = end

    def function(self, start: int, name: Word | Assignment) -> Function:
        """The rest of a function definition, after its name and parentheses."""
        self.skip_lines()
        self.enter()
        body = self.function_body()
        self.depth -= 1
        return Function(start, body.end, self.text[name.start : name.end], body)

    def function_body(self) -> Command:
        match = _OPENING.match(self.text, self.position)
        if match and match.group() not in ("function", "coproc"):
            return self.compound(match.group())
        self.missing("the body of a function")
        position = self.position
        return self.command() or SimpleCommand(position, position, (), (), ())

    # ---------------------------------------------------------------------------------------------- assignments

    def assignment(self, first: bool) -> Assignment | None:
        """`name=value` at the position. `first`: before the command's first word, where a subscript may hold blanks."""
        match = _ASSIGNMENT.match(self.text, self.position)
        if match is None:
            return None
        start = self.position
        name, operator = match.groups()
        self.position = match.end()
        subscript = None
        if operator == "[":
            if match.end() - 1 in self.closings:
                self.take_decision(match.end() - 1)
                self.position = start
                return None
            mark = self.mark()
            subscript = self.assigned_subscript(SUBSCRIPT if first else ARGUMENT_SUBSCRIPT)
            found = _ASSIGNMENT_OPERATOR.match(self.text, self.position) if subscript else None
            if found is None:
                self.back_to(mark)
                self.position = start
                return None
            operator = found.group()
            self.position = found.end()
        begin = self.position
        value: Word | ArrayLiteral
        if self.text.startswith("(", begin):
            value = self.array_literal()
            if self.text[self.position - 1] == ")" and not _END_OF_VALUE.match(self.text, self.position):
                self.position = begin
                value = self.text_with_parentheses()
        else:
            parts = self.word_parts()
            value = Word(begin, self.position, parts)
        if "\\" in name:
            name = name.replace("\\\n", "")
        return Assignment(start, self.position, name, subscript, operator == "+=", value)

    def array_as_text(self, words: list[Word | Assignment]) -> bool:
        """Extends the last word by the parentheses that follow, if it is an array assignment given to `eval`."""
        last = words[-1] if words else None
        if not isinstance(last, Word) or last.end != self.position or not _ARRAY_WORD.match(self.text, last.start):
            return False
        if self.text[words[0].start : words[0].end] not in _ARRAYS_AS_TEXT:
            return False
        rest = self.text_with_parentheses()
        words[-1] = Word(last.start, rest.end, last.parts + rest.parts)
        return True

    def text_with_parentheses(self) -> Word:
        """A word in which `( ... )` is text: `a=(1)b`, or `eval a=(1)`."""
        start = self.position
        parts = list(self.word_parts())
        while self.text.startswith("(", self.position):
            self.parenthesized(parts)
            parts.extend(self.word_parts())
        return Word(start, self.position, tuple(parts))

    def assigned_subscript(self, style: Style) -> Word | None:
        """The subscript after `[`, and its `]`; None if there is no `]`."""
        begin = self.position
        parts = self.parts_until(style, begin - 1, "[")
        if not self.text.startswith("]", self.position):
            return None
        end = self.position
        self.position += 1
        return Word(begin, end, parts)

    def array_literal(self) -> ArrayLiteral:
        """`( ... )` on the right of an assignment."""
        text = self.text
        start = self.position
        decided = self.closings.get(start)
        self.position += 1
        elements: list[ArrayElement] = []
        while True:
            self.skip_lines()
            position = self.position
            if decided is not None and position >= decided.end:
                self.take_decision(start)
                return ArrayLiteral(start, position, tuple(elements))
            if text.startswith(")", position):
                self.position += 1
                return ArrayLiteral(start, self.position, tuple(elements))
            element = self.array_element() if position < len(text) else None
            if element:
                elements.append(element)
                continue
            inner = tuple(item.start for item in elements)
            if position >= len(text) or self.outdented(start, inner) is not None:
                raise Unclosed(start, "(", ")", inner)
            self.skip_unexpected()

    def array_element(self) -> ArrayElement | None:
        start = self.position
        if self.text.startswith("[", start):
            mark = self.mark()
            self.position += 1
            subscript = self.assigned_subscript(SUBSCRIPT)
            operator = _ASSIGNMENT_OPERATOR.match(self.text, self.position) if subscript else None
            if operator:
                begin = self.position = operator.end()
                value = Word(begin, begin, self.word_parts())
                value = Word(begin, self.position, value.parts)
                return ArrayElement(start, self.position, subscript, operator.group() == "+=", value)
            self.back_to(mark)
        word = self.word()
        return ArrayElement(start, self.position, None, False, word) if word else None

    def outdented(self, opening: int, inner: tuple[int, ...]) -> int | None:
        """The first of the `inner` offsets that starts a line indented no more than the line of `opening`."""
        limit = self.indentation(opening)
        for offset in inner:
            line = self.text.rfind("\n", 0, offset) + 1
            if line > opening and not self.text[line:offset].strip(" \t") and self.indentation(offset) <= limit:
                return offset
        return None

    def indentation(self, offset: int) -> int:
        """The width of the blanks at the start of the line of an offset."""
        line = self.text.rfind("\n", 0, offset) + 1
        position = line
        while self.text[position : position + 1] in (" ", "\t"):
            position += 1
        return position - line

    # --------------------------------------------------------------------------------------------- redirections

    def redirections(self) -> tuple[Redirection, ...]:
        """The redirections after a compound command."""
        found: list[Redirection] = []
        self.skip_blanks()
        while redirection := self.redirection():
            found.append(redirection)
            self.skip_blanks()
        return tuple(found)

    def redirection(self) -> Redirection | None:
        match = _REDIRECTION.match(self.text, self.position)
        if match is None:
            return None
        start = self.position
        text, operator = match.groups()
        descriptor: int | str | None = None
        if text:
            descriptor = text[1:-1] if text[0] == "{" else int(text[:18])
        self.position = match.end()
        self.skip_blanks()
        word = self.word()
        if word is None:
            self.report(
                self.position,
                self.position,
                f'unexpected {self.unexpected()} after "{match.group()}"',
            )
            word = Word(
                self.position,
                self.position,
                (Unreadable(start, self.position, "no target"),),
            )
        elif operator in ("<<", "<<-"):
            return Redirection(
                start,
                word.end,
                descriptor,
                operator,
                self.pend(word, operator == "<<-"),
            )
        return Redirection(start, word.end, descriptor, operator, word)

    def pend(self, word: Word, strip_tabs: bool) -> HereDocument:
        """Notes a here-document: its body comes after the line end."""
        document = HereDocument(word.end, word.end, (), False)
        source = self.text[word.start : word.end]
        quoted = any(character in source for character in "\\'\"")
        delimiter = "".join(self.without_quotes(part) for part in word.parts)
        self.pending.append(PendingDocument(document, delimiter, quoted, strip_tabs, bool(self.substitutions)))
        return document

    def without_quotes(self, part: Part) -> str:
        if isinstance(part, Literal | Quoted):
            return part.text
        if isinstance(part, DoubleQuoted):
            return "".join(self.without_quotes(inner) for inner in part.parts)
        return self.text[part.start : part.end]
