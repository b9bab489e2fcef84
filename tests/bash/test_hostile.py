"""Scripts that are made to hang or to eat memory: an answer, and a line that says what was not read."""

import resource

import pytest

from lint.bash.reading import Known
from tests.bash.real_bash import read_script
from tests.timing import in_time

MEMORY = 1 << 31  # bytes, of the whole test process

SCRIPTS = {
    "endless loop": "while :; do :; done; run after",
    "endless counter": "while true; do i=$((i+1)); done; run after",
    "huge braces": "run {1..1000000000}",
    "product of braces": "run {1..300}{1..300}{1..300}",
    "doubling": "a=x; for i in {1..100}; do a=$a$a; done; run $a",
    "power": "run $((9**9**9))",
    "sources itself": "source ./script.sh; . script.sh; run x",
    "starts itself": "bash script.sh; run x",
    "recursion": "f() { f; }; f; run after",
    "recursion twice": "f() { f; f; }; f; run after",
    "fork bomb": ":(){ :|:& };:",
    "fibonacci": "f() { (($1 < 2)) && echo 1 || echo $(($(f $(($1-1))) + $(f $(($1-2))))); }; run $(f 30)",
    "eval of itself": 'e=\'eval "$e" "$e"\'; eval "$e"; run x',
    "deep substitutions": "x=" + "$(" * 300 + "echo 1" + ")" * 300 + "; run $x",
    "deep conditions": "if true; then " * 300 + "run x; " + "fi; " * 300,
    "deep arithmetic": "run $((" + "(" * 500 + "1" + ")" * 500 + "))",
    "long arithmetic": "run $((" + "1+" * 20_000 + "1))",
    "long line": "x=" + "a" * 10_000_000 + '; run "${#x}"',
    "greedy pattern": "x=" + "a" * 100_000 + "; [[ $x == *a*a*a*a*a*b ]]; run ${#x}",
    "nested repetition": "x=" + "a" * 200 + "!; [[ $x =~ ^(a+)+$ ]]; run $?",
    "huge format": 'x=$(printf "%999999999s" a); run "${#x}"',
    "huge sequence": "for i in $(seq 1 100000000); do run $i; done",
    "long count": "for ((i=0;i<100000000;i++)); do x=$i; done; run $i",
    "growing array": "for i in {1..20000}; do a+=($i); done; run ${#a[@]}",
    "many ways": "".join(f"if p{i}; then A{i}=1; else A{i}=2; fi\n" for i in range(100)) + "run $A1",
    "many cases": "case $(q) in " + "".join(f"{i}) a={i};; " for i in range(300)) + "esac; run $a",
    "nul bytes": "run a\0b\nrun c",
    "unfinished": 'run "' + "$(" * 1000,
    "unfinished offset": "x=${a:(1",
    "hidden product of braces": "export x=" + "{a,b}" * 6 + "a," * 3000 + "\nexport y=" + "{a,b}" * 6 + "a," * 3000,
    "value that grows in every line": "export P=$A:$B:$C:$P\n" * 2000 + "run $P",
    "backslashes": "run " + "\\" * 100_001,
    "pipes on many ways": "".join(f"if p{i}; then A{i}=1; fi; paste <(a {i}) <(b)\n" for i in range(200)),
    "commands on many ways": "for i in {1..3000}; do if p; then x=$(q); if [ $x = 1 ]; then r; fi; else t; fi; done",
    "output on many ways": "{ " + "if p; then echo a; else echo b; fi\n" * 2000 + "} | while read x; do run $x; done",
    "replaced again and again": "x=$(printf '%1000s'); x=${x// /bbbbbbbbbb}; x=${x//b/cccccccccc}; "
    "x=${x//c/dddddddddd}; x=${x//d/eeeeeeeeee}; run ${#x}",
    "doubled arrays": 'a=(1 2 3); for i in {1..60}; do a=("${a[@]}" "${a[@]}"); done; run ${#a[@]}',
    "doubled words": 'set -- 1 2 3; for i in {1..60}; do set -- "$@" "$@"; done; run $#',
    "subscripts": "a=(" + " ".join(f"[{i}]=x" for i in range(20_000)) + "); run ${#a[@]}",
    "slices": "a=({1..40000}); for i in {1..40000}; do b=${a[@]:i:1}; done; run $b",
    "many arguments": "set -- {1..40000}; while (($#)); do shift; done; run x",
    "popped elements": 'a=({1..40000}); while ((${#a[@]})); do a=("${a[@]:1}"); done; run x',
    "values that name two values": "x0=1; " + "; ".join(f"x{i + 1}=x{i}+x{i}" for i in range(60)) + "; run $((x60))",
    "ternaries": "run $((" + "1?" * 5000 + "1" + ":0" * 5000 + "))",
    "conditions side by side": "x " + "&& x || y " * 5000,
    "prompts of prompts": "x='\\\\u'; for i in {1..2000}; do y=${x@P}; x=$y$y; done; run ${#x}",
    "many exports": "".join(f"export v{i}={i}\n" for i in range(3000)) + "for i in {1..9000}; do run; done",
    "a line that grows": 'while true; do read -r x <<< "$x a"; done; run $x',
    "lines in many pieces": "for i in {1..5000}; do echo $i; done | tee a | while read x; do run $x; done",
    "open brackets": "case x in " + "[" * 5000 + ") run;; esac; run " + "[" * 100_000,
    "open braces": "run " + "{" * 500_000 + "}",
    "cut piece by piece": "x=" + "a/" * 30_000 + "; while [[ $x == */* ]]; do x=${x#*/}; done; run $x",
    "capitals again and again": "x=" + "aB" * 300_000 + "; for i in {1..200}; do y=${x^^[a-f]}; done; run $y",
    "quoted again and again": "x='\\\\'; for i in {1..60}; do printf -v x %q \"$x\"; done; run ${#x}",
    "removed one by one": 'a=({1..30000}); for i in "${!a[@]}"; do unset "a[$i]"; done; run ${#a[@]}',
    "tests in parentheses": "[ " + r"\( " * 5000 + "1" + r" \)" * 5000 + " ] && run x",
    "conditions in a test": "[[ " + "a == b || " * 20_000 + "a ]] && run x",
    "groups that may be empty": "x="
    + "a" * 30
    + "; [[ $x =~ ^"
    + "(a?)" * 30
    + "a" * 30
    + "$ ]]; run ${BASH_REMATCH[1]}",
    "counted repetitions": "x=" + "a" * 20_000 + "; [[ $x =~ ((a{1,255}){1,255}){1,255}b ]]; run $?",
    "nested groups": "[[ x =~ " + "(" * 5000 + "x" + ")" * 5000 + " ]]; run $?",
    "command of commands": "command " * 5000 + "run x",
    "a stack of folders": "for i in {1..20000}; do pushd /x/$i; done; run $PWD",
    "ways through functions": "f() { if p; then a=$1; else b=$1; fi; }; "
    + "".join(f"f {i}; run $a $b\n" for i in range(1000)),
    "ways told apart by a list": "f() { if p; then l+=(yes); n=$((n + 1)); else l+=(no); m=$((m + 1)); fi; }\n"
    + "for i in {1..99}; do if [[ $i ]]; then f; f; fi; if [[ $i ]]; then f; f; fi; done",
    "trap in a trap": "trap 'trap \"run again\" EXIT; exit' EXIT; exit 1",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_an_answer_in_time(name: str) -> None:
    in_time(5, lambda: read_script(SCRIPTS[name], scripts={"script.sh": SCRIPTS[name]}))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < MEMORY


LONG = "v=x; for i in {1..20}; do v=$v$v; done; "

GROWING = {
    "words that are quoted again and again": """set -- "'"; for i in {1..60}; do set -- "${@@Q}"; done; run "$1\"""",
    "the variable of a loop": 'v=x; for i in {1..60}; do for v in "$v$v"; do :; done; done; run "$v"',
    "lines of both halves": 'mapfile m <<< x; for i in {1..60}; do mapfile m <<< "${m[*]}${m[*]}"; done; run "${m[0]}"',
    "changed case": 'set -- x; for i in {1..60}; do set -- "${1@U}${1@L}"; done; run "$1"',
    "output that is edited": 'x=x; for i in {1..60}; do x=$(echo "$x" | sed s/x/xx/g); done; run "$x"',
    "long words": LONG + 'for i in {1..9999}; do run "$v$i$v"; done',
    "parts of a long value": LONG + 'for i in {1..9999}; do l+=("${v:i}"); done; run "${l[@]}"',
    "long words that are quoted": LONG + 'for i in {1..15}; do l+=("$v" "${l[@]}"); done; run "${l[@]@Q}"',
    "long patterns of file names": LONG + "for i in {1..999}; do run $v*$i; done",
    "long files": LONG + 'for i in {1..9999}; do echo "$v$i" > f$i; done; run "$(cat f*)"',
}


@pytest.mark.parametrize("name", GROWING)
def test_text_that_grows_is_given_up(name: str) -> None:
    reading = in_time(5, lambda: read_script(GROWING[name]))
    words = [word for command in reading.commands for word in command.words]
    assert reading.unchecked or words[-1].value is None
    assert all(word.value is None or len(word.value) <= 1 << 20 for word in words)
    assert (
        sum(
            {id(piece): len(piece.text) for word in words for piece in word.pieces if isinstance(piece, Known)}.values()
        )
        < 1 << 29
    )


@pytest.mark.parametrize(
    "name",
    [
        "endless counter",
        "huge braces",
        "doubling",
        "recursion",
        "many ways",
        "fork bomb",
        "commands on many ways",
        "doubled arrays",
        "doubled words",
        "values that name two values",
        "conditions side by side",
        "tests in parentheses",
        "conditions in a test",
        "command of commands",
        "quoted again and again",
    ],
)
def test_what_was_not_read_is_said(name: str) -> None:
    assert read_script(SCRIPTS[name]).unchecked


@pytest.mark.parametrize(
    "number", ["9" * 5000, "-" + "9" * 5000, "1" + "0" * 400, "99999999999999999999", "²", "٣", ""]
)
@pytest.mark.parametrize(
    "script",
    [
        "shift N; run; exit N",
        "f() { return N; }; f; for i in 1; do break N; continue N; done; run",
        "run ${N} ${a[N]} ${@:N:N} ${x:N:N} $((N)) $((16#N)) $((N#1)) $((0xN)) {1..N} {a..z..N}",
        "[[ -v N || N -eq 1 || a =~ a{N} || a =~ a{1,N} ]]; [ N -eq N ]; ((N > 1)); run",
        "run >&N; run N>f; exec {n}>&N; read -u N x; run",
        "read -n N x <<< a; read -N N x <<< a; mapfile -n N -s N -O N -u N x <<< a; run $x",
        "printf '%d %x %o %c %u %f %e %Nd %.Nf %*d' N 0xN 0N N -N N 1eN 1 1 N 1; run",
        "OPTIND=N; getopts a x -a; a[N]=1; a=([N]=1); unset 'a[N]'; declare -i i=N; let i=N; run $i",
        "run ~N ~+N ~-N; pushd +N; dirs +N; trap x N; umask N; ulimit -n N; run",
        "run $(head -n N <<< a) $(tail -n +N <<< a) $(cut -fN <<< a) $(seq N) $(expr N + N) $(awk '{print $N}' <<< a)",
        "seq 3 | xargs -n N run; seq 3 | xargs -L N run; parallel -j N run ::: a; echo N+1 | bc",
        "select x in a b; do run $x; break; done <<< N",
        "printf '%(%Y)T' N; echo $'\\xN \\UN \\N'; LINENO=N; RANDOM=N; run $LINENO",
    ],
)
def test_any_number(script: str, number: str) -> None:
    assert read_script(script.replace("N", number)).path == "script.sh"


def test_reading_stops_with_a_position() -> None:
    reading = read_script("f() { f; f; }\nf\nrun after")
    stopped = [place for place in reading.unchecked if place.reason.startswith("reading stopped here")]
    assert len(stopped) == 1
    assert stopped[0].span.path == "script.sh"


@pytest.mark.parametrize(
    "script",
    [
        "for ((i=0;i<100000000;i++)); do x=$i; done; run $x",
        "n=0; while probe; do n=$((n+1)); done; run $n",
        "f() { (($1 < 2)) && echo 1 || echo $(($(f $(($1-1))) + $(f $(($1-2))))); }; run $(f 30)",
        "f() { n=$((n+1)); ((n < 200)) && f; }; n=0; f; run $n",
        'x=$(for i in {1..20000}; do echo $i; done); run "$x"',
        "for i in {1..20000}; do set -- $i; done; run $1",
        LONG + 'x=$(echo "$v"; echo b); run "${x:1048577}"',
    ],
)
def test_what_was_cut_short_is_unknown(script: str) -> None:
    command = read_script(script).commands[-1]
    assert command.words[0].value == "run"
    assert [word.value for word in command.words[1:]] == [None]
