"""What is unknown forks the way through a script; ways that go on alike are joined, and conditions are named."""

import re

from lint.bash.reading import Reading
from tests.bash.real_bash import read_script


def started(reading: Reading) -> list[tuple[str, dict[str, str]]]:
    """Each command as text, with the conditions under which it is started."""
    return [(" ".join(word.shown for word in c.words), dict(c.scenario)) for c in reading.commands]


def test_an_unknown_file_test_forks_with_the_machine_without_the_file_first() -> None:
    reading = read_script(
        'if [ -f "$MARK" ]; then run yes; else run no; fi\nrun after', environment={"MARK": "/some/file"}
    )
    assert started(reading) == [
        ("run yes", {'line 1: [ -f "$MARK" ]': "true"}),
        ("run no", {}),
        ("run after", {}),
    ]


def test_a_program_in_a_condition_forks_and_is_first_taken_as_successful() -> None:
    reading = read_script("if probe; then run yes; else run no; fi")
    assert started(reading) == [("probe", {}), ("run yes", {}), ("run no", {"line 1: probe": "false"})]


def test_a_program_in_the_main_line_is_taken_as_successful() -> None:
    assert started(read_script("set -e\nprobe\nprobe && run a\nrun b")) == [
        ("probe", {}),
        ("probe", {}),
        ("run a", {}),
        ("run b", {}),
    ]


def test_ways_with_different_variables_stay_apart_and_common_commands_are_named_once() -> None:
    reading = read_script("command -v tool && X=2 || X=1\nrun common\nrun $X")
    assert started(reading) == [
        ("run common", {}),
        ("run 1", {}),
        ("run 2", {"line 1: command -v tool": "true"}),
    ]


def test_what_follows_a_guard_runs_under_it_but_not_in_a_scenario() -> None:
    reading = read_script('[ -d "$DATA" ] || { fail; exit 1; }\nrun it', environment={"DATA": "/data"})
    assert started(reading) == [("fail", {}), ("run it", {})]
    assert dict(reading.commands[1].guards) == {'line 1: [ -d "$DATA" ]': "true"}


def test_a_substitution_that_yields_one_of_two_texts_forks_where_it_is_assigned() -> None:
    script = "D=${D:-$(probe > /dev/null && echo npu || echo gpu)}\ncase $D in npu) run n;; gpu) run g;; esac"
    reading = read_script(script)
    assert started(reading) == [("probe", {}), ("run n", {}), ("run g", {"D": "gpu"})]
    assert [(toggle.name, toggle.default, toggle.values) for toggle in reading.toggles] == [("D", "npu", ("gpu",))]


def test_a_command_knows_the_default_that_a_probe_decided() -> None:
    """Whoever reads of it must be told: no text of the script says that D is npu by default."""
    probe = "D=${D:-$(probe > /dev/null && echo npu || echo gpu)}\n"
    choose = "if [[ $D == npu ]]; then n=1; else n=2; fi\n"
    conditions = [dict(command.conditions) for command in read_script(f"{probe}{choose}run $n\nrun both").commands]
    assert conditions == [{}, {"D": "npu"}, {"D": "gpu"}, {}]
    guarded = read_script(f"{probe}if [[ $D == gpu ]]; then exit; fi\nrun it")
    assert [dict(command.conditions) for command in guarded.commands] == [{}, {}]
    guarded = read_script(f"{probe}if [[ $D == npu ]]; then exit; fi\nrun it")
    assert [dict(command.conditions) for command in guarded.commands] == [{}, {}]


def test_a_case_on_an_unknown_text_enters_each_item() -> None:
    reading = read_script("case $(ask) in a) run a;; b|c) run bc;; *) run other;; esac")
    assert started(reading) == [
        ("ask", {}),
        ("run a", {"line 1: case $(ask)": "a"}),
        ("run bc", {"line 1: case $(ask)": "b|c"}),
        ("run other", {}),
    ]


def test_a_loop_of_unknown_length_is_read_once_and_joined() -> None:
    reading = read_script("for f in $(list); do run $f; done\nrun after")
    assert started(reading) == [
        ("list", {}),
        ("run <unknown: output of `list`>", {"line 1: for f in $(list)": "true"}),
        ("run after", {}),
    ]


