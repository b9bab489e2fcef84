"""Aliases are replaced when a line is read, as in real bash."""

import pytest

from tests.bash.real_bash import assert_same_as_bash, read_script

ON = "shopt -s expand_aliases\n"


@pytest.mark.parametrize(
    "script",
    [
        "alias hi='run hello'\nhi",
        f"{ON}alias hi='run hello'\nhi a 'b c'\n\\hi; 'hi'; h''i",
        f"{ON}alias hi='run hello'; hi\nhi",
        "shopt -s expand_aliases; alias hi='run 1'\nhi; alias hi='run 2'; hi\nhi",
        "alias hi='run 1'\nhi\nshopt -s expand_aliases\nhi\nshopt -u expand_aliases\nhi",
        f"{ON}alias hi='run 1'\nf() {{ hi; }}\nalias hi='run 2'\nf; hi\nunalias hi\nhi; f",
        f"{ON}alias a='b 1' b='c 2' c='run 3'\na\nb",
        f"{ON}alias ls='ls -l' run='run x'\nls a\nrun b\nx=1 run $x",
        f"{ON}alias sudo='run sudo ' ll='ls -l' e='echo'\nsudo ll a\nsudo x ll\nsudo sudo ll",
        f"{ON}alias if_='if true; then' begin='{{' end='}}'\nif_ run 1; fi\nbegin run 2; end\nbegin\nrun 3\nend",
        f"{ON}alias two='run 1; run 2'\ntwo a | true; two && two\n(two); x=$(two)\nfor i in 1 2; do two $i; done",
        f"{ON}alias hi='run \"$x\"'\nx='a b'\nhi\neval hi; eval 'hi\nhi'\ntrap hi EXIT",
        f'{ON}x=1\nalias hi="run $x"\nx=2\nhi',
        f"{ON}alias quote='run \"'\nquote a \" b",
        f"{ON}alias r='run $LINENO'\nr\n\nr",
        f"{ON}if true; then\nalias hi='run 1'\nhi\nfi\nhi",
        f"{ON}echo 'hi; alias hi=\"run 2\"' > f; alias hi='run 1'\n. ./f\nhi",
        f"{ON}alias hi='run 1'\n(unalias hi); hi\nunalias -a\nhi\nunalias hi || run none",
        f"{ON}alias f='run x'\nfunction f {{ run 1; }}\nf\n\\f\nrun 2",
        f"{ON}cat=1\nalias v='run <<END'\nv\ntext\nEND\nrun after",
    ],
)
def test_as_in_real_bash(script: str) -> None:
    assert_same_as_bash(script)


def test_words_of_an_alias_are_where_the_alias_is_written() -> None:
    script = f"{ON}alias train='python3 -m trainer a=1'\ntrain b=2"
    command = read_script(script).commands[0]
    places = [word.pieces[0].origin.span for word in command.words]
    assert [script[place.start : place.end] for place in places] == ["python3", "-m", "trainer", "a=1", "b=2"]
