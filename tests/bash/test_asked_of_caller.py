"""Tests of variables that nothing sets: the caller may, and that way is read, too."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lint.bash.parser import parse
from lint.bash.reading import SET, Reading
from lint.bash.scenarios import MOST, read_scenarios
from lint.text import Source
from tests.bash.real_bash import EmptyFolder, run_bash


def readings(script: str, required: Sequence[str] = (), **environment: str) -> Sequence[Reading]:
    return read_scenarios(
        parse(Source("script.sh", script)),
        environment=environment,
        files=EmptyFolder({}),
        required_as_unknown=frozenset(required),
    )


def said(reading: Reading) -> list[str]:
    return [" ".join(word.shown for word in each.words[1:]) for each in reading.commands if not each.scenario]


LITERALS = [
    '[ "$RANK" = 0 ]',
    "[[ $RANK == 0 ]]",
    '[ "0" != "$RANK" ]',
    'r=$RANK; [ "$r" = 0 ]',
    'case "$RANK" in 0) true;; *) false;; esac',
]


@pytest.mark.parametrize("test", LITERALS)
def test_a_literal_is_the_other_value(test: str) -> None:
    script = f"if {test}; then p yes; else p no; fi"
    first, second = readings(script)
    assert (first.scenario, second.scenario) == ({}, {"RANK": "0"})
    for reading in (first, second):
        expected, _ = run_bash(script, environment=reading.scenario)
        assert [["p", *said(reading)]] == expected


OTHERS = [
    '[ -n "$RANK" ]',
    '[ "$RANK" ]',
    '[ ! -z "$RANK" ]',
    "[[ -n $RANK ]]",
    "[[ $RANK ]]",
    "[[ -v RANK ]]",
    '[ "$RANK" != "" ]',
]


@pytest.mark.parametrize("test", OTHERS)
def test_of_any_other_value_it_is_only_known_that_there_is_one(test: str) -> None:
    script = f'if {test}; then p "$RANK"; else p none; fi'
    first, second = readings(script)
    assert (said(first), second.scenario) == (["none"], {"RANK": SET})
    assert said(second) == ["<unknown: value of $RANK, which the caller sets>"]
    assert run_bash(script, environment={"RANK": "3"})[0] == [["p", "3"]]


NUMBERS = [
    "[ $RANK -eq 0 ]",
    '[ "$RANK" -gt 1 ]',
    "[[ $RANK -ne 2 ]]",
    "(( RANK == 1 ))",
    "(( ${RANK} > 1 ))",
    "[ $RANK = 1 ]",
]


@pytest.mark.parametrize("test", NUMBERS)
def test_a_number_is_read_both_ways(test: str) -> None:
    first, second = readings(f"if {test}; then p yes; else p no; fi")
    assert len(first.commands) == 1
    assert second.scenario == {"RANK": SET}
    assert {" ".join(word.shown for word in each.words) for each in second.commands} == {"p yes", "p no"}


def test_a_default_that_the_script_gives_leaves_the_callers_value() -> None:
    script = 'if [ -z "$PORT" ]; then PORT=29500; fi; p $PORT'
    assert [said(one) for one in readings(script)] == [["29500"], ["<unknown: value of $PORT, which the caller sets>"]]


OWN = [
    'DEBUG=; [ -n "$DEBUG" ] && p a',
    'unset DEBUG; [ -n "$DEBUG" ] && p a',
    'f() { local DEBUG; [ -n "$DEBUG" ] && p a; }; f',
    'if false; then DEBUG=1; fi; [ -n "$DEBUG" ] && p a',
    '[ "$DEBUG" = 1 ] || p a; DEBUG=1',
    'for DEBUG in; do :; done; [ -n "$DEBUG" ] && p a',
    '[ -n "$debug" ] && p a',
    '[ -n "$1" ] && p a',
    "(( DEBUG++ )); p $DEBUG",
]


@pytest.mark.parametrize("script", OWN)
def test_what_the_script_sets_itself_is_not_asked_of_the_caller(script: str) -> None:
    assert [one.scenario for one in readings(script)] == [{}]


def test_what_the_caller_says_is_not_another_way() -> None:
    assert [one.scenario for one in readings('[ "$RANK" = 0 ] && p a', RANK="1")] == [{}]


def test_a_variable_without_which_the_script_ends_is_required() -> None:
    script = '[ -z "$MODEL" ] && exit 1\np "$MODEL"'
    (first,) = readings(script)
    assert [one.name for one in first.required] == ["MODEL"]
    (second,) = readings(script, ["MODEL"])
    assert [said(second), second.commands[0].guards] == [["<unknown: MODEL must be set by the caller>"], {}]


def test_more_values_than_are_read_are_named() -> None:
    script = "\n".join(f'[ -n "$NAME_{number}" ] && p {number}' for number in range(MOST + 5))
    found = readings(script)
    assert len(found) == MOST
    assert "NAME_23=<set>" in found[-1].unchecked[-1].reason


# ------------------------------------------------------------------------------------------ texts that are not known


def test_a_text_that_is_not_known_may_set_all() -> None:
    script = 'x=1\neval "$(shobj-conf)"\np "$SHOBJ_CC" "$x" "${lower}" "${SHOBJ_LD:-d}" "$((n + 1))"\n'
    (reading,) = readings(script)
    assert [word.value for word in reading.commands[-1].words] == ["p", None, None, None, "d", None]


@pytest.mark.parametrize("mode", ["", "MODE=${MODE:-a}\n[ $MODE = b ] && p b\n"])
def test_in_every_way_the_script_is_read(mode: str) -> None:
    found = readings(f'{mode}eval "$(shobj-conf)"\n[ "$SHOBJ_STATUS" = supported ] && p yes')
    assert [bool(one.scenario) for one in found] == [False, True][: len(found)]
    for one in found:
        assert [each.words[1].value for each in one.commands if each.scenario] == ["yes"]


@pytest.mark.parametrize(
    "command",
    ["conda shell.bash hook", "/opt/conda/bin/conda 'shell.bash' 'hook' 2> /dev/null", "ssh-agent -s", "pyenv init -"],
)
def test_what_sets_up_a_shell_leaves_the_scripts_own_variables(command: str) -> None:
    (reading,) = readings(f'x=1\neval "$({command})"\np "$x" "$CONDA_EXE"')
    assert [word.value for word in reading.commands[-1].words] == ["p", "1", None]


@pytest.mark.parametrize("command", ["conda run -n verl ./sizes.py", "uv run ./sizes.py", "direnv export bash"])
def test_what_such_programs_only_start_may_set_all(command: str) -> None:
    (reading,) = readings(f'x=1\neval "$({command})"\np "$x"')
    assert [word.value for word in reading.commands[-1].words] == ["p", None]


def test_a_sourced_file_that_is_not_there_may_set_what_the_script_does_not() -> None:
    (reading,) = readings('x=1\nsource /opt/set_env.sh\np "$x" "$TOOL_HOME" "${TOOL:-d}"')
    assert [word.value for word in reading.commands[-1].words] == ["p", "1", None, "d"]


def test_after_a_way_that_ran_it_nothing_is_sure() -> None:
    script = 'if [ -f /x ]; then source /opt/set_env.sh; fi\np "$TOOL_HOME"'
    (reading,) = readings(script)
    assert {each.words[1].value for each in reading.commands if each.words[0].value == "p"} == {None}
