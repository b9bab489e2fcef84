"""Files that a script writes itself: what it runs, reads and tests later is what it wrote."""

import shutil

import pytest

from tests.bash.real_bash import assert_same_as_bash, commands_of, read_script
from tests.bash.real_programs import read_starts, really_started

NOT_KNOWN = "f is run as a script, but what the script left in it is not known"
PROGRAMS = ("bash", "cat", "tee", "cp", "mv", "rm", "chmod", "mkdir", "touch", "mktemp", "head", "sed", "env", "ls")


@pytest.mark.parametrize(
    "script",
    [
        "echo 'run \"$1\"' > f; . ./f one; source f two",
        "printf 'A=%s\\n' 1 2 > f; echo 'run $A' >> f; . ./f",
        "cat_() { echo 'run 1'; }; cat_ > f; . f; echo 'run 2' > f; . f",
        "{ echo run 1; echo run 2; } > f; . ./f; (echo run 3 >> f); . ./f",
        'echo a b > f; run $(<f) "$(< f)"',
        "printf 'a b\\nc d\\n' > f; while read -r x y; do run $y $x; done < f; mapfile -t l < f; run \"${l[@]}\"",
        "echo x > f; [[ -f f ]] && run yes; [ -e f ] && run yes; [[ -d f ]] || run no; [ -s f ] && run full",
        ": > f; [ -s f ] || run empty; . ./f; run $?",
        "cd /; cd - ; echo run 1 > f; [[ -f ./f ]] && . ./f",
        "exec 3> f; echo run 1 >&3; echo run 2 >&3; exec 3>&-; . ./f",
        "exec > f; echo run 1; exec > /dev/null; . ./f",
        "set -C; echo run 1 > f; echo run 2 > f || run kept; . ./f; echo run 3 >| f; . ./f",
        "echo run 1 > f; f() { echo run 2 > f; }; (f); . ./f; x=$(echo run 3 > f); . ./f; echo run 4 > f | true; . ./f",
        'for i in 1 2 3; do echo "run $i" >> f; done; . ./f',
        "cat > f <<'END' || true\nrun 1\nEND\nrun next",
        "echo 'exit 3' > f; (. ./f); run $?; echo 'return 4' > f; . ./f; run $?",
        'echo 1 > a.x; echo 2 > b.x; for f in *.y; do run "$f"; done',
        "i=0; until [[ $(mapfile -t l < f; echo ${#l[@]}) == 3 ]]; do echo x >> f; ((++i > 4)) && break; done; run $i",
    ],
)
def test_written_files_are_read_as_real_bash_does(script: str) -> None:
    assert_same_as_bash(script)


@pytest.mark.parametrize(
    "script",
    [
        "cat > run.sh <<END\ntrainer $A \\$A $B \\$B\nEND\nbash run.sh\nsource run.sh",
        "cat <<'END' > run.sh\n#!/bin/bash\ntrainer \"$@\"\nEND\nchmod +x run.sh && ./run.sh 1 '2 3'; env C=3 ./run.sh",
        "echo trainer 1 | tee run.sh > /dev/null; echo trainer 2 | tee -a run.sh; bash run.sh",
        "echo trainer 1 > a; cp a b; echo trainer 2 > a; mv a c; bash b; bash c",
        "mkdir -p out/x; echo trainer 1 > out/x/run.sh; (cd out/x && bash run.sh); cd out; bash x/run.sh",
        'T=$(mktemp); echo trainer 1 > $T; U=$(mktemp); echo trainer 2 > "$U"; bash $T; bash $U; rm $T',
        "D=$(mktemp -d); cat > $D/run.sh <<END\ntrainer in file\nEND\nbash $D/run.sh; cd $D; bash run.sh",
        'echo trainer a b > list; trainer $(cat list) "$(cat list list)" $(head -n 1 < list)',
        "echo 'A=5' > set.env; set -a; . ./set.env; set +a; trainer $A",
        "echo 'trainer NAME' > template; sed 's/NAME/x/' template > run.sh; bash run.sh",
        'for n in 1 2; do echo "trainer $n" > run_$n.sh; done; for n in 1 2; do bash run_$n.sh; done',
        "echo 'echo trainer inner > inner.sh' > outer.sh; bash outer.sh; bash inner.sh",
        "(echo '#!/usr/bin/env bash'; echo 'trainer ${0%.sh}') > run.sh; bash run.sh; chmod 755 run.sh; ./run.sh",
        "touch f; [[ -f f ]] && trainer yes; mkdir d; [[ -d d ]] && trainer yes; [[ -d d/e ]] || trainer no",
        "echo trainer 1 > f; bash < f; cat f | bash; bash -s x < f",
        "echo 'trainer $1' > f; bash f & wait; bash f a & bash f b; wait",
    ],
)
def test_programs_that_make_and_run_files(script: str) -> None:
    if any(shutil.which(program) is None for program in PROGRAMS):
        pytest.skip("not all of the programs are here")
    script = f"export A=1\nB=2\n{script}\n"
    expected = really_started(script, PROGRAMS)
    assert expected
    assert sorted(map(str, read_starts(script))) == sorted(map(str, expected))


