"""Shells behind other programs: their commands, with the environment that real programs hand on."""

import shutil
from subprocess import list2cmdline

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lint.bash.programs.joining import joined_for_windows
from lint.bash.reading import Known, Origin, Text
from lint.text import Span
from tests.bash.real_bash import commands_of, read_script
from tests.bash.real_programs import Start, read_starts, really_started

PROGRAMS = ("bash", "sh", "env", "nohup", "setsid", "timeout", "nice", "stdbuf", "flock", "script", "taskset")
BY_FILE = "value of $A under docker run --env-file"
FAKES = {"ssh": '#!/bin/bash\nshift; /usr/bin/env -i PATH="$PATH" RECORD="$RECORD" /bin/sh -c "$*"\n'}


@pytest.mark.parametrize(
    "command",
    [
        "bash -c 'trainer 1 \"$A $B\"'",
        "bash --norc -ec 'trainer 1; false; trainer 2'",
        "bash -euo pipefail -c 'trainer 1; false | true; trainer 2'",
        "bash -c -e 'trainer 1 $-; false; trainer 2'",
        "bash -ox posix -c 'trainer $-'",
        "bash -O extglob -c 'case aa in +(a)) trainer a; esac'",
        "bash -c 'trainer \"$0\" \"$@\"' name a 'b c'",
        "bash -uc 'trainer ${X-unset}; trainer $X; trainer no'",
        "sh -c 'trainer $A'",
        "env A=2 C=3 bash -c 'trainer $A$C'",
        'env -i PATH="$PATH" RECORD="$RECORD" B=4 bash -c \'trainer "$A|$B"\'',
        "env -u A bash -c 'trainer ${A-none}'",
        "env -u A D=1 trainer x",
        "env -S 'trainer x \"b c\"' d 'e f'",
        "env -S\"C=1 D='x y' trainer \\\"\\${A}\\\" ; z\" 'it'\\''s'",
        "env -S 'trainer a*b >c # comment' q",
        "env --split-string='-u A trainer b'",
        "env -S 'trainer a\\_b \"c\\_d\" e\\tf \\c no' yes",
        "env -S 'bash -c' 'trainer $A'",
        "nohup bash -c 'A=5; trainer $A' > out.log 2>&1",
        "A=6 nohup setsid -w nice -n 3 stdbuf -oL -e0 timeout -k 5 20 bash -c 'trainer $A'",
        "timeout -s KILL 20 trainer $A",
        "flock lock trainer $A",
        "flock -w 3 lock -c 'trainer $A'",
        "script -q -c 'trainer $A' /dev/null",
        "script -qec \"trainer $A '\\$A'\" /dev/null",
        "taskset 1 bash -c 'trainer 1'",
        "exec nohup bash -c 'trainer 1'",
        "nohup sh -c 'bash -c \"trainer \\$A\"'",
        "bash <<< 'trainer from input $A'",
        "bash -s one two <<'END'\ntrainer $# \"$2\"\nEND",
        "nohup bash <<END\ntrainer $B \\$A\nEND",
        "echo 'trainer piped' | timeout 5 bash",
        "ssh host trainer a \"'b  c'\" '${A-}'",
        "ssh host 'A=7 trainer \"${A-}\" ${B-}'",
        "ssh host \"trainer $A\" '; trainer 2'",
        "ssh host bash -c 'trainer x y'",
        "bash -c 'exit 3'; trainer $?",
        "nohup bash -c 'exit 3' || trainer failed",
        "if bash -c 'true'; then trainer yes; fi",
    ],
)
def test_shells_behind_programs(command: str) -> None:
    if any(shutil.which(program) is None for program in PROGRAMS):
        pytest.skip("not all of the programs are here")
    script = f"export A=1\nB=2\n{command}\n"
    expected = really_started(script, PROGRAMS, FAKES)
    assert expected
    assert read_starts(script) == expected


