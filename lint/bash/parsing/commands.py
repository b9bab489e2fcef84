"""Commands: lists, pipelines, simple commands, function definitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal as Choice

from lint.bash.parsing.assignments import AssignmentParser
from lint.bash.parsing.cursor import END_OF_WORD, Unclosed, behind
from lint.bash.syntax import (
    Assignment,
    Command,
    Function,
    Literal,
    Pipeline,
    Redirection,
    SimpleCommand,
    Statement,
    Unreadable,
    Word,
)
from lint.regular import regular

_CLOSES = rf"\)|;;&|;;|;&|(?:then|elif|else|fi|done|do|esac|in|\}}){END_OF_WORD}"
_CLOSING = regular(_CLOSES)
_STRAY = regular(r"[;|]|&(?!>)")  # what ends or joins commands, and begins none
_NO_COMMAND = regular(r"[\n#]|;(?![;&])|\Z")  # behind `!` or `time`
_OPENS = (
    rf"\(\(|\(|(?:if|for|case|while|until|select|function|coproc|\{{|\[\[){END_OF_WORD}|(?:for|\[\[|while|if)(?=\\\n)"
)
_OPENING = regular(_OPENS)
_RESERVED = regular(f"{_OPENS}|{_CLOSES}")
_PREFIX = regular(rf"(?:!|time){END_OF_WORD}")
_TIME_OPTION = regular(r"-p(?=[ \t\n;&|()<>]|\Z)|--(?=[ \t\n;&|()<>]|\Z)")
_OPERATOR = regular(r"[<>;|&]+|\)")
_CONTINUATIONS = regular(r"(?:\\\n)*")
_FUNCTION_PARENTHESES = regular(r"\([ \t]*\)")

_DECLARATIONS = frozenset(["declare", "export", "local", "readonly", "typeset"])


class CommandParser(AssignmentParser):
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
            elif text[position] in ";&|" and _STRAY.match(text, position):
                self.skip_unexpected()
            else:
                body.append(self.statement())
        self.expected.pop()
        return tuple(body)

    def at_stray(self) -> bool:
        """Whether the token at the position can neither begin a statement nor end the text."""
        stray = self.text[self.position] in ";&|" and _STRAY.match(self.text, self.position)
        return bool(stray) or _CLOSING.match(self.text, self.position) is not None

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
        if end > start and _NO_COMMAND.match(text, self.position):
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
        match = _RESERVED.match(self.text, self.position)
        if match is None:
            return self.simple_command()
        if _OPENING.match(self.text, self.position):
            return self.compound(match.group())
        self.report(self.position, self.position, f"unexpected {self.unexpected()}")
        return None

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
            elif word := (None if words else self.subscripted_word()) or self.word():
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
        line_at = start
        if text.find("\n", start, self.position) >= 0:
            line_at = self.place_of_line(sorted((*assignments, *words, *redirections), key=lambda part: part.start))
        return SimpleCommand(start, end, tuple(assignments), tuple(words), tuple(redirections), line_at)

    def place_of_line(self, parts: Sequence[Word | Assignment | Redirection]) -> int:
        """Where bash takes the number of the line of a command over several lines.

        Behind the first part; if that is a word, behind the next token, as it might be the name of a function. And it
        has looked at the character behind that, over line continuations.
        """
        first = parts[0]
        if not isinstance(first, Word):
            end = first.end
        elif len(parts) > 1:
            end = behind(_OPERATOR, self.text, parts[1].start) if isinstance(parts[1], Redirection) else parts[1].end
        else:
            end = behind(_OPERATOR, self.text, self.position)
        return behind(_CONTINUATIONS, self.text, end)

    def is_declaration(self, word: Word) -> bool:
        first = word.parts[0] if word.parts else None
        return len(word.parts) == 1 and isinstance(first, Literal) and first.text in _DECLARATIONS

    def note_extglob(self, words: list[Word | Assignment]) -> None:
        """`shopt -s extglob` changes how the lines that follow are read, unless it is in a subshell."""
        if any(")" in closers for closers in self.expected):
            return
        texts = [self.text[word.start : word.end] for word in words]
        if texts[:1] == ["shopt"] and "extglob" in texts:
            self.extglob_later = "-u" not in texts if "-s" in texts or "-u" in texts else self.extglob_later

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
        return self.command() or SimpleCommand(position, position, (), (), (), position)
