"""What a redirection takes back at its end, and what stays: `exec` in a group opens descriptors for good."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

RULES = {
    "a group": 'echo one > f; { exec 4< f; } <<< x; read a <&4; p "$a"; { exec 4>&-; } > g; read a <&4; p $?',
    "a loop": 'echo one > f; for v in 1; do exec 4< f; done > g; read a <&4; p "$a"',
    "a function": 'echo one > f; g() { exec 4< f; }; g 5> h; read a <&4; p "$a"; k() { exec 6< f; } 5> h; k; '
    'read a <&6; p "$a"',
    "a text": "echo one > f; eval 'exec 5< f' 6> h; read a <&5; p \"$a\"",
    "the descriptor of the redirection itself": 'echo one > f; { exec 4< f; } 4<<< x; read a <&4; p "$a" $?; '
    'g() { exec 5< f; } 5> h; g; read a <&5; p "$a" $?; { exec < f; } <<< x; exec 3> f; { exec 3>&-; } 3> g; '
    "echo hi >&3; p $?",
    "a copy of what the group writes to": 'echo one > f; { exec 4>&1; echo in >&4; } > g; echo out >&4; p "$(< g)"; '
    '{ exec 1> h; echo in; } > g; p "$(< h)" "$(< g)"',
    "a file that is not there": "p() { :; }; trap 'q exit' EXIT; mapfile -t m < none; q $?; read a < none; q $?; "
    "{ q never; } < none; q $?; f() { q never; }; f < none; q $?; q never < none; for v in 1; do q never; done < none; "
    'q "$(< none)"; set -e; : < none; q never',
    "a file whose name is split": "IFS=1; echo x > f1; read a < f$((1)); p $? $a; read a < f1; p $? $a",
}


@pytest.mark.parametrize("script", RULES.values(), ids=RULES)
def test_is_read_as_bash_runs_it(script: str) -> None:
    assert_same_as_bash(script)