def test_a_word_of_a_written_file_leads_back_to_the_text_that_decides_it() -> None:
    script = "rate=1e-6\ncat > run.sh <<END\ntrainer lr=$rate\nEND\nbash run.sh\n"
    command = read_script(script).commands[-1]
    assert script[command.span.start : command.span.end].startswith("trainer")
    lr, value = command.words[1].pieces
    assert script[lr.origin.span.start : lr.origin.span.end] == "lr="
    assert value.origin.sources[0].span.start == script.index("1e-6")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (
            "generate > f; . ./f",
            "text that is not known is run as a script: <unknown: output of `generate`>\n",
        ),
        ("echo a > f 2>&1; bash f", NOT_KNOWN),
        ("echo a > f; sed -i s/a/b/ f; bash f", NOT_KNOWN),
        ("echo a > f; generate --out f; . ./f", "source ./f: what the script left in it is not known"),
        (
            '[ -n "$(date)" ] && generate > f; bash f',
            "f is run as a script, but what the script left in it is not known",
        ),
    ],
)
def test_what_only_a_run_could_tell_of_a_file_stays_unknown(script: str, reason: str) -> None:
    assert reason in [place.reason for place in read_script(script).unchecked]


def test_each_way_runs_what_it_wrote() -> None:
    script = 'if [ -n "$(ask)" ]; then echo run yes > f; else echo run no > f; fi; bash f; run after'
    found = {" ".join(word.shown for word in c.words): dict(c.scenario) for c in read_script(script).commands}
    assert found["run yes"] != found["run no"]
    assert "run after" in found


def test_a_log_that_is_written_on_some_ways_makes_no_ways() -> None:
    lines = "\n".join(f'if [ -n "$(ask)" ]; then echo {i} >> log; fi' for i in range(40))
    reading = read_script(f"{lines}\nrun end")
    assert commands_of(reading)[-1] == ["run", "end"]
    assert not reading.unchecked


def test_a_loop_that_waits_for_another_process_ends_some_time() -> None:
    for wait in (
        "rm -f ready; work & while [ ! -f ready ]; do sleep 1; done",
        "touch lock; while [ -f lock ]; do sleep 1; done",
    ):
        reading = read_script(f"{wait}\nrun after")
        assert ["run", "after"] in [[word.shown for word in command.words] for command in reading.commands]
        assert not reading.unchecked


def test_a_removed_file_is_not_read() -> None:
    assert commands_of(read_script("echo run 1 > f; rm f; . ./f; run end"))[-1] == ["run", "end"]


def test_a_file_test_looks_from_the_working_directory() -> None:
    scripts = {"lib.sh": ":", "sub/other.sh": ":"}
    reading = read_script("[ -e lib.sh ] && run here\ncd sub\n[ -e other.sh ] && run there", scripts=scripts)
    assert commands_of(reading) == [["run", "here"], ["run", "there"]]
