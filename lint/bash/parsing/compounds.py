"""Compound commands: groups, subshells, loops, `if`, `case`, `((...))`, `function`, `coproc`."""

from __future__ import annotations

from lint.bash.parsing.commands import CommandParser
from lint.bash.parsing.cursor import END_OF_WORD, Suspect, Unclosed
from lint.bash.parsing.words import ARITHMETIC_PART
from lint.bash.syntax import (
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    CaseItem,
    Command,
    Coprocess,
    For,
    Function,
    Group,
    If,
    SimpleCommand,
    Statement,
    Subshell,
    While,
    Word,
)
from lint.regular import regular

_KEYWORD = regular(rf"[a-z]+{END_OF_WORD}|[{{}})]|;;&|;;|;&")
_COMPOUND_AFTER_NAME = regular(
    rf"([^ \t\n;&|()<>\"'$`\\]+)[ \t]+(?=\(|(?:if|for|case|while|until|select|\{{|\[\[){END_OF_WORD})"
)
_PARENTHESES = regular(r"[ \t]*\([ \t]*\)")

_CASE_CLOSERS = frozenset([";;", ";&", ";;&", "esac"])


class CompoundParser(CommandParser):
    """Reads compound commands; `[[ ]]` is left to `ConditionalParser`."""

    def compound(self, token: str) -> Command:
        """The compound command that begins with `token` at the position."""
        start = self.position
        self.enter()
        self.position += len(token)
        command = self.compound_from(token, start)
        self.depth -= 1
        return command

    def compound_from(self, token: str, start: int) -> Command:
        if token == "if":
            return self.if_command(start)
        if token == "for" or token == "select":
            return self.for_command(start, token)
        if token == "while" or token == "until":
            return self.while_command(start, token)
        if token == "case":
            return self.case_command(start)
        if token == "{":
            body = self.block(start, "{", "}")
            return Group(start, self.position, body, self.redirections())
        if token == "[[":
            return self.conditional(start)
        if token == "function":
            return self.function_command(start)
        if token == "coproc":
            return self.coprocess(start)
        if token == "((":
            expression = self.double_parentheses(start)
            if expression is not None:
                return ArithmeticCommand(start, self.position, expression, self.redirections())
            self.position = start + 1
        body = self.block(start, "(", ")")
        return Subshell(start, self.position, body, self.redirections())

    def conditional(self, start: int) -> Command:
        raise NotImplementedError

    # --------------------------------------------------------------------------------------------------- blocks

    def block(self, opening: int, opener: str, closer: str) -> tuple[Statement, ...]:
        """At least one statement, and the closer."""
        body = self.body(frozenset([closer]), opening, opener, closer)
        self.close(opening, opener, closer)
        return body

    def body(
        self, closers: frozenset[str], opening: int, opener: str, closer: str, after: str = ""
    ) -> tuple[Statement, ...]:
        """At least one statement, up to one of the closers; `after` is the keyword before it, if not the opener."""
        body = self.statements(closers, opening, opener, closer)
        if not body and opening not in self.closings:
            self.missing(f'a command after "{after or opener}"')
        return body

    def close(self, opening: int, opener: str, closer: str) -> None:
        """The closer of the construct, or the error that it is missing."""
        decided = self.closings.get(opening)
        if self.at(closer) and not (decided and self.position >= decided.end):
            self.suspect_block(opening, opener, closer)
            self.position += len(closer)
        elif decided:
            self.take_decision(opening)
        else:
            line = self.text.count("\n", 0, opening) + 1
            message = f'unexpected {self.unexpected()} looking for "{closer}" of the "{opener}" in line {line}'
            self.report(self.position, self.position, message)

    def suspect_block(self, opening: int, opener: str, closer: str) -> None:
        """Remembers a block whose closer is indented less than the line that opened it: it may belong further out."""
        line = self.text.rfind("\n", 0, self.position) + 1
        first = line > opening and not self.text[line : self.position].strip(" \t")
        if first and self.position - line < self.indentation(opening):
            self.suspects.append(Suspect("block", opening, opener, closer, self.position))

    def at(self, token: str) -> bool:
        match = _KEYWORD.match(self.text, self.position)
        return match is not None and match.group() == token

    def take_keyword(self, token: str) -> bool:
        if not self.at(token):
            return False
        self.position += len(token)
        return True

    # ------------------------------------------------------------------------------------------------- commands

    def if_command(self, start: int) -> If:
        branches: list[tuple[tuple[Statement, ...], tuple[Statement, ...]]] = []
        otherwise: tuple[Statement, ...] | None = None
        keyword = "if"
        while True:
            condition = self.body(frozenset(["then", "elif", "else", "fi"]), start, "if", "then", keyword)
            if self.take_keyword("then"):
                body = self.body(frozenset(["elif", "else", "fi"]), start, "if", "fi", "then")
            else:
                if start not in self.closings:
                    self.missing('"then"')
                condition, body = condition[:1], condition[1:]
            branches.append((condition, body))
            if self.take_keyword("elif"):
                keyword = "elif"
                continue
            if self.take_keyword("else"):
                otherwise = self.body(frozenset(["fi"]), start, "if", "fi", "else")
            break
        self.close(start, "if", "fi")
        return If(start, self.position, tuple(branches), otherwise, self.redirections())

    def while_command(self, start: int, keyword: str) -> While:
        condition = self.body(frozenset(["do", "done"]), start, keyword, "do")
        if self.take_keyword("do"):
            body = self.body(frozenset(["done"]), start, keyword, "done", "do")
        else:
            if start not in self.closings:
                self.missing('"do"')
            condition, body = condition[:1], condition[1:]
        self.close(start, keyword, "done")
        return While(start, self.position, condition, body, keyword == "until", self.redirections())

    def loop_body(self, start: int, keyword: str) -> tuple[Statement, ...]:
        """`do ... done` or `{ ... }`."""
        if self.take_keyword("{"):
            return self.block(start, "{", "}")
        if not self.take_keyword("do"):
            self.missing('"do"')
        return self.block(start, keyword, "done")

    def for_command(self, start: int, keyword: str) -> For | ArithmeticFor:
        self.skip_blanks()
        if keyword == "for" and self.text.startswith("((", self.position):
            return self.arithmetic_for(start)
        name = self.word()
        if name is None:
            self.missing(f'a name after "{keyword}"')
            name = Word(self.position, self.position, ())
        self.skip_blanks()
        if self.text.startswith(";", self.position):
            self.position += 1
        elif self.at("{"):
            self.missing('";"')
        self.skip_lines()
        words: tuple[Word, ...] | None = None
        if self.take_keyword("in"):
            words = self.words()
            self.skip_lines()
        body = self.loop_body(start, keyword)
        text = self.text[name.start : name.end]
        return For(start, self.position, text, words, body, keyword == "select", self.redirections())

    def words(self) -> tuple[Word, ...]:
        """The words up to the `;` or line end, which is taken."""
        words: list[Word] = []
        while True:
            self.skip_blanks()
            character = self.text[self.position : self.position + 1]
            if character == "#":
                self.skip_comment()
            elif character == "" or character == "\n":
                return tuple(words)
            elif character == ";":
                self.position += 1
                return tuple(words)
            elif word := self.word():
                words.append(word)
            else:
                self.skip_unexpected()

    def arithmetic_for(self, start: int) -> ArithmeticFor:
        opening = self.position
        self.position += 2
        parts: list[Word | None] = []
        while True:
            begin = self.position
            pieces = self.parts_until(ARITHMETIC_PART, opening, "((")
            blank = not self.text[begin : self.position].strip()
            parts.append(None if blank else Word(begin, self.position, pieces))
            if not self.text.startswith(";", self.position):
                break
            self.position += 1
        if self.text.startswith("))", self.position):
            self.position += 2
        else:
            self.report(opening, self.position + 1, 'unexpected ")" looking for "))"')
            self.position += 1
        if len(parts) != 3:
            self.report(opening, self.position, f"for ((...)) takes three parts, not {len(parts)}")
        initial, condition, step = (*parts, None, None, None)[:3]
        self.skip_blanks()
        if self.text.startswith(";", self.position):
            self.position += 1
        self.skip_lines()
        body = self.loop_body(start, "for")
        return ArithmeticFor(start, self.position, initial, condition, step, body, self.redirections())

    def case_command(self, start: int) -> Case:
        self.skip_blanks()
        subject = self.word()
        if subject is None:
            self.missing('a word after "case"')
            subject = Word(self.position, self.position, ())
        self.skip_lines()
        if not self.take_keyword("in"):
            self.missing('"in"')
        items: list[CaseItem] = []
        while True:
            self.skip_lines()
            decided = self.closings.get(start)
            if self.at("esac") or (decided is not None and self.position >= decided.end):
                break
            if self.position >= len(self.text):
                raise Unclosed(start, "case", "esac", tuple(item.start for item in items))
            items.append(self.case_item(start))
        self.close(start, "case", "esac")
        return Case(start, self.position, subject, tuple(items), self.redirections())

    def case_item(self, opening: int) -> CaseItem:
        start = self.position
        patterns = self.case_patterns(opening)
        body = self.statements(_CASE_CLOSERS, opening, "case", "esac")
        end = self.position
        for terminator in (";;&", ";;", ";&"):
            if self.text.startswith(terminator, end):
                self.position += len(terminator)
                return CaseItem(start, end, patterns, body, terminator)
        return CaseItem(start, end, patterns, body, ";;")

    def case_patterns(self, opening: int) -> tuple[Word, ...]:
        """`pattern | pattern )`, with or without `(` before it."""
        text = self.text
        start = self.position
        if text.startswith("(", start):
            self.position += 1
        patterns: list[Word] = []
        while True:
            self.skip_blanks()
            word = self.word()
            if word is not None:
                patterns.append(word)
            self.skip_blanks()
            character = text[self.position : self.position + 1]
            if word is not None and character == "|":
                self.position += 1
            elif word is not None and character == ")":
                self.position += 1
                return tuple(patterns)
            elif self.outdented(opening, (start,)) is not None:
                raise Unclosed(opening, "case", "esac", (start,))
            else:
                self.missing('")" of a pattern')
                line_end = text.find("\n", self.position)
                line_end = len(text) if line_end < 0 else line_end
                parenthesis = text.find(")", self.position, line_end)
                self.position = line_end if parenthesis < 0 else parenthesis + 1
                return tuple(patterns)

    def function_command(self, start: int) -> Function:
        self.skip_blanks()
        name = self.word()
        if name is None:
            self.missing("the name of a function")
            name = Word(self.position, self.position, ())
        match = _PARENTHESES.match(self.text, self.position)
        if match:
            self.position = match.end()
        return self.function(start, name)

    def coprocess(self, start: int) -> Coprocess:
        self.skip_blanks()
        name: str | None = None
        match = _COMPOUND_AFTER_NAME.match(self.text, self.position)
        if match and match.group(1) not in ("if", "for", "case", "while", "until", "select", "{", "[[", "!"):
            name = match.group(1)
            self.position = match.end()
        position = self.position
        command = self.command() or SimpleCommand(position, position, (), (), (), position)
        return Coprocess(start, command.end, name, command)

    def substitution_body(self, opening: int, opener: str) -> tuple[Statement, ...]:
        """The statements of a substitution, and its `)`."""
        in_here_document = self.in_here_document
        self.in_here_document = False
        self.substitutions.append(opening)
        body = self.statements(frozenset([")"]), opening, opener, ")")
        if not self.text.startswith(")", self.position):
            raise Unclosed(opening, opener, ")", tuple(statement.start for statement in body))
        self.position += 1
        self.substitutions.pop()
        self.in_here_document = in_here_document
        return body
