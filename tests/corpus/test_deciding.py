"""The decisions with which real bash takes the way of our reading."""

from lint.bash.parser import parse
from lint.text import Source
from tests.corpus.deciding import UNDECIDED, other_runs, with_decisions


def test_each_decision_that_is_not_the_way_itself_is_turned_round() -> None:
    made = {"line 2: test -f a": "true", "line 9: [ -d b ]": "false"}
    assert {"line 2: test -f a": "false", "line 9: [ -d b ]": "false"} in other_runs(made, way={})
    assert all(each["line 9: [ -d b ]"] != "true" for each in other_runs(made, way={"line 9: [ -d b ]": "false"}))


def test_a_loop_that_the_way_goes_into_is_left_after_more_turns() -> None:
    way = {"line 2: [ -h x ]": "true"}
    assert {"line 2: [ -h x ]": "true until 3"} in other_runs(way, way)


def test_decisions_made_before_stay_made() -> None:
    made = {"line 2: test -f a": "false", "line 3: case": "none"}
    assert all(each["line 3: case"] == "none" for each in other_runs(made, way={}))


def test_a_loop_over_numbers_takes_one_turn_where_the_way_goes_into_it() -> None:
    script = parse(Source("run.sh", "for ((i = 0; i < count; i++)); do train; done"))
    decided = with_decisions(script, {"line 1: " + script.source.text: "true"})
    assert "i < count, (__turns_0 = ${__turns_0:-0} + 1) == 1; i++" in decided


def test_of_set_e_only_the_decision_ends_a_script() -> None:
    script = parse(Source("run.sh", "set -e\n[[ -n $name ]]\ntrain"))
    assert (
        with_decisions(script, {"line 2: [[ -n $name ]]": "true"}).splitlines()[1] == "{ [[ -n $name ]] || :; true; }"
    )


def test_a_condition_that_is_known_at_another_time_is_left_to_bash() -> None:
    made = {"line 2: test -f a": "true"}
    assert {"line 2: test -f a": UNDECIDED} in other_runs(made, way={})


def test_a_condition_is_left_to_bash_behind_calls_where_it_is_known() -> None:
    script = parse(Source("run.sh", "f() { [ -n $1 ] && train; }\nf a\nf $(now)"))
    label = "line 1: [ -n $1 ]"
    decided = with_decisions(script, {label: "false"}, {label: {(2,)}})
    assert (
        "{ [ -n $1 ] && __own=0 || __own=$?; if __called_from '2 '; then __return $__own; else false; fi; }" in decided
    )
