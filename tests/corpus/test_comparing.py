"""Commands of real bash and of our reading are paired."""

from lint.bash.evaluator import read
from lint.bash.files import NoFiles
from lint.bash.parser import parse
from lint.text import Source
from tests.corpus.comparing import Comparison, Ours, compare
from tests.corpus.jail import Recorded


def _compared(text: str, *recorded: str) -> Comparison:
    script = parse(Source("run.sh", text))
    ours = Ours("run.sh", read(script, files=NoFiles()).commands, (script,), {})
    return compare(ours, Recorded([line.split() for line in recorded], "", ended=True), way={})


def test_unknown_words_may_be_anything() -> None:
    assert _compared('train "$(now)" last', "now", "train 2026 last").alike
    assert _compared('train "$(now)" last', "now", "train 2026").missing == [["train", "2026"]]


def test_the_vaguest_command_takes_what_the_others_leave() -> None:
    text = "name $(now)\nname -- $(now) -logs"
    assert _compared(text, "now", "name a", "now", "name -- a -logs").alike
    assert _compared(text, "now", "name -- a -logs", "now", "name a").alike


def test_a_command_that_bash_does_not_start_is_extra() -> None:
    assert _compared("train a\ntrain b", "train a").extra == [["train", "b"]]


def test_what_bash_starts_is_ours_of_the_same_way_before_one_of_another_way() -> None:
    text = 'if [[ $(now) == a ]]; then name=x; else name=$(now); fi\ntrain "$name"'
    assert _compared(text, "now", "now", "train x").alike


def test_each_turn_of_a_loop_takes_a_command_of_its_own() -> None:
    text = 'for each in 1 2; do train "$(now)"; done'
    assert _compared(text, "now", "train a", "now", "train b").alike


def test_scripts_that_bash_cannot_read_are_not_compared() -> None:
    assert "carriage returns" in _compared("if run\r\nthen\r\ntrain\r\nfi\r\n", "\r").note
