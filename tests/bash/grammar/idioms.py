"""Random pieces of the kind that real scripts are made of: options, lists, defaults, logs, other shells."""

from __future__ import annotations

from random import Random

from tests.bash.grammar.choosing import ARRAYS, SCALARS, single_quoted
from tests.bash.grammar.words import double_quoted, word, words_of

ARGUMENTS = (
    *("--name x -v rest", "-v -n 3 --", "--name=y z", '"$@"', "", "-n", "a b -- -v", '--list "${l[@]}"', "-x --no-x"),
)
EDITED_LISTS = ("/#/--", "/%/.sh", "%.*", "^^", "/o/0", ":1", ": -2", ":0:$i", "#?", "@Q", "//[^a-z]/_", "/=/ }")
WHERE = (
    '"$0"',
    '"${0##*/}"',
    '"${BASH_SOURCE[0]}"',
    '"${BASH_SOURCE%/*}"',
    '"${FUNCNAME:-none}"',
    '"${!#}"',
    '"${@: -1}"',
)
UNKNOWN = (
    "$$",
    "$RANDOM",
    '"$SECONDS"',
    "$UID",
    "x$HOSTNAME",
    "$BASHPID",
    "$PPID",
    '"${EPOCHSECONDS}"',
    "$BASH_VERSION",
)


def idiom(random: Random, inner: str) -> str:
    """One piece; `inner` are commands to put into it."""
    kind = random.randint(0, 13)
    name, array = random.choice(SCALARS), random.choice(ARRAYS)
    if kind <= 1:
        return options_loop(random)
    if kind == 2:
        edit = random.choice(EDITED_LISTS)
        return random.choice(
            (
                f'{array}+=("${{{array}[@]{edit}}}" {word(random, 1)}); rec "${{{array}[@]}}"',
                f'rec run "${{{array}[@]{edit}}}" --last="${{{array}[*]{edit}}}"',
                f'{name}="${{{array}[*]{edit}}}"; rec "${name}" ${{#{array}[@]}}',
                f'set -- "${{@{edit}}}" {word(random, 1)}; rec $# "$@"',
            )
        )
    if kind == 3:
        return random.choice(
            (
                f'for i in "${{!{array}[@]}}"; do rec "$i=${{{array}[i]}}"; done; i=1',
                f'for ((q = 0; q < ${{#{array}[@]}}; q++)); do rec $q "${{{array}[q]-gap}}"; done',
                'for q in "${!d[@]}"; do rec "$q" "${d[$q]}"; done',
                f"for q in ${name} {{1..2}}; do {array}[q]+=x 2>/dev/null; done",
                f'while ((${{#{array}[@]}})); do rec "${{{array}[-1]}}"; unset "{array}[-1]" || break; done',
                'for q; do [[ $q == -* ]] && continue; rec "$q"; done',
            )
        )
    if kind == 4:
        operator = random.choice(("?", ":?"))
        given = random.choice((name, "none", "empty", "1", "l[1]", "d[none]"))
        return f"( : ${{{given}{operator}{random.choice(('', 'must be set', '$a'))}}}; rec on\n{inner}\n); rec $?"
    if kind == 5:
        return random.choice(
            (
                f': "${{none2:={double_quoted(random, 0)}}}"; rec "$none2"; unset none2',
                f"{name}=${{{name}:-{word(random, 0)}}}; rec ${name}",
                f'[[ -n ${name} ]] || {name}={word(random, 1)}; rec "${name}"',
                f'[ "${{{name}:-}}" = foo ] && {array}+=(--{name}); rec "${{{array}[@]}}"',
                f"((i > 1)) && {name}+=_big || {name}+=_small; rec ${name}",
                f'{name}=$([[ ${name} == f* ]] && echo "{name} starts" || echo no); rec "${name}"',
            )
        )
    if kind == 6:
        separator = random.choice((",", ":", ";", "/"))
        return random.choice(
            (
                f'IFS="{separator}" read -ra {array} <<< {double_quoted(random, 1)}; rec "${{{array}[@]}}"',
                f'joined=$(IFS="{separator}"; echo "${{{array}[*]}}"); rec "$joined"',
                f"mapfile -t {array} < <(printf '%s\\n' {words_of(random, 1, 3, 1)}); rec \"${{{array}[@]}}\"",
                f'{array}=($(echo {words_of(random, 1, 2, 1)})); rec ${{#{array}[@]}} "${{{array}[0]-}}"',
                f'{name}="${{{name}//{separator}/ }}"; for q in ${name}; do rec "$q"; done',
                f'printf -v {name} \'%s{separator}\' "${{{array}[@]}}"; rec "${{{name}%{separator}}}"',
            )
        )
    if kind == 7:
        outside, inside = random.choice(WHERE), random.choice(WHERE)
        return f"rec {outside}; f6() {{ rec {inside} {outside}; }}; f6 x y"
    if kind == 8:
        return f"rec {random.choice(UNKNOWN)} {word(random, 1)}"
    if kind == 9:
        given, more = word(random, 1), words_of(random, 1, 3, 1)
        tried = random.choice(("false", "rec x", "f y", "return 3"))
        return random.choice(
            (
                f"declare {name}=$(false); rec $?; {name}=$(exit 4); rec $?; local_test",
                f'log() {{ echo "[$1] ${{*:2}}" >&2; }}; log info {given} 2>/dev/null; rec $?',
                f'log2() {{ printf "%s: %s\\n" "$1" "${{@:2}}"; }}; {name}=$(log2 {more} 2>&1); rec "${name}"',
                f'die() {{ rec die "$*"; exit ${{1:-1}}; }}; ( [[ ${name} ]] || die 3 {given}; die ); rec $?',
                f'try() {{ local status=0; "$@" || status=$?; return $status; }}; try {tried} >/dev/null; rec $?',
            )
        )
    if kind <= 11:
        return other_shell(random)
    if kind == 12:
        given, more = word(random, 1), words_of(random, 0, 2, 1)
        mine = f'f8() {{ local -a mine=("$@"); mine+=({given}); echo "${{mine[@]}}"; }}'
        return random.choice(
            (
                f'f7() {{ local -n out=$1; out={given}; }}; f7 {name}; rec "${name}"',
                f'{mine}; {array}=($(f8 {more})); rec "${{{array}[@]}}"',
                f'f9() {{ local {name}; {name}=$(echo {given}) || return; echo "<${name}>"; }}; rec "$(f9)" "${name}"',
                "f2; rec $?",
            )
        )
    return f'{{ {inner}\n}} 2>&1 | while IFS= read -r line; do rec "got $line"; done' if "rec" not in inner else inner


