"""An arithmetic error ends a command, a loop or a line; what comes after it is read all the same."""

import pytest

from tests.bash.real_bash import assert_same_as_bash

SCRIPTS = {
    "in the beginning": "for ((i=1/0; i<3; i++)); do p $i; done; p same $?\np next",
    "in the condition": "for ((i=0; i<3/0; i++)); do p $i; done; p same $?",
    "in the step": "for ((i=0; i<3; i+=1/0)); do p $i; done; p same $? $i",
    "a syntax error in the step": "for ((i=0; i<3; i=+)); do p $i; done; p same $? $i",
    "no number": "for ((i=0; i<2; 08)); do p $i; i=$((i+1)); done; p same $?",
    "a variable that is not set": "for ((i=0; i<$u; i++)); do p x; done; p $?",
    "in an expansion": "for ((i=0; i<$((1/0)); i++)); do p $i; done; p same\np next $?",
    "in a function": "g() { for ((i=0; i<3; i+=1/0)); do p $i; done; p in $?; return 3; }\ng; p same $?",
    "in a condition": "if for ((;1/0;)); do p $i; done; then p y; else p n; fi; while ((1/0)); do p x; done; p $?",
    "in a loop in a loop": "for ((i=0; i<2; i++)); do for ((k=0; k<1/0; k++)); do p; done; p out $? $i; done",
    "under errexit": "set -e; for ((i=0; i<3; i+=1/0)); do p $i; done; p next",
    "under nounset": "set -u; for ((i=0; i<1; i+=nope)); do p x; done; p same",
    "a readonly variable": "readonly r=1; for ((r=0; r<3; r++)); do p x; done; p $?\nfor ((;;r++)); do p y; done; p $?",
    "in a test": "[[ 1/0 -eq 1 ]]; p $?; [[ 08 -eq 8 ]] || p or; if [[ 1/0 -eq 1 ]]; then p y; else p n; fi",
    "in let": 'let "x=1/0"; p $?; let 1/0 || p or',
    "in an attribute": "declare -i n; n=1/0; p same\np next $?",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_as_bash(name: str) -> None:
    assert_same_as_bash(SCRIPTS[name], status=False)
