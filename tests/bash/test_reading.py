"""What a reading says about commands beside their words: environment, pipes, scripts that are followed, toggles."""

from lint.bash.evaluator import read
from lint.bash.parser import parse
from lint.bash.scenarios import read_scenarios
from lint.text import Source
from tests.bash.real_bash import EmptyFolder, commands_of, read_script


def test_the_environment_of_a_command() -> None:
    command = read_script("export A=1\nB=2\nC=3 run").commands[0]
    assert {name: text.value for name, text in command.environment.items()} == {"A": "1", "C": "3"}


def test_inherited_variables_are_left_out_until_the_script_sets_them() -> None:
    first, second = read_script("run\nX=2\nrun", environment={"X": "1"}).commands
    assert "X" not in first.environment
    assert second.environment["X"].value == "2"


def test_pipes_redirections_and_options() -> None:
    command = read_script("set -euo pipefail\nrun 2>&1 | tee log.txt &").commands[0]
    assert (command.piped_into, command.pipefail, command.errexit, command.nounset) == ("tee", True, True, True)
    assert command.background
    assert [(r.operator, r.descriptor, r.target.value) for r in command.redirections] == [(">&", 2, "1")]


def test_the_working_directory_is_followed() -> None:
    script = 'cd "$(dirname "$0")/.."\nrun\ncd sub && run\ncd "$(ask)"\nrun\ncd /abs\nrun'
    reading = read(parse(Source("a/b/script.sh", script)), files=EmptyFolder({}))
    assert [c.directory for c in reading.commands if c.words[0].value == "run"] == ["a", "a/sub", None, "/abs"]


def test_the_start_folder_is_known_if_the_environment_says_it() -> None:
    script = 'run "$PWD/data" "$(pwd)"\ncd logs\nrun "$PWD"'
    assert commands_of(read_script(script, environment={"PWD": "/start"})) == [
        ["run", "/start/data", "/start"],
        ["run", "/start/logs"],
    ]


def test_a_sourced_file_sets_variables_and_its_commands_say_whence() -> None:
    reading = read_script("source ./env.sh x\nrun $A $1", scripts={"env.sh": "A=$1\nsetup"})
    assert commands_of(reading) == [["setup"], ["run", "x"]]
    assert reading.commands[0].span.path == "env.sh"
    assert [span.path for span in reading.commands[0].called_from] == ["script.sh"]
    assert reading.files == ("script.sh", "env.sh")


def test_a_sourced_file_is_found_from_the_folder_of_the_script() -> None:
    script = 'source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/common.sh"\nrun $A'
    files = EmptyFolder({"deep/down/common.sh": "A=1"})
    reading = read(parse(Source("deep/down/script.sh", script)), files=files)
    assert commands_of(reading)[-1] == ["run", "1"]
    assert reading.files == ("deep/down/script.sh", "deep/down/common.sh")


def test_a_file_that_is_not_there_is_said() -> None:
    reading = read(parse(Source("s.sh", "source /opt/env.sh\nrun")), files=EmptyFolder({"/opt/env.sh": ""}))
    assert reading.unchecked == ()
    reading = read_script('source "$ASCEND_HOME_PATH/env.sh"\nrun', environment={})
    assert commands_of(reading) == [["run"]]


def test_another_script_is_recorded_and_followed() -> None:
    reading = read_script("export A=1\nB=2\nbash other.sh x", scripts={"other.sh": "inner $A $B $1"})
    assert commands_of(reading) == [["bash", "other.sh", "x"], ["inner", "1", "x"]]
    assert reading.commands[0].called_from == ()
    assert reading.commands[1].called_from == (reading.commands[0].span,)


def test_a_here_document_for_bash_is_followed() -> None:
    assert commands_of(read_script("X=1\nbash <<EOF\nrun $X\nEOF\nbash -c 'other \"$1\"' name y")) == [
        ["bash"],
        ["run", "1"],
        ["bash", "-c", 'other "$1"', "name", "y"],
        ["other", "y"],
    ]


def test_functions_say_where_they_were_called() -> None:
    script = "f() { run $1; }\ng() { f $1; }\ng 1"
    command = read_script(script).commands[0]
    assert [script[span.start : span.end] for span in command.called_from] == ["g 1", "f $1"]


def test_a_required_variable_ends_the_script_and_is_said() -> None:
    reading = read_script('run a\n: "${MODEL:?path of the model}"\nrun b')
    assert commands_of(reading) == [["run", "a"]]
    assert [(required.name, required.message) for required in reading.required] == [("MODEL", "path of the model")]
    assert reading.exit_status == 1


def test_an_unset_variable_under_nounset_is_required() -> None:
    reading = read_script("set -u\nrun $MODEL")
    assert (commands_of(reading), [required.name for required in reading.required]) == ([], ["MODEL"])


