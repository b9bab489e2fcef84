"""A file that changes while it is open for reading."""

import pytest

from tests.bash.real_bash import assert_same_as_bash, read_script

LINES = "printf '%s\\n' one two three > f; "
RULES = {
    "nothing of it was read": 'exec 4< f; echo new > f; read a <&4; p "$a"',
    "it grows": 'exec 4< f; read a <&4; echo x >> f; while read b; do p "$b"; done <&4',
    "it grows while a loop reads it": 'i=0; while read -r x; do p "$x"; ((i++ < 4)) && echo "$x$i" >> f; done < f',
    "a subshell writes to it": 'exec 4< f; x=$(read a <&4; echo $a; (echo x >> f)); read a <&4; p "$x" "$a"; '
    'mapfile m <&4; p "${m[@]}"',
    "two descriptors": 'exec 4< f; exec 5<&4; read a <&5; echo four >> f; mapfile m <&4; p "${m[@]}"',
    "another file": 'exec 4< f; echo x > g; read a <&4; p "$a"; mapfile -t m < f; : > f; p "${m[@]}"',
}


@pytest.mark.parametrize("script", RULES.values(), ids=RULES)
def test_is_read_as_bash_runs_it(script: str) -> None:
    assert_same_as_bash(LINES + script)


@pytest.mark.parametrize(
    "script",
    [
        "exec 4< f; read a <&4; echo > f; echo x >> f; read a <&4",
        "exec 4< f; x > f; read a <&4",
        "exec 4<> f; read a < f",
    ],
)
def test_what_is_left_of_a_shorter_or_unknown_text_is_not_known(script: str) -> None:
    assert read_script(LINES + script + '; p "$a"').commands[-1].words[1].value is None
