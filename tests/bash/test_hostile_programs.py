"""Scripts that write, start or rename themselves without end: an answer, and a line that says what was not read."""

import resource
import sys

import pytest

from tests.bash.real_bash import read_script
from tests.timing import in_time

MEMORY = 1 << 31  # bytes, of the whole test process
ALIASES = "shopt -s expand_aliases\n"

SAID = {
    "writes itself": "cat > f <<'END'\ncat f >> f\nbash f\nEND\nbash f",
    "sources what it wrote": "echo '. ./f; . ./f' > f\n. ./f",
    "adds to what it runs": "echo 'echo \". ./f\" >> f; . ./f' > f; . ./f",
    "doubles a file": "echo run x > f\nfor i in {1..60}; do cat f f > g; cp g f; done\nbash f",
    "doubles the environment": "echo 'x=$x$x; bash f & bash f' > f; x=a bash f",
    "starts itself from the environment": 'export S=\'bash -c "$S"\'; bash -c "$S"',
    "a hundred shells": 'x=\'run x\'; for i in {1..100}; do x="bash -c $(printf %q "$x")"; done; eval "$x"',
    "ssh through ssh": "ssh h " * 300 + "run x",
    "xargs of xargs": "seq 10000 | xargs -I{} bash -c 'seq 9 | xargs -n1 -I{} bash -c \"seq 10000 | xargs -n1 run\"'",
    "xargs of itself": "echo 'echo a b c d e f | xargs -n1 bash f' > f; bash f",
    "parallel product": "parallel run ::: {1..50} ::: {1..50} ::: {1..50} ::: {1..50}",
    "parallel itself": "echo 'parallel bash f ::: 1 2 3 4' > f; bash f",
    "aliases of aliases": ALIASES + "".join(f"alias a{i}='a{i + 1}; a{i + 1}; a{i + 1}'\n" for i in range(30)) + "a0",
    "a trap that calls itself": "trap 'f' DEBUG; f() { f; }; set -T; f; run end",
    "an error in its own trap": "set -E; trap 'false; f' ERR; f() { false; f; }; f",
    "an exit that starts itself": "echo 'trap \"bash f\" EXIT' > f; bash f",
    "becomes itself": "echo 'exec bash f' > f; exec bash f",
    "moves a file for ever": "echo run 1 > a; while :; do mv a b; mv b a; done",
    "many files": "for i in {1..5000}; do echo run > f$i; done; for i in {1..5000}; do . ./f$i; done",
    "coprocesses of coprocesses": "f() { coproc f; }; f",
    "a file of many ways": "".join(f'if [ -n "$(a)" ]; then echo run {i} > f; fi\n' for i in range(60)) + "bash f",
    "thousands of elif": "if a; then b\n" + "".join(f"elif t{i}; then p {i}\n" for i in range(3000)) + "fi",
    "subscripts in subscripts": 's=1; for i in {1..40}; do s="l[$s]+l[$s]"; done; p $((s))',
    "an expression that is its own subscript": "declare -A m; E='m[$((E))]'; p $((E))",
    "a name that is its own subscript": "R='m[${!R}]'; p \"${!R}\"",
    "text that nobody knows": 'bash -c "$A$(b)$C"; eval "$(x) $(y)"; bash -c "run $(z)"',
}

QUIET = {
    "blank lines of an environment": "printf '%100000s' | tr ' ' '\\n' > f; docker run --env-file f image run x",
    "many launchers": "nohup " * 2000 + "bash -c 'run x'",
    "much environment": "env A=1 " * 3000 + "run",
    "ray through ray": "ray job submit -- " * 40 + "bash -c 'run x'",
    "an alias of itself": ALIASES + "alias a='a a a '\n" + "a " * 1000,
    "two aliases of each other": ALIASES + "alias a='b' b='a'\na\nb",
    "a trap that sets itself": "trap 'trap \"trap : DEBUG; run\" DEBUG; run' DEBUG; " + ":; " * 500,
    "a log that grows in the background": "while :; do echo x >> log; cat log; done &\nrun end",
    "a log that grows": "while :; do echo x >> log; [[ -s log ]]; done\nrun end",
    "a long pipeline that ends here": "shopt -s lastpipe\n" + "echo x | " * 2000 + "read y",
    "words that are missing": "docker run; ssh; xargs -I; sbatch --wrap; srun --export; tmux new -d; parallel :::; "
    "flock -c; script -c; env -i -u; su -c; timeout; nohup bash -c; bash -c; bash -o; sbatch; ssh <<<x",
}


@pytest.mark.parametrize("name", [*SAID, *QUIET])
def test_an_answer_in_time(name: str) -> None:
    limit = 5 if sys.gettrace() is None else 15  # coverage takes its time
    reading = in_time(limit, lambda: read_script((SAID | QUIET)[name]))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < MEMORY
    assert bool(reading.unchecked) == (name in SAID)