def test_what_is_required_can_be_taken_as_unknown() -> None:
    script = parse(Source("s.sh", 'set -u\n: "${MODEL:?}"\nrun $MODEL "$DATA"'))
    reading = read(script, files=EmptyFolder({}), required_as_unknown=("MODEL", "DATA"))
    assert commands_of(reading) == [
        ["run", "<unknown: MODEL must be set by the caller>", "<unknown: DATA must be set by the caller>"]
    ]
    assert reading.required == ()


def test_a_toggle_is_a_variable_with_a_default_that_is_compared() -> None:
    script = (
        "DEVICE=${DEVICE:-npu}\nkind=$DEVICE\ncase $kind in npu) run n;; cuda|gpu) run g;; esac\n"
        'if [[ ${FAST:-no} == yes ]]; then run fast; fi\n[ "${N:-1}" -eq 4 ] && run four\nM=${M:-x}\nrun $M'
    )
    reading = read_script(script)
    assert [(toggle.name, toggle.default, toggle.values) for toggle in reading.toggles] == [
        ("DEVICE", "npu", ("cuda", "gpu")),
        ("FAST", "no", ("yes",)),
        ("N", "1", ("4",)),
    ]
    readings = read_scenarios(parse(Source("s.sh", script)), files=EmptyFolder({}))
    assert [dict(each.scenario) for each in readings] == [
        {},
        {"DEVICE": "cuda"},
        {"DEVICE": "gpu"},
        {"FAST": "yes"},
        {"N": "4"},
    ]
    assert commands_of(readings[1])[0] == ["run", "g"]


def test_a_bound_is_not_a_value_of_a_toggle() -> None:
    reading = read_script("STAGES=${STAGES:-16}\n[ $STAGES -gt 1 ] && run many\n[[ ${N:-8} -le 2 ]] && run few")
    assert reading.toggles == ()


def test_a_toggle_inside_a_scenario_is_found_under_it() -> None:
    script = "case ${A:-x} in y) case ${B:-1} in 2) run deep;; esac;; esac"
    readings = read_scenarios(parse(Source("s.sh", script)), files=EmptyFolder({}))
    assert [dict(reading.scenario) for reading in readings] == [{}, {"A": "y"}, {"A": "y", "B": "2"}]
    assert commands_of(readings[2]) == [["run", "deep"]]


def test_a_given_variable_is_not_a_toggle() -> None:
    reading = read_script("case ${A:-x} in y) run y;; esac", environment={"A": "y"})
    assert (reading.toggles, commands_of(reading)) == ((), [["run", "y"]])


def test_a_syntax_error_is_said_and_the_rest_is_read() -> None:
    reading = read_script("run a\nrun ${x!y}\nrun b")
    assert commands_of(reading)[0] == ["run", "a"]
    assert commands_of(reading)[-1] == ["run", "b"]
    assert len(reading.unchecked) == 1


def test_what_a_script_checks_before_it_gives_up_is_required() -> None:
    for guard, names in {
        '[ -z "$MODEL" ] && exit 1': ["MODEL"],
        "if [[ -z ${MODEL:-} ]]; then usage; exit 2; fi": [],
        'usage() { exit 1; }; if [ "$#" -lt 2 ]; then usage; fi': ["1", "2"],
        "(( $# < 1 )) && exit 1": ["1"],
        '[ -n "$A$B" ] || exit 1': ["A", "B"],
        'case "$1" in "") exit 1;; esac': ["1"],
        '[ -z "$A" ] && A=1; [ "$A" = 1 ] && exit 1': [],
        '[ -z "$A" ] && exit 0': [],
    }.items():
        assert [required.name for required in read_script(guard).required] == names, guard


def test_required_arguments_are_taken_as_unknown() -> None:
    script = parse(Source("s.sh", 'if [ "$#" -lt 2 ]; then exit 1; fi\nn=$1; shift 2\nrun $n "$@"'))
    reading = read(script, files=EmptyFolder({}), required_as_unknown=("1", "2"))
    assert commands_of(reading) == [["run", "<unknown: argument 1 of the script>"]]


def test_a_toggle_is_compared_in_every_branch_of_a_condition() -> None:
    script = 'D=${D:-a}\nif [ "$D" = a ]; then run x; elif [[ $D == b ]]; then run y; else exit 1; fi'
    ways = read_scenarios(parse(Source("s.sh", script)), files=EmptyFolder({}))
    assert [toggle.values for toggle in ways[0].toggles] == [("b",)]
    assert [commands_of(reading) for reading in ways] == [[["run", "x"]], [["run", "y"]]]


def test_a_branch_that_is_not_reached_demands_and_changes_nothing() -> None:
    reading = read_script('set -u\nif true; then run x; elif [ "${Y:=2}$UNSET" = 1 ]; then run y; fi; run "$Y"')
    assert [found.name for found in reading.required] == ["Y"]
