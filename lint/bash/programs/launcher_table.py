"""What is known of each program that starts others: its options, and what it hands on. The facts are in
`launchers.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from lint.frozen import frozen
from lint.packaged import packaged

Kind = Literal["python", "program", "command", "text", "option", "script", "each"]
HandsOn = Literal["all", "nothing", "perhaps"]


@frozen
class Variables:
    """Variables that a launcher may set for what it starts: patterns of names with "number" or "text"; `replaces` is
    the pattern of those that it sets whatever the script has set."""

    gives: Mapping[str, str]
    replaces: str

    def sets_anyway(self, name: str) -> bool:
        """Whether a value that the script has given it is replaced."""
        return re.fullmatch(self.replaces, name, re.ASCII) is not None


@frozen
class Launcher:
    """What is known of one program; `launchers.json` says what each field stands for."""

    kind: Kind
    subcommands: tuple[tuple[str, ...], ...]
    options_before_subcommand: bool
    value: frozenset[str]
    value2: frozenset[str]
    module: frozenset[str]
    command: frozenset[str]
    text: frozenset[str]
    flags: frozenset[str] | None  # None: not listed, so no option is known to be refused
    arguments: int
    assignments: bool
    alike: bool
    clusters: bool
    several: bool
    join: str
    goes_on: bool
    hands_on: HandsOn
    all_with: frozenset[str]
    nothing_with: frozenset[str]
    sets: Mapping[str, str]
    unsets: frozenset[str]
    variables: tuple[Variables, ...]
    command_if: Mapping[str, str]
    directory: frozenset[str]
    elsewhere: bool
    copies_directory: bool
    status: bool
    input: bool

    def option(self, word: str) -> str:
        """The name of an option as the table has it."""
        return f"--{word[2:].replace('-', '_')}" if self.alike and word.startswith("--") else word


@lru_cache(maxsize=1)
def launchers() -> Mapping[str, tuple[Launcher, ...]]:
    """The launchers of each name, in the order in which they are tried."""
    document = json.loads(packaged("bash/programs/launchers.json").read_text("utf-8"))
    options = {name: frozenset(words) for name, words in document["options"].items()}
    variables = {
        name: Variables(group["gives"], group.get("replaces", "(?!)")) for name, group in document["variables"].items()
    }
    table: dict[str, tuple[Launcher, ...]] = {}
    said: dict[str, Mapping[str, Any]] = {}
    for written in document["launchers"]:
        like = (
            {key: value for key, value in said[written["like"]].items() if key != "subcommand"}
            if "like" in written
            else {}
        )
        entry = {**like, **written}
        for name in entry["names"]:
            said.update({f"{name} {words}".strip(): entry for words in entry.get("subcommand", ("",))})
        launcher = Launcher(
            kind=entry["kind"],
            subcommands=tuple(tuple(words.split()) for words in entry.get("subcommand", ("",))),
            options_before_subcommand=entry.get("before_subcommand", False),
            value=frozenset(entry["value"]).union(*(options[group] for group in entry.get("common", ()))),
            value2=frozenset(entry.get("value2", ())),
            module=frozenset(entry.get("module", ())),
            command=frozenset(entry.get("command", ())),
            text=frozenset(entry.get("text", ())),
            flags=frozenset(entry["flags"]) if "flags" in entry else None,
            arguments=entry.get("arguments", 0),
            assignments=entry.get("assignments", False),
            alike=entry.get("alike", False),
            clusters=entry.get("clusters", False),
            several=entry.get("several", False),
            join=entry.get("join", "blanks"),
            goes_on=entry.get("goes_on", False),
            hands_on=entry.get("hands_on", "all"),
            all_with=frozenset(entry.get("all_with", ())),
            nothing_with=frozenset(entry.get("nothing_with", ())),
            sets=entry.get("sets", {}),
            unsets=frozenset(entry.get("unsets", ())),
            variables=tuple(variables[group] for group in entry.get("variables", ())),
            command_if=entry.get("command_if", {}),
            directory=frozenset(entry.get("directory", ())),
            elsewhere=entry.get("elsewhere", False),
            copies_directory=entry.get("copies_directory", False),
            status=entry.get("status", True),
            input=entry.get("input", False),
        )
        for name in entry["names"]:
            table[name] = (*table.get(name, ()), launcher)
    return table


def options_with_value(name: str) -> frozenset[str]:
    """The options of a launcher that take the next word."""
    return frozenset(option for launcher in launchers().get(name, ()) for option in launcher.value)


def variables_of(name: str) -> tuple[Variables, ...]:
    """What a launcher without subcommands sets for what it starts."""
    return tuple(group for launcher in launchers().get(name, ()) for group in launcher.variables)
