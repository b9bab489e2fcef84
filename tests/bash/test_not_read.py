"""What bash does and the reading does not follow is said, not passed over."""

import pytest

from tests.bash.real_bash import read_script

SAID = {
    "a bad substitution": ("p ${x!}", "bad substitution"),
}

NOT_SAID = {
    "a trap that is taken back": "trap - DEBUG; trap '' RETURN",
    "an alias of a script": "alias hi='p hello'\nhi",
    "a trap of DEBUG": "trap 'p x' DEBUG; p",
    "an alias": "shopt -s expand_aliases\nalias hi='p hello'\nhi",
    "a pipeline that ends in the shell itself": "shopt -s lastpipe; echo x | read -r v; p $v",
    "a list of one word as a pattern": 'set -- a; case a in "$@") p;; esac',
    "a list that is compared": 'set -- a b; case "$@" in "a b") p;; esac',
}


@pytest.mark.parametrize("name", SAID)
def test_is_said(name: str) -> None:
    script, reason = SAID[name]
    assert any(reason in unchecked.reason for unchecked in read_script(script).unchecked)


@pytest.mark.parametrize("name", NOT_SAID)
def test_is_not_said(name: str) -> None:
    assert not read_script(NOT_SAID[name]).unchecked
