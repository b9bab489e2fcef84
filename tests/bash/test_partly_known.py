"""Texts of which only a part is known, or only the characters: what follows from that without a run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lint.bash.programs.spelled import characters
from lint.bash.reading import Known, Origin, Piece, Text, Unknown
from lint.bash.unknown import is_list
from lint.bash.words import partly_known, pattern
from lint.text import Span
from tests.bash.real_bash import read_script

ORIGIN = Origin(Span("run.sh", 0, 0), "literal")
PIECES = st.one_of(
    st.text("ab", max_size=3).map(lambda text: Known(text, ORIGIN)),
    st.sampled_from(["", "a", "bc"]).map(lambda spelled: Unknown("?", ORIGIN, characters=spelled)),
)
PATTERNS = st.lists(
    st.sampled_from(["a", "b", "c", "*", "?", "[ab]", "[!a]", "@(a|b*)", "!(a)", "*(ab)", "+(b)"]), max_size=4
).map("".join)


def argv(script: str) -> list[list[str]]:
    return [[word.shown for word in command.words] for command in read_script(script).commands]


@given(st.lists(PIECES, min_size=1, max_size=4), PATTERNS, st.data())
def test_what_is_sure_holds_for_every_text_that_a_run_may_find(
    pieces: list[Piece], shape: str, data: st.DataObject
) -> None:
    sure = partly_known.matches(Text(tuple(pieces)), shape)
    found = "".join(
        piece.text
        if isinstance(piece, Known)
        else data.draw(st.text(piece.characters or "abcx", min_size=bool(piece.characters), max_size=3))
        for piece in pieces
    )
    assert sure in (None, pattern.matches(found, shape))


@pytest.mark.parametrize(
    ("test", "result"),
    [
        ('case x86-$(run) in arm*) p arm ;; x86*) p x86 ;; *) p other ;; esac', "x86"),
        ('case $(run).sh in *.py) p py ;; *.sh) p sh ;; esac', "sh"),
        ('[[ a$(run)b == *c ]]; p $?', "1"),
        ('[ "$(run)x" = y ]; p $?', "1"),
        ('[[ $PWD == /* ]]; p $?', "0"),
        ('[[ $(date +%Y) == [a-z]* ]]; p $?', "1"),
        ('[[ -n $(date +%Y) ]]; p $?', "0"),
        ('[ -z "$$" ]; p $?', "1"),
        ('[ $RANDOM = x ]; p $?', "1"),
    ],
)  # fmt: skip
def test_a_condition_that_the_known_part_decides_is_no_fork(test: str, result: str) -> None:
    assert [words for words in argv(test) if words[0] == "p"] == [["p", result]]


@pytest.mark.parametrize(
    "test",
    ['[[ a$(run) == *c ]]', '[[ $(date +%Y) == 20* ]]', '[[ -n $(run) ]]', '[[ x$(run) == !(xy) ]]', '[ "$PWD" = / ]'],
)  # fmt: skip
def test_a_condition_that_depends_on_the_unknown_part_stays_one(test: str) -> None:
    assert argv(f"if {test}; then p yes; else p no; fi")[-2:] in (
        [["p", "yes"], ["p", "no"]],
        [["p", "no"], ["p", "yes"]],
    )


@pytest.mark.parametrize(
    "word",
    ["$(date +%Y%m%d)", "run_$(date '+%F-%H_%M')", "$$", "$RANDOM", "$(nproc)", "$((RANDOM % 7))", "$(hostname -s)",
     "$(echo 'a b' | wc -l)", "$(expr 32 / $(nproc))", "${#HOSTNAME}",
     "$(shuf -i 30000-31000 -n 1)"],
)  # fmt: skip
def test_what_holds_no_separator_is_one_word_without_quotes(word: str) -> None:
    command = read_script(f"train {word} last").commands[-1]
    assert len(command.words) == 3
    assert not any(isinstance(piece, Unknown) and piece.splits for piece in command.words[1].pieces)


@pytest.mark.parametrize(
    "word", ["$(date)", "$(date '+%F %T')", "$(date +%A)", "$(date $X)", "$(run)", "$(wc -l file)"]
)
def test_what_may_hold_one_may_be_several_words(word: str) -> None:
    command = read_script(f"train {word}").commands[-1]
    assert any(isinstance(piece, Unknown) and piece.splits for piece in command.words[1].pieces)


def test_a_separator_of_the_script_splits_a_date() -> None:
    command = read_script("IFS=-; train $(date +%Y-%m)").commands[-1]
    assert any(isinstance(piece, Unknown) and piece.splits for piece in command.words[1].pieces)


def test_known_text_around_an_unknown_output_is_kept() -> None:
    assert argv('train "$(echo "a_$(run)_b")" last')[-1] == ["train", "a_<unknown: output of `run`>_b", "last"]


def test_an_element_at_an_unknown_key_is_not_spelled_like_the_key() -> None:
    command = read_script("declare -A m=([1]='a b'); train ${m[$RANDOM]}").commands[-1]
    assert any(isinstance(piece, Unknown) and piece.splits for piece in command.words[1].pieces)


@pytest.mark.parametrize(
    ("arguments", "spelled"),
    [
        (["+%Y%m%d"], "0123456789"),
        (["-u", "+%-H:%M"], "0123456789:"),
        (["+%s.%3N"], "-.0123456789"),
        (["+%:z"], "+-0123456789:"),
        (["+%_H"], " 0123456789"),
        (["+"], ""),
        (["+%B"], ""),
        (["+%Y%"], ""),
        ([], ""),
        ([None, "+%Y"], ""),
    ],
)
def test_a_date_is_spelled_as_its_format_says(arguments: list[str | None], spelled: str) -> None:
    assert characters("date", arguments) == spelled


def test_shift_takes_words_of_which_nobody_knows_how_many_they_are() -> None:
    reading = read_script(
        'f() { while [[ $# -gt 0 ]]; do shift; done; p "$@"; }; f $(date)x; g() { shift; p "$@"; }; g $(date)x y'
    )
    ends = [[word.shown for word in command.words] for command in reading.commands if command.words[0].value == "p"]
    assert ["p", "<unknown: arguments that `shift` leaves>"] in ends
    assert ends[-1] == ["p", "<unknown: arguments that `shift` leaves>", "y"]


def test_a_name_that_cannot_be_one_is_refused_unless_what_is_not_known_assigns() -> None:
    reading = read_script("trap 'p err' ERR; export $(date)-x; export $(date); p on")
    names = [[word.value for word in command.words] for command in reading.commands if command.words[0].value == "p"]
    assert names == [["p", "err"], ["p", "on"]]
    assert reading.forks == 1


def test_a_loop_over_nobody_knows_how_many_words_changes_what_its_next_turn_sees() -> None:
    reading = read_script("l=(); for v in $(date); do l+=(x); p $((i++)) same; q ${l[@]}; r; k=1; done")
    shown = [[word.shown for word in command.words] for command in reading.commands[1:]]
    unknown = "<unknown: depends on how often a loop runs>"
    assert shown == [["p", "0", "same"], ["p", unknown, "same"], ["q", "x"], ["q", unknown, "x"], ["r"]]


def test_a_menu_whose_answers_nobody_knows_changes_what_its_next_turn_sees() -> None:
    reading = read_script("select v in a b; do p $((i++)); q; done; r $i")
    shown = [[word.shown for word in command.words] for command in reading.commands]
    unknown = "<unknown: depends on how often a loop runs>"
    assert shown == [["p", "0"], ["p", unknown], ["q"], ["r"], ["r", unknown]]


@pytest.mark.parametrize("loop", ["for v in $(date); do", "select v in $(date); do", "while q; do"])
def test_a_list_that_a_loop_changes_is_a_list_of_nobody_knows_how_many(loop: str) -> None:
    reading = read_script(f'l=(a b); {loop} l+=(x); done; p "${{l[@]}}" z')
    words = [command.words for command in reading.commands if command.words[0].value == "p"]
    assert is_list(words[-1][1])
    assert [word.value for word in words[-1]] == ["p", None, "z"]