@pytest.mark.parametrize(
    ("command", "words", "variables"),
    [
        ("bash -lc 'trainer $A'", ("1",), {"A": "1"}),
        ("ssh -tt -p 22 -o X=y -i key user@host bash -lc \"'trainer \\$0 \\$1'\" x y", ("x", "y"), {}),
        ("docker run --rm -it -e A -e C=3 image bash -c 'trainer \"$A${B-}$C\"'", ("13",), {"A": "1", "C": "3"}),
        ("docker exec -w /work box bash -lc 'trainer $PWD'", ("/work",), {}),
        ("docker run -v /a:/b --gpus all image trainer x", ("x",), {}),
        ("kubectl exec -n team pod -c main -- bash -c 'trainer ${A:-none}'", ("none",), {}),
        ("singularity exec --nv --env C=3 image.sif bash -c 'trainer $A$C'", ("13",), {"A": "1", "C": "3"}),
        ("apptainer exec --cleanenv image.sif bash -c 'trainer ${A:-none}'", ("none",), {}),
        ("srun -N2 --ntasks-per-node=1 bash -c 'trainer $A'", ("1",), {"A": "1"}),
        ("srun --export=NONE bash -c 'trainer ${A:-none}'", ("none",), {}),
        ("srun --export=ALL,C=3 bash -c 'trainer $A$C'", ("13",), {"A": "1", "C": "3"}),
        ("srun --export A,C=3 bash -c 'trainer $A$C'", ("13",), {"A": "1", "C": "3"}),
        ("sbatch -N 1 --wrap 'trainer $A'", ("1",), {"A": "1"}),
        ('sbatch --wrap="trainer $A"', ("1",), {"A": "1"}),
        ("sbatch <<'END'\n#!/bin/bash\n#SBATCH -N 1\ntrainer $A\nEND", ("1",), {"A": "1"}),
        ("screen -dmS name bash -c 'trainer $A'", ("1",), {"A": "1"}),
        ("sudo -E bash -c 'trainer $A'", ("1",), {"A": "1"}),
        ("sudo C=3 bash -c 'trainer ${A:-none} $C'", ("none", "3"), {"C": "3"}),
        ("ssh host <<'END'\ntrainer ${A:-none}\nEND", ("none",), {}),
        ("sudo su - user <<END\ntrainer $A\nEND", ("1",), {}),
        ("su - user -c 'trainer ${A:-none}'", ("none",), {}),
        (
            'ray job submit --runtime-env-json \'{"env_vars": {"C": "3"}}\' -- bash -c \'trainer $C\'',
            ("3",),
            {"C": "3"},
        ),
        ("ray job submit -- trainer 'a b' \"c='d'\"", ("a b", "c=d"), {}),
        ("tmux new-session -d -s work 'trainer one'", ("one",), {"A": "<unknown: value of $A under tmux new-session>"}),
        (
            "tmux send-keys -t work:0 'trainer one' Space two C-m",
            ("one", "two"),
            {"A": "<unknown: value of $A under tmux send-keys>"},
        ),
        (
            "printf '# c\\nA=2 x\\nB\\n' > variables; docker run --env-file variables -e C=3 image trainer",
            (),
            {"A": "2 x", "C": "3"},
        ),
        ("docker run --env-file=elsewhere -e C=3 image trainer", (), {"A": f"<unknown: {BY_FILE}>", "C": "3"}),
        ("watch -n 5 'trainer one $A'", ("one", "1"), {"A": "1"}),
        ("watch -x trainer 'one two'", ("one two",), {"A": "1"}),
        ('msprof --output=x --application="trainer one"', ("one",), {"A": "1"}),
        ("tmux new -d bash -c 'trainer one'", ("one",), {"A": "<unknown: value of $A under tmux new>"}),
    ],
)
def test_what_clusters_and_containers_hand_on(command: str, words: tuple[str, ...], variables: dict[str, str]) -> None:
    assert read_starts(f"export A=1\nB=2\n{command}") == [Start(words, variables)]


RUNTIME_ENVIRONMENT = """
working_dir: ./
env_vars:
  A: "2"
  C: two words  # three
  D: ${D}:/more
"""


@pytest.mark.parametrize("option", ["--runtime-env ray.yaml", "--runtime-env=$PWD/ray.yaml"])
def test_a_runtime_environment_in_a_file(option: str) -> None:
    script = f"export A=1 B=2; ray job submit {option} -- bash -c 'trainer \"$C\"; bash other.sh'"
    reading = read_script(script, scripts={"ray.yaml": RUNTIME_ENVIRONMENT, "other.sh": "trainer $A"})
    *_, first, _, second = reading.commands
    assert commands_of(reading)[-3:] == [["trainer", "two words"], ["bash", "other.sh"], ["trainer", "2"]]
    assert {name: text.shown for name, text in first.environment.items()} == {
        "A": "2",
        "C": "two words",
        "D": "<unknown: value of ${D}:/more where the job runs>",
    }
    origin = second.words[1].pieces[0].origin.sources[0]
    assert (origin.span.path, RUNTIME_ENVIRONMENT[origin.span.start : origin.span.end]) == ("ray.yaml", "2")


