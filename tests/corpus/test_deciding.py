"""The decisions with which real bash takes the way of our reading."""

from tests.corpus.deciding import other_runs


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
