"""Why Hydra cannot read a word, in words: what is wrong at which character, and what to write instead.

Hydra's own parser only says `no viable alternative at input '[1,]'`. This walks over a word by the rules of hydra-core
1.3.2 (`grammar/OverrideLexer.g4`, `OverrideParser.g4`) and stops at the first character that none of them takes.
"""

from __future__ import annotations

import re
from typing import NoReturn

from lint.frozen import frozen
from lint.regular import regular

IN_KEY = regular(r"[A-Za-z0-9_$./@-]")
NAME = regular(r"[A-Za-z_$][A-Za-z0-9_$-]*")
NUMBER = regular(r"0|[1-9](?:_?[0-9])*")
GROUP = regular(r"[A-Za-z_][A-Za-z0-9_-]*(?:/[A-Za-z_][A-Za-z0-9_-]*)+")
QUOTED = {quote: regular(rf"{quote}(?:[^{quote}\\]|\\.)*{quote}", re.DOTALL) for quote in "\"'"}
PLAIN = regular(r"(?:[A-Za-z0-9_/\-+.%*@?|: \t]|\\[\\()\[\]{}:=, \t]?|\$\{[^}]+\}|\$(?!\{))+")
PLAIN_IN_KEY = regular(r"(?:[A-Za-z0-9_/\-+.%*@?| \t]|\\[\\()\[\]{}:=, \t]?|\$(?!\{))+")
FUNCTION = regular(r"(?!(?i:true|false|null|inf|nan)[ \t]*\()[A-Za-z_][A-Za-z0-9_-]*[ \t]*\(")
ARGUMENT = regular(r"[A-Za-z_][A-Za-z0-9_-]*[ \t]*=(?!=)")
PLACEHOLDER = regular(r"<[A-Za-z][\w ./-]*>")
BLANKS = regular(r"[ \t]*")
CLOSING = {"[": "]", "{": "}", "(": ")"}
KINDS = {"[": "list", "{": "dict", "(": "function"}
DEEPEST = 200  # lists inside each other: Hydra's parser gives up sooner or later, too
SHOWN = 60  # characters of a value that is written out in a suggestion

IN_BASH = "with '...' for bash around the whole word"


@frozen
class Refusal:
    """What is wrong with a word from `start` to `end`, and what to write."""

    message: str
    start: int
    end: int
    help: str


class _Refused(Exception):
    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal


def explain(word: str) -> Refusal | None:
    """The first thing in a word that Hydra's grammar does not take; None if it takes all of it."""
    try:
        _Walk(word).override()
    except _Refused as refused:
        return refused.refusal
    return None


