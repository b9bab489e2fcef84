"""Programs whose output follows from their arguments and a known input, and those whose output does not."""

import pytest

from tests.bash.real_bash import read_script

KNOWN = {
    "basename /a/b/run.sh .sh": "run",
    "basename -- a/b/": "b",
    "dirname /a/b/c": "/a/b",
    "dirname file": ".",
    "echo 0,1,2,3 | tr , '\\n' | wc -l": "4",
    "echo 0,1,2,3 | tr -d ,": "0123",
    "echo Qwen/Qwen3 | tr '[:upper:]' '[:lower:]'": "qwen/qwen3",
    "echo a:b:c | cut -d: -f2": "b",
    "echo a:b:c | cut -d : -f 2-": "b:c",
    "echo 0,1,2 | awk -F, '{print NF}'": "3",
    "echo 'a  b c' | awk '{print $2}'": "b",
    "echo 'a b' | awk '{ print $NF }'": "b",
    "echo '(1024 + 8) * 2' | bc": "2064",
    "seq -s, 1 4": "1,2,3,4",
    "seq 3 -1 2 | head -n 1": "3",
    "seq 3 | tail -1": "3",
    "expr 7 / 2": "3",
    "echo a-b-c | sed 's/-/_/g'": "a_b_c",
    "echo '  a   b ' | xargs": "a b",
    "printf 'a\\nb\\n' | paste -sd,": "a,b",
    "cat <<< here": "here",
    "echo x | tee log": "x",
}
UNKNOWN = [
    "date +%s",
    "cat file",
    "echo a | sed 's/./x/'",
    "echo a | awk '/a/ {print}'",
    "echo '1.5 * 2' | bc",
    "date | tr a b",
    "seq 1 100000000",
    "nproc",
]


@pytest.mark.parametrize("command", KNOWN)
def test_known(command: str) -> None:
    assert read_script(f'run "$({command})"').commands[-1].words[1].value == KNOWN[command]


@pytest.mark.parametrize("command", UNKNOWN)
def test_unknown_says_which_command(command: str) -> None:
    word = read_script(f'run "$({command})"').commands[-1].words[1]
    assert word.value is None
    assert word.shown == f"<unknown: output of `{command}`>"


def test_the_folder_of_the_script_can_be_followed() -> None:
    script = 'D="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\nrun "$(basename "$D/x.sh" .sh)" "${D##*/}" "$D/y"'
    words = read_script(script).commands[-1].words
    assert words[1].value == "x"
    assert words[3].shown == "<unknown: working directory>/y"