def test_a_runtime_environment_that_the_script_writes() -> None:
    written = "cat > ray.yaml <<END\nenv_vars:\n  A: $((1 + 1))\n  C: x$(ask)\nEND\n"
    starts = read_starts(f"{written}ray job submit --runtime-env ray.yaml -- trainer")
    assert starts == [Start((), {"A": "2", "C": "x<unknown: output of `ask`>"})]


@pytest.mark.parametrize("text", ["[" * 5000, "- a", "a: b: c", "\t", "env_vars: {A: [1, 2]}"])
def test_a_runtime_environment_that_cannot_be_read(text: str) -> None:
    script = "export A=1; ray job submit --runtime-env ray.yaml -- bash -c 'trainer $A'"
    value = read_script(script, scripts={"ray.yaml": text}).commands[-1].environment.get("A")
    assert value is not None
    assert value.value is None


def test_an_environment_that_is_not_here_is_named() -> None:
    reading = read_script("ray job submit --runtime-env elsewhere.yaml -- trainer")
    assert [place.reason for place in reading.unchecked] == [
        "ray job submit --runtime-env elsewhere.yaml: what the file says of the environment is not known"
    ]


@given(st.lists(st.text("ab \t\"'\\$", max_size=6), max_size=4))
def test_ray_joins_words_as_python_does(words: list[str]) -> None:
    origin = Origin(Span("run.sh", 0, 1), "literal")
    texts = [Text((Known(word, origin),) if word else ()) for word in words]
    assert joined_for_windows(texts).value == list2cmdline(words)


def test_a_text_that_is_partly_unknown_is_read_and_that_is_said() -> None:
    reading = read_script("nohup bash -c \"trainer out=$(ask date)/log '$USER'\"")
    assert commands_of(reading)[-1] == [
        "trainer",
        "out=<unknown: output of `ask date`>/log",
        "<unknown: value of $USER>",
    ]
    assert [place.reason for place in reading.unchecked] == [
        "this is run as a script, and read as if <unknown: output of `ask date`> in it were part of a word",
    ]


def test_a_word_of_the_inner_script_leads_back_to_the_text_that_decides_it() -> None:
    script = 'RATE=1e-6\nnohup bash -c "trainer lr=$RATE"'
    word = read_script(script).commands[-1].words[1]
    assert [script[p.origin.span.start : p.origin.span.end] for p in word.pieces] == ["lr=", "$RATE"]
    assert word.pieces[1].origin.sources[0].span.start == script.index("1e-6")


def test_a_script_that_is_not_here_is_named() -> None:
    reading = read_script("nohup bash elsewhere/train.sh")
    assert [place.reason for place in reading.unchecked] == [
        "elsewhere/train.sh is run as a script, but is not a file of the checkout"
    ]


@pytest.mark.parametrize(
    ("script", "which"),
    [
        ("find . -name 'run_*.sh' -exec bash {} +", "a file that find finds"),
        ("cat list | xargs -n 1 bash", "input of xargs"),
        ('bash "$(ask)/train.sh"', "<unknown: output of `ask`>/train.sh"),
    ],
)
def test_of_a_script_whose_name_is_not_known_it_is_not_said_that_it_is_missing(script: str, which: str) -> None:
    reading = read_script(script)
    assert [place.reason for place in reading.unchecked] == [
        f"a script is run here, and which one is not known: {which}"
    ]


def test_a_program_that_is_python_by_its_name_is_not_read_as_a_script() -> None:
    def read_with(first_line: str) -> list[list[str]]:
        scripts = {"train.py": f"{first_line}import os\n", "train": "from_shell\n"}
        return [[word.shown for word in c.words] for c in read_script("./train.py\n./train", scripts=scripts).commands]

    assert read_with("") == read_with("#!/usr/bin/env python\n") == [["./train.py"], ["./train"], ["from_shell"]]
    assert ["import", "os"] in read_with("#!/bin/bash\n")