class _Walk:
    """One way through a word, from left to right."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.at = 0
        self.value_start = 0
        self.depth = 0

    def override(self) -> None:
        prefix = re.match(r"\+{0,2}|~", self.word)
        self.at = prefix.end() if prefix else 0
        if self.word.startswith("~"):
            self.at = 1
        equals = self.word.find("=")
        if equals < 0 and not self.word.startswith("~"):
            self.refuse("a word without `=` is not an override", "write key=value without blanks around =", 0)
        self._key(self.at, len(self.word) if equals < 0 else equals)
        if equals >= 0:
            self.at = self.value_start = self._past_blanks(equals + 1)
            self._value()

    # ---------------------------------------------------------------------------------------------------------- keys

    def _key(self, start: int, end: int) -> None:
        key = self.word[start:end]
        for offset, letter in enumerate(key, start):
            if not IN_KEY.match(letter):
                self._bad_letter_of_key(key, offset)
        group, sign, package = key.partition("@")
        if "@" in package:
            at = start + len(group) + 1 + package.index("@")
            self.refuse("a second `@` in the key", "write group@package=option", at, at + 1)
        if not GROUP.fullmatch(group):
            self._dotted(start, group, "/" in group)
        if sign:
            self._dotted(end - len(package), package, "/" in package)

    def _bad_letter_of_key(self, key: str, at: int) -> NoReturn:
        letter = self.word[at]
        before = key[: at - (len(self.word[:at]) - len(self.word[:at].lstrip("+~")))] if letter == "[" else ""
        if letter in "+~":
            self.refuse("what stands before a key is `+`, `++` or `~`", "leave one of them, or none", at)
        if letter == "[":
            help = f"write the whole list: {before}=[...]" if before else "write the whole list: key=[...]"
            self.refuse("a key names no single item of a list", help, at)
        if letter in " \t":
            self.refuse("there is a blank in the key", "take it away, or write `_` or `.` in its place", at)
        if letter in "\"'":
            help = "leave the quotes of the key out; those for Hydra stand around the value: 'key=\"value\"'"
            self.refuse("there is a quote in the key", help, at)
        if letter == ":":
            self.refuse("a key ends at `=`, not at `:`", "write key=value", at)
        self.refuse(f"a key has no {_named(letter)}", "a key has letters, digits, `_` and `-`, parted by `.`", at)

    def _dotted(self, start: int, path: str, slashes: bool) -> None:
        """A key as `a.b.0`, or the name of one thing; nothing at all is the top of the config."""
        if not path:
            return
        at = start
        parts = path.split("/" if slashes else ".")
        for part in parts:
            if not part:
                last = at == start + len(path)
                said = f"there is nothing {'behind' if last else 'before'} a `{'/' if slashes else '.'}` of the key"
                self.refuse(said, "leave it out, or write the name", at - last)
            if slashes and "." in part:
                dot = at + part.index(".")
                help = "write group/group=option for a group, and key.key=value for a key"
                self.refuse("the key has both `/` and `.`", help, dot)
            if not NAME.fullmatch(part) and (len(parts) == 1 or not NUMBER.fullmatch(part)):
                self.refuse(f"`{part[:SHOWN]}` is no name", "a name begins with a letter or `_`", at, at + len(part))
            at += len(part) + 1
        if slashes:
            self.refuse(f"`{path[:SHOWN]}` is no group", "the names of groups have letters, digits, `_` and `-`", start)

    # -------------------------------------------------------------------------------------------------------- values

    def _value(self) -> None:
        if self.at == len(self.word):
            return
        while True:
            self._element("")
            self._past(" \t") if self._ahead(",") else None
            if self.at == len(self.word):
                return
            if self.word[self.at] != ",":
                self._behind_element("")
            comma = self.at
            self.at = self._past_blanks(comma + 1)
            if self.at == len(self.word):
                help = "drop the comma: blanks alone stand between overrides"
                self.refuse("nothing stands behind the last comma", help, comma)

    def _element(self, opener: str) -> None:
        """One value, inside of what `opener` opens. Leaves the position behind it."""
        letter = self._letter()
        if letter in QUOTED:
            found = QUOTED[letter].match(self.word, self.at)
            if found is None:
                self._open_quote(letter)
            self.at = found.end()
        elif letter in ("[", "{"):
            self._container(letter)
        elif letter == ",":
            self._missing_before_comma(opener)
        elif letter and letter == CLOSING.get(opener):
            self._missing_before_close(opener)
        else:
            function = FUNCTION.match(self.word, self.at)
            if function is not None:
                self.at = function.end() - 1
                self._container("(")
                return
            plain = PLAIN.match(self.word, self.at)
            if plain is None:
                self._bad_letter_of_value(opener)
            self.at = plain.end()

    def _container(self, opener: str) -> None:
        start, closing = self.at, CLOSING[opener]
        self.depth += 1
        if self.depth > DEEPEST:
            self.refuse(f"{DEEPEST} brackets inside each other", "write fewer", start)
        self.at = self._past_blanks(start + 1)
        if self._letter() == closing:
            self.at += 1
            self.depth -= 1
            return
        while True:
            if opener == "{":
                self._key_of_dict(start)
            elif opener == "(":
                argument = ARGUMENT.match(self.word, self.at)
                self.at = self.at if argument is None else self._past_blanks(argument.end())
            if self.at == len(self.word):
                self._unclosed(start)
            self._element(opener)
            self._past(" \t") if self._ahead(",", closing) else None
            if self.at == len(self.word):
                self._unclosed(start)
            letter = self.word[self.at]
            if letter == closing:
                self.at += 1
                self.depth -= 1
                return
            if letter != ",":
                self._behind_element(opener)
            self.at = self._past_blanks(self.at + 1)
            if self.at == len(self.word):
                self._unclosed(start)

    def _key_of_dict(self, start: int) -> None:
        letter = self._letter()
        begin = self.at
        if letter in QUOTED:
            found = QUOTED[letter].match(self.word, self.at)
            bare = found[0][1:-1] if found else "key"
            end = found.end() if found else begin + 1
            name = bare if re.fullmatch(r"[\w./-]+", bare) and len(bare) < SHOWN else "key"
            self.refuse("the key of a dict has no quotes in Hydra's grammar", f"write {{{name}: ...}}", begin, end)
        if letter == ",":
            self._missing_before_comma("{")
        if letter == "}":
            self._missing_before_close("{")
        if letter == ":":
            self.refuse("there is no key before this `:`", "write {key: value}", begin)
        if letter == "$" and PLAIN_IN_KEY.match(self.word, begin) is None and PLAIN.match(self.word, begin):
            self.refuse("a key of a dict cannot be an interpolation", "write its name", begin)
        plain = PLAIN_IN_KEY.match(self.word, begin)
        if plain is None:
            if not letter:
                self._unclosed(start)
            self._bad_letter_of_value("{")
        self.at = plain.end()
        name = plain[0].strip()[:SHOWN]
        if self._letter() == "=":
            self.refuse("an entry of a dict is `key: value`", f"write {{{name}: ...}}", self.at)
        if not self._letter():
            self._unclosed(start)
        if self._letter() in ",}":
            self.refuse(f"`{name}` has no value in the dict", f"write {{{name}: value}}", begin, plain.end())
        if self._letter() != ":":
            self._bad_letter_of_value("{")
        colon = self.at
        self.at = self._past_blanks(colon + 1)
        if self._letter() in (",", "}"):
            help = f"write {{{name}: value}}, with null or '' for nothing"
            self.refuse(f"`{name}` has no value in the dict", help, begin, colon + 1)

    # ---------------------------------------------------------------------------------------------------- complaints

    def _missing_before_comma(self, opener: str) -> NoReturn:
        before = self.word[: self.at].rstrip(" \t")
        first = before.endswith(opener) if opener else self.at == self.value_start
        said = "nothing stands before this comma" if first else "nothing stands between two commas"
        self.refuse(said, "leave the comma out, or write '' for an empty value", self.at)

    def _missing_before_close(self, opener: str) -> NoReturn:
        comma = self.word.rfind(",", 0, self.at)
        said = f"nothing stands behind the last comma of the {KINDS[opener]}"
        self.refuse(said, f"drop the comma before the {CLOSING[opener]}", comma)

    def _unclosed(self, start: int) -> NoReturn:
        opener = self.word[start]
        said = f"the `{opener}` here is not closed"
        blank = "" if opener == "(" else f"; a blank ends the word unless it is quoted for bash: '{self._shown_key()}"
        help = f"write the `{CLOSING[opener]}`" + (f"{blank}{opener}...{CLOSING[opener]}'" if blank else "")
        self.refuse(said, help, start, len(self.word))

    def _open_quote(self, quote: str) -> NoReturn:
        name = "double" if quote == '"' else "single"
        help = f"close it with {quote}, or put the value into quotes of the other kind for Hydra"
        self.refuse(f"the {name} quote here is not closed", help, self.at, len(self.word))

    def _behind_element(self, opener: str) -> NoReturn:
        """Something stands behind a whole value where only a comma or the end may."""
        before, letter = self.word[self.at - 1], self.word[self.at]
        if before in "]})" and not self._is_plain_before():
            kind = {"]": "list", "}": "dict or interpolation", ")": "function"}[before]
            if letter in "]})":
                self._bad_letter_of_value(opener)
            help = "write a comma between two values, or take it away"
            self.refuse(f"{_named(letter)} stands behind the {kind}", help, self.at)
        if before in QUOTED and not self._is_plain_before():
            help = "put all of the value between the quotes, or take it away"
            self.refuse(f"{_named(letter)} stands behind the closing quote", help, self.at)
        self._bad_letter_of_value(opener)

    def _is_plain_before(self) -> bool:
        """Whether the letter before the position was read as one of a plain text (`\\]`)."""
        run = len(self.word[: self.at - 1]) - len(self.word[: self.at - 1].rstrip("\\"))
        return run % 2 == 1

    def _bad_letter_of_value(self, opener: str) -> NoReturn:
        word, at = self.word, self.at
        letter = self._letter()
        if not letter:
            self.refuse("a value is missing at the end", "write it", max(at - 1, 0))
        if letter in "]})" and letter != CLOSING.get(opener):
            if opener:
                said = f"`{letter}` stands where the {KINDS[opener]} is closed by `{CLOSING[opener]}`"
                self.refuse(said, f"write `{CLOSING[opener]}`, or close what is inside first", at)
            if word.find("${") >= 0 and letter == "}":
                help = f"quote the value for Hydra: 'key=\"${{a:${{b}}}}\"', {IN_BASH}"
                self.refuse("the command line takes no interpolation inside of another without quotes", help, at)
            self.refuse(f"nothing opens the `{letter}` here", f"remove the {letter}, or {self._quote()}", at)
        if word.startswith("${", at) or (letter == "{" and word[at - 1 : at] == "$"):
            start = at if letter == "$" else at - 1
            if word.startswith("${}", start):
                self.refuse("`${}` names nothing", "write ${key}, or quote the value for Hydra", start, start + 3)
            self.refuse("the `${` here is not closed", "write the `}`", start, len(word))
        if PLACEHOLDER.match(word, at):
            self.refuse(f"a value has no {_named(letter)}", "write the site's value in place of the placeholder", at)
        if letter == "~" and at == self.value_start:
            help = "bash does not expand ~ here: write $HOME"
            self.refuse("a value does not begin with `~`", help, at)
        if letter == "#":
            help = f"put a blank before the #, if a comment is meant; else {self._quote()}"
            self.refuse("a value has no `#` outside of quotes", help, at)
        if letter in QUOTED:
            self.refuse("a quote begins in the midst of a value", f"{self._quote()}", at)
        if letter in "\r\n":
            self.refuse("there is a line break in the value", "take it away; only values in quotes have any", at)
        if letter in "([{":
            self.refuse(f"`{letter}` stands in the midst of a value", f"write \\{letter}, or {self._quote()}", at)
        self.refuse(f"a value has no {_named(letter)} outside of quotes", self._quote(), at)

    # ----------------------------------------------------------------------------------------------------------- help

    def _quote(self) -> str:
        """What to write so that Hydra takes the value, or the item of a list, for a text."""
        word, start = self.word, self.value_start
        if self.depth:
            return "quote this item for Hydra, too: '[\"item\"]'"
        value = word[start:]
        if not value.isprintable() or set(value) & set('"\\$`') or len(value) > SHOWN:
            return "quote the value for Hydra, too: 'key=\"value\"'"
        key = self._shown_key()
        written = f'"{key}\\"{value}\\""' if "'" in value else f"'{key}\"{value}\"'"
        return f"quote the value for Hydra, too: {written}"

    def _shown_key(self) -> str:
        key = self.word.partition("=")[0]
        return f"{key}=" if len(key) <= SHOWN and key.isprintable() and "'" not in key else "key="

    def refuse(self, message: str, help: str, start: int, end: int | None = None) -> NoReturn:
        raise _Refused(Refusal(message, start, start + 1 if end is None else end, help))

    # --------------------------------------------------------------------------------------------------------- moving

    def _letter(self) -> str:
        return self.word[self.at : self.at + 1]

    def _past_blanks(self, at: int) -> int:
        found = BLANKS.match(self.word, at)
        return at if found is None else found.end()

    def _ahead(self, *letters: str) -> bool:
        """Whether one of some letters comes next, behind blanks that then do not count."""
        return self.word[self._past_blanks(self.at) : self._past_blanks(self.at) + 1] in letters

    def _past(self, blanks: str) -> None:
        self.at = self._past_blanks(self.at)


def _named(letter: str) -> str:
    if letter in " \t":
        return "a blank"
    return f"`{letter}`" if letter.isprintable() else f"U+{ord(letter):04X}"