def test_a_retry_loop_ends() -> None:
    reading = read_script("until probe; do n=$((n+1)); wait_for; done\nrun after")
    assert ("run after", {}) in started(reading)
    assert reading.unchecked == ()


def test_an_endless_loop_is_the_end_of_the_way() -> None:
    assert started(read_script("while true; do beat; done\nrun never")) == [("beat", {})]


def test_many_independent_conditions_are_bounded_and_that_is_said() -> None:
    script = "".join(f"if p{i}; then A{i}=1; else A{i}=2; fi\n" for i in range(12)) + "run $A0 $A11"
    reading = read_script(script)
    assert ("run 1 1", {}) in started(reading)
    assert any("ways through the script" in place.reason for place in reading.unchecked)


def test_what_differs_between_bounded_ways_is_unknown_not_guessed() -> None:
    script = "".join(f"if p{i}; then A{i}=1; else A{i}=2; fi\n" for i in range(12)) + "run $A0"
    words = {command.words[1].shown for command in read_script(script).commands if command.words[0].value == "run"}
    assert words <= {"1", "2", "<unknown: depends on the way taken>"}
    assert "1" in words


def test_an_unknown_status_under_errexit_goes_on_as_a_guard() -> None:
    reading = read_script("set -e\n[ -f /x ]\nrun on")
    assert started(reading) == [("run on", {})]
    assert dict(reading.commands[0].guards) == {"line 2: [ -f /x ]": "true"}
    assert reading.exit_status is None


WAITING = """
serve & pid=$!
for i in $(seq 1 {turns}); do
    if [ -f ready ]; then break; fi
    if ! kill -0 $pid; then tail log; exit 1; fi
    sleep 1
done
run after $i
"""


def test_a_loop_that_waits_is_read_for_some_turns_and_what_follows_it_is_read() -> None:
    reading = read_script(WAITING.format(turns=6000))
    assert [command.words[1].value for command in reading.commands if command.words[0].value == "run"] == ["after"]
    assert reading.commands[-1].words[-1].value is None
    (unchecked,) = reading.unchecked
    assert re.fullmatch(r"only the first \d+ turns of this loop were read", unchecked.reason)


def test_a_loop_that_waits_for_minutes_is_read_whole() -> None:
    reading = read_script(WAITING.format(turns=300))
    assert len([command for command in reading.commands if command.words[0].value == "sleep"]) == 300
    assert [word.value for word in reading.commands[-1].words] == ["run", "after", "300"]
    assert not reading.unchecked


def test_pipes_of_a_statement_do_not_keep_ways_apart() -> None:
    reading = read_script("for name in a b c d e f; do if p; then paste <(x $name) <(y); fi; done; run")
    assert [command.scenario for command in reading.commands if command.words[0].value == "run"] == [{}]
    assert not reading.unchecked


def test_the_trap_of_a_failure_runs_on_the_way_that_fails_alone() -> None:
    reading = read_script("trap 'run failed; exit' ERR\ntry() { probe || return; }\ntry\nrun after")
    assert started(reading) == [("probe", {}), ("run failed", {"line 2: probe": "false"}), ("run after", {})]


def test_a_home_directory_has_a_name() -> None:
    reading = read_script('case ~nobody-here in "") run empty;; *) run named;; esac')
    assert started(reading) == [("run empty", {"line 1: case ~nobody-here": '""'}), ("run named", {})]


def test_a_pipeline_in_which_one_command_certainly_fails_takes_no_other_way() -> None:
    script = "set -o pipefail\nif false | probe; then run yes; else run no; fi\n! false | probe && run after\nrun $?"
    assert started(read_script(script)) == [
        ("probe", {}),
        ("run no", {}),
        ("probe", {}),
        ("run after", {}),
        ("run <unknown: exit status of `run`>", {}),
    ]
    for body in ("false | probe", "x=$(false | probe)", "set -u; x=$(echo $nope | probe)", "(exit 3) | probe | probe"):
        assert ("run", {}) not in started(read_script(f"set -eo pipefail\n{body}\nrun"))


def test_a_function_that_fails_on_every_way_takes_no_other_way() -> None:
    script = "f() { if [[ -f /mark ]]; then return 1; else return 2; fi; }\nf && run yes || run no $?"
    assert started(read_script(script)) == [("run no <unknown: exit status that depends on the way taken>", {})]
