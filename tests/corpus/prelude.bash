# Read by every bash of a jail before its script (BASH_ENV). Each command that bash cannot find is recorded, and
# succeeds, as our reading takes it: a folder that was to be made or cloned is there to change into.

declare +x CORPUS_CALLS
if [[ ! -v CORPUS_FOLDER ]]; then
    readonly CORPUS_FOLDER=/corpus
    readonly CORPUS_MOST=10000 # processes of one run; a process id says how many there were
    readonly CORPUS_WAITS=1000 # turns of loops that wait for something
fi

__end() {
    : >"$CORPUS_FOLDER/record/endless"
    builtin kill -KILL -1
}

__record() {
    local IFS=$'\x1f'
    builtin printf '%s\x1e' "$*" >>"$CORPUS_FOLDER/record/$BASHPID"
    ((BASHPID <= CORPUS_MOST)) || __end
}

command_not_found_handle() {
    __record "$@"
    set +eu
    if declare -F "__run_$1" >/dev/null; then
        "__run_$1" "${@:2}"
    elif [[ -x $CORPUS_FOLDER/tools/$1 ]]; then
        "$CORPUS_FOLDER/tools/$1" "${@:2}" 2>/dev/null
    fi
    return 0
}

__entered() { builtin printf '%s\n' "$PWD" >>"$CORPUS_FOLDER/record/folders"; }

__folders() {
    local name
    for name in "$@"; do
        [[ $name == -* ]] || "$CORPUS_FOLDER/mkdir" -p -- "$name" 2>/dev/null
    done
    return 0
}

# A script that is to be run and is not there: what bash says of it is perhaps not seen.
__look_for() {
    while [[ $1 == [-+]?* ]]; do
        [[ $1 != -*c* ]] || return 0
        if [[ $1 == [-+]*[oO]* ]]; then shift; fi
        shift
    done
    [[ -z $1 || -e $1 ]] || builtin printf '%s\n' "$1" >>"$CORPUS_FOLDER/record/lacked"
}

# The lines of the calls that led to the caller of this function, outermost first, each with a space.
__find_calls() {
    local -i each=${#BASH_LINENO[@]}-2
    calls=${CORPUS_CALLS-}
    for ((; each > 1; each--)); do calls+="${BASH_LINENO[each]} "; done
}

__called_from() {
    local calls each
    __find_calls
    for each in "$@"; do
        [[ $calls != "$each" ]] || return 0
    done
    return 1
}

__return() { return "$1"; }

# The files that a program makes are there afterwards, as our reading takes it; of what is missing, empty ones.
__made() {
    local name
    for name in "$@"; do
        [[ $name == -* || -e $name ]] || : >"$name"
    done 2>/dev/null
    return 0
}

__copied() {
    "$CORPUS_FOLDER/$1" "${@:2}" 2>/dev/null || { (($# < 3)) || [[ -d ${*: -1} ]] || __made "${@: -1}"; }
}

__run_mkdir() { __folders "$@"; }
__run_touch() { __made "$@"; }
__run_cp() { __copied cp "$@"; }
__run_mv() { __copied mv "$@"; }
__run_rm() { "$CORPUS_FOLDER/rm" "$@" 2>/dev/null; }
__run_chmod() { "$CORPUS_FOLDER/chmod" "$@" 2>/dev/null; }
__run_rmdir() { "$CORPUS_FOLDER/rm" -d "$@" 2>/dev/null; }
__run_bash() {
    local calls
    __find_calls
    __look_for "$@"
    CORPUS_STARTED=1 CORPUS_CALLS=$calls "$CORPUS_FOLDER/bash" "$@"
}
__run_sh() { __run_bash "$@"; }
__run_sleep() {
    builtin printf x >>"$CORPUS_FOLDER/waits"
    local waits
    waits=$(<"$CORPUS_FOLDER/waits")
    ((${#waits} < CORPUS_WAITS)) || __end
}
__run_which() { [[ $# != 1 || $1 == -* ]] || echo "/usr/bin/$1"; }
__run_nproc() { echo 8; }
__run_awk() { echo 1; }
__run_nvidia-smi() { builtin printf 'GPU %d\n' {0..7}; }
__run_hostname() { echo node; }
__run_shuf() { echo 1; }
__run_whoami() { echo me; }
__run_id() { if [[ $* == *n* ]]; then echo me; else echo 1000; fi; }
__run_uname() { if [[ $* == *m* ]]; then echo x86_64; else echo Linux; fi; }
__run_date() { echo 20260101; }
__run_mktemp() {
    builtin printf x >>"$CORPUS_FOLDER/made"
    local made name
    made=$(<"$CORPUS_FOLDER/made")
    name=/tmp/scratch.${#made} # the same in each run of a script
    if [[ " $* " == *" -d "* || " $* " == *" --directory "* ]]; then __folders "$name"; else : >"$name"; fi
    builtin printf '%s\n' "$name"
}

cd() {
    (($# == 0)) || [[ ! ${*: -1} ]] || __folders "${@: -1}" # `cd ""` goes nowhere
    builtin cd "$@" && __entered
}
pushd() {
    (($# == 0)) || [[ ${*: -1} == [+-]* ]] || __folders "${@: -1}"
    builtin pushd "$@" && __entered
}
# A program that a script asks for is on the machine, as far as the decisions of the run leave it at that.
command() {
    if [[ $1 == -v && $# == 2 ]] && ! builtin command -v -- "$2"; then
        builtin printf '/usr/bin/%s\n' "$2"
    elif [[ $1 != -v ]]; then
        builtin command "$@"
    fi
}
ulimit() { :; }
# What runs in the background is recorded before a script ends it.
kill() {
    local turns=0
    while [[ ${!#} != $$ && ${!#} == [0-9]* && $1 != -0 && -d /proc/${!#} ]] && ((turns++ < 20)); do
        "$CORPUS_FOLDER/sleep" 0.05
    done
    builtin kill "$@"
}
[[ -v CORPUS_KEEPS_EXEC ]] || exec() {
    if (($#)); then
        "$@"
        exit
    fi
}

# A program that the script wrote into a folder of `mktemp` is not one that we read.
__called() {
    if [[ $1 == /tmp/scratch.* ]]; then
        [[ :$PATH: != *":${1%/*}:"* ]] || set -- "${1##*/}" "${@:2}"
        __record "$@"
        exit 0
    fi
    __record "$@"
}

# Started as a program: by the name that is a file of the checkout, or of one that this run lacked.
if [[ -v CORPUS_STARTED ]]; then
    unset CORPUS_STARTED
elif [[ $0 == "$CORPUS_FOLDER"/path/* ]]; then
    command_not_found_handle "${0##*/}" "$@"
    exit
elif [[ $0 == /bin/sh ]]; then
    __record "$@"
    CORPUS_STARTED=1 builtin exec "$CORPUS_FOLDER/bash" "$@"
elif [[ $0 == /usr/bin/env ]]; then
    while [[ $1 == -* ]]; do shift; done
    __called "${@:2}"
    [[ $1 == *sh ]] || exit 0
    CORPUS_STARTED=1 builtin exec "$CORPUS_FOLDER/bash" "${@:2}"
else
    __called "$0" "$@"
fi
