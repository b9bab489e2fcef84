"""The syntax tree of a bash script: frozen dataclasses, one for each construct of the grammar.

Every node carries the `start` and `end` offsets of its text in the source (see `lint.text`). Words are expanded later.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, TypeAlias
from typing import Literal as Choice

from lint.frozen import frozen
from lint.text import Source

# ---------------------------------------------------------------------------------------------------------- words


@frozen
class Literal:
    """Unquoted text without expansions: subject to brace expansion, tilde expansion and globbing."""

    start: int
    end: int
    text: str


@frozen
class Quoted:
    """Text taken as it is: `'...'`, `$'...'` (already decoded), `\\x` (one character), and the runs inside `"..."`."""

    start: int
    end: int
    text: str


@frozen
class DoubleQuoted:
    """`"..."` (or `$"..."`): its parts are `Quoted` text and expansions, none of them split or globbed."""

    start: int
    end: int
    parts: tuple[Part, ...]


@frozen
class Parameter:
    """A parameter expansion, `$name` or `${...}`.

    `name` is an identifier, a positional number, or one of `@ * # ? - $ !`; with `names` it is a prefix
    (`${!prefix@}`). `subscript` is the word between `[ ]`, `@` or `*`; for the two last a string. `length` stands for
    `${#...}`, `indirect` for `${!...}` (`${!a[@]}`: the keys of an array).
    `operator` is one of: `` (none) `-` `:-` `=` `:=` `?` `:?` `+` `:+` `#` `##` `%` `%%` `/` `//` `/#` `/%` `^` `^^`
    `,` `,,` `~` `~~` `:` (substring) `@` (transformation; `operand` is its letter). `operand` is the word after it;
    `second` is the replacement of `/` (None: absent) or the length of a substring (None: to the end).
    """

    start: int
    end: int
    name: str
    subscript: Word | str | None = None
    length: bool = False
    indirect: bool = False
    names: str | None = None
    operator: str = ""
    operand: Word | None = None
    second: Word | None = None


@frozen
class Arithmetic:
    """`$((...))` (or `$[...]`): the text between is expanded as if double-quoted, then read as an expression."""

    start: int
    end: int
    expression: Word


@frozen
class CommandSubstitution:
    """`$(...)` or backquotes. `body` holds offsets into the same source."""

    start: int
    end: int
    body: tuple[Statement, ...]


@frozen
class ProcessSubstitution:
    """`<(...)` or `>(...)`."""

    start: int
    end: int
    direction: Choice["<", ">"]
    body: tuple[Statement, ...]


@frozen
class Unreadable:
    """A piece of a word that is not valid bash (`${name)`); evaluates to unknown. Its error is in `Script.errors`."""

    start: int
    end: int
    message: str


Substitution: TypeAlias = "CommandSubstitution | ProcessSubstitution"
Part: TypeAlias = "Literal | Quoted | DoubleQuoted | Parameter | Arithmetic | Substitution | Unreadable"


@frozen
class Word:
    """One shell word: its parts side by side. No part: an empty unquoted operand (as in `${x:-}`)."""

    start: int
    end: int
    parts: tuple[Part, ...]
    kept: Any = field(default=None, init=False, compare=False, repr=False)
    """What `lint.bash.words.straight` made of it: a script is read several times, and most words stay as they are."""


# ------------------------------------------------------------------------------------------------------- commands


@frozen
class ArrayElement:
    """One element between the parentheses of `name=(...)`; `subscript` for `[key]=value`."""

    start: int
    end: int
    subscript: Word | None
    append: bool
    value: Word


@frozen
class ArrayLiteral:
    """`( ... )` on the right of an assignment."""

    start: int
    end: int
    elements: tuple[ArrayElement, ...]


@frozen
class Assignment:
    """`name=value`, `name+=value`, `name[subscript]=value`, `name=(...)`."""

    start: int
    end: int
    name: str
    subscript: Word | None
    append: bool
    value: Word | ArrayLiteral


@frozen
class HereDocument:
    """The body of `<<WORD`: `Quoted` text and expansions (only `Quoted` if the delimiter was quoted), tabs stripped."""

    start: int
    end: int
    parts: tuple[Part, ...]
    terminated: bool


@frozen
class Redirection:
    """`operator`: `< > >> >| <> <& >& &> &>> << <<- <<<`. `descriptor` None: the default; text: `{name}>file`."""

    start: int
    end: int
    descriptor: int | str | None
    operator: str
    target: Word | HereDocument


@frozen
class SimpleCommand:
    """In source order. `words` holds an `Assignment` where a declaration builtin takes one as argument."""

    start: int
    end: int
    assignments: tuple[Assignment, ...]
    words: tuple[Word | Assignment, ...]
    redirections: tuple[Redirection, ...]
    line_at: int  # where bash takes the number of its line


@frozen
class Subshell:
    start: int
    end: int
    body: tuple[Statement, ...]
    redirections: tuple[Redirection, ...]


@frozen
class Group:
    """`{ ...; }`."""

    start: int
    end: int
    body: tuple[Statement, ...]
    redirections: tuple[Redirection, ...]


@frozen
class If:
    """`branches` are pairs of condition and body for `if` and each `elif`; `otherwise` is the `else` body."""

    start: int
    end: int
    branches: tuple[tuple[tuple[Statement, ...], tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...] | None
    redirections: tuple[Redirection, ...]


@frozen
class For:
    """`for name in words` (`words` None: over the positional parameters), also `select`."""

    start: int
    end: int
    name: str
    words: tuple[Word, ...] | None
    body: tuple[Statement, ...]
    select: bool
    redirections: tuple[Redirection, ...]


@frozen
class ArithmeticFor:
    """`for ((initial; condition; step))`; an empty part is None."""

    start: int
    end: int
    initial: Word | None
    condition: Word | None
    step: Word | None
    body: tuple[Statement, ...]
    redirections: tuple[Redirection, ...]


@frozen
class While:
    """`while`, or `until`."""

    start: int
    end: int
    condition: tuple[Statement, ...]
    body: tuple[Statement, ...]
    until: bool
    redirections: tuple[Redirection, ...]


@frozen
class CaseItem:
    start: int
    end: int
    patterns: tuple[Word, ...]
    body: tuple[Statement, ...]
    terminator: Choice[";;", ";&", ";;&"]


@frozen
class Case:
    start: int
    end: int
    subject: Word
    items: tuple[CaseItem, ...]
    redirections: tuple[Redirection, ...]


@frozen
class Function:
    start: int
    end: int
    name: str
    body: Command


@frozen
class ArithmeticCommand:
    """`((...))`."""

    start: int
    end: int
    expression: Word
    redirections: tuple[Redirection, ...]


@frozen
class UnaryTest:
    """`-f word`, `-z word`, ..., and the bare `word` (operator `-n`)."""

    start: int
    end: int
    operator: str
    operand: Word


@frozen
class BinaryTest:
    """`a == b`, `a =~ b`, `a -lt b`, `a < b`, `a -nt b`, ..."""

    start: int
    end: int
    operator: str
    left: Word
    right: Word


@frozen
class NotTest:
    start: int
    end: int
    operand: TestExpression


@frozen
class LogicalTest:
    start: int
    end: int
    operator: Choice["&&", "||"]
    left: TestExpression
    right: TestExpression


TestExpression: TypeAlias = "UnaryTest | BinaryTest | NotTest | LogicalTest"


@frozen
class Test:
    """`[[ ... ]]`."""

    start: int
    end: int
    expression: TestExpression
    redirections: tuple[Redirection, ...]


@frozen
class Coprocess:
    start: int
    end: int
    name: str | None
    command: Command


SimpleOrCompound: TypeAlias = "SimpleCommand | Subshell | Group | If | For | ArithmeticFor | While"
Command: TypeAlias = "SimpleOrCompound | Case | Function | ArithmeticCommand | Test | Coprocess"


@frozen
class Pipeline:
    """Commands joined by `|` (`|&`: the stderr of the left one is in the pipe, `merged` true at its index)."""

    start: int
    end: int
    negated: bool
    timed: bool
    commands: tuple[Command, ...]
    merged: tuple[bool, ...]


@frozen
class Statement:
    """An and-or list: `pipelines[0] operators[0] pipelines[1] ...`, ended by `;`, a line end, or `&` (`background`)."""

    start: int
    end: int
    pipelines: tuple[Pipeline, ...]
    operators: tuple[Choice["&&", "||"], ...]
    background: bool


# ---------------------------------------------------------------------------------------------------------- script


@frozen
class SyntaxProblem:
    """What bash would reject. `skipped` is the text that was left unread because of it: `start` to `end`."""

    start: int
    end: int
    message: str


@frozen
class Comment:
    """`# ...`, from the hash to the line end."""

    start: int
    end: int
    text: str


@frozen
class Script:
    source: Source
    body: tuple[Statement, ...]
    comments: tuple[Comment, ...]
    errors: tuple[SyntaxProblem, ...]
    sound: tuple[Statement, ...] | None = None  # what bash runs before it stops at an error; None: there is none
    extended: tuple[int, ...] = ()  # where lines begin that are read with extended patterns, then without, and so on