def options_loop(random: Random) -> str:
    """Arguments taken one after the other."""
    test = random.choice(("[[ $# -gt 0 ]]", "(($#))", '[ -n "${1:-}" ]', "[[ -n ${1+x} ]]", '[ "$#" -ne 0 ]'))
    items = random.sample(
        (
            "-v | --verbose) ((verbose++)) ; shift ;;",
            "--name) name=$2; shift; shift ;;",
            '--name=*) name="${1#*=}"; shift ;;',
            "-n) i=${2:?}; shift 2 ;;",
            "--) shift; break ;;",
            '--no-*) rec "no ${1#--no-}"; shift ;;',
            '-[a-z]?*) set -- "${1:0:2}" "-${1:2}" "${@:2}" ;;',
            '-*) rec unknown "$1"; return 2 2>/dev/null ; shift ;;',
        ),
        random.randint(2, 5),
    )
    body = "\n".join(items)
    loop = f'while {test}; do\ncase "$1" in\n{body}\n*) m+=("$1"); shift ;;\nesac\ndone'
    call = f"parse {random.choice(ARGUMENTS)}"
    return f'parse() {{ local name=; {loop}\nrec "$name" "$@"; }}; {call}; rec $? "${{m[@]}}" ${{verbose-}}'


def other_shell(random: Random) -> str:
    """Another bash, by a text or a file."""
    name = random.choice(SCALARS)
    text = random.choice(
        (
            'rec "$0" "$@" $#',
            f'rec "[${name}]" "${{l[0]-no list}}"',
            "f x; rec $?",
            "a=inside; exit 3",
            'for q; do rec "$q"; done',
            "rec $- $BASH_SUBSHELL; set -u; rec $none; rec never",
            f"echo {word(random, 0)}".replace("'", ""),
        )
    )
    written = text if "rec" not in text else "exit 3"  # what `rec` prints is not known to us
    arguments = words_of(random, 0, 3, 1)
    options = random.choice(("", "", "-e ", "-u ", "-eu ", "-o pipefail "))
    before = random.choice(("", "", f"{name}=given ", f"export {name}; ", "set -a; ", "export -f f; "))
    return random.choice(
        (
            f"{before}/bin/bash {options}-c {single_quoted(text)} {arguments}; rec $?",
            f"{before}/bin/bash {options}<<'END'\n{text}\nEND\nrec $?",
            f"echo {single_quoted(text)} > ../f1; {before}/bin/bash {options}../f1 {arguments}; rec $?",
            f'{name}=$({before}/bin/bash {options}-c {single_quoted(written)} {arguments}); rec $? "${name}"',
            f"echo {single_quoted(text)} | {before}/bin/bash {options}-s {arguments}; rec $?",
        )
    )
