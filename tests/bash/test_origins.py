"""Where the text of a command comes from: the chain of places that decides it."""

from lint.bash.reading import Known, Origin, Text, Unknown
from tests.bash.real_bash import read_script


def chain(origin: Origin) -> list[tuple[str, str | None]]:
    """Kind and name of each step, along the first source."""
    steps: list[tuple[str, str | None]] = [(origin.kind, origin.name)]
    while origin.sources:
        origin = origin.sources[0]
        steps.append((origin.kind, origin.name))
    return steps


def words(script: str, **environment: str) -> tuple[Text, ...]:
    """The words of the last command of a script."""
    return read_script(script, environment=environment).commands[-1].words


def text_at(script: str, origin: Origin) -> str:
    """The source text of an origin."""
    return script[origin.span.start : origin.span.end]


def test_a_literal_is_its_own_origin() -> None:
    script = "run key=8"
    piece = words(script)[1].pieces[0]
    assert (piece.origin.kind, text_at(script, piece.origin)) == ("literal", "key=8")


def test_a_variable_leads_to_the_literal_that_was_assigned() -> None:
    script = "tp=8\nrun size=${tp}"
    key, value = words(script)[1].pieces
    assert chain(key.origin) == [("literal", None)]
    assert chain(value.origin) == [("expansion", "tp"), ("literal", None)]
    assert text_at(script, value.origin.sources[0]) == "8"


def test_an_array_element_leads_to_its_place_in_the_array() -> None:
    script = 'n=2\nARGS=(\n  a=1\n  b=$n\n)\nrun "${ARGS[@]}"'
    first, second = words(script)[1:]
    assert text_at(script, first.pieces[0].origin.sources[0]) == "a=1"
    assert chain(second.pieces[1].origin) == [("expansion", "ARGS"), ("expansion", "n"), ("literal", None)]


def test_a_default_that_was_taken_says_so() -> None:
    script = "X=${X:-5}\nrun $X"
    assert chain(words(script)[1].pieces[0].origin) == [("expansion", "X"), ("default", "X"), ("literal", None)]


def test_a_variable_of_the_environment_is_named() -> None:
    assert chain(words("run $X", X="9")[1].pieces[0].origin) == [("expansion", "X"), ("environment", "X")]


def test_arithmetic_has_the_origins_of_its_operands() -> None:
    script = "a=1024\nrun $((a * 20))"
    origin = words(script)[1].pieces[0].origin
    assert origin.kind == "arithmetic"
    assert ("expansion", "a") in [(source.kind, source.name) for source in origin.sources]


def test_a_variable_that_nothing_sets_leaves_an_empty_piece() -> None:
    piece = words("run data=${WORK_DIR}/x")[1].pieces[1]
    assert isinstance(piece, Known)
    assert (piece.text, piece.origin.kind, piece.origin.name) == ("", "unset", "WORK_DIR")


def test_an_unset_variable_stays_visible_through_an_assignment() -> None:
    piece = words("D=${WORK_DIR}/x\nrun data=$D")[1].pieces[1]
    assert chain(piece.origin) == [("expansion", "D"), ("unset", "WORK_DIR")]


def test_a_word_of_nothing_but_an_unset_variable_is_dropped() -> None:
    assert [word.value for word in words("run a $WORK_DIR b")] == ["run", "a", "b"]


def test_the_home_of_the_machine_is_unknown_unless_given() -> None:
    piece = words("run ${LOGNAME}/x")[1].pieces[0]
    assert isinstance(piece, Unknown)
    assert piece.reason == "value of $LOGNAME"


def test_a_counter_in_a_loop_keeps_a_short_chain() -> None:
    origin = words("for ((i=0; i<500; i++)); do j=$((j + 1)); done\nrun $j")[1].pieces[0].origin
    assert words("for ((i=0; i<500; i++)); do j=$((j + 1)); done\nrun $j")[1].value == "500"
    assert len(chain(origin)) < 8


def test_each_word_has_the_span_of_the_word_it_was_expanded_from() -> None:
    script = 'A=(x y)\nrun "${A[@]}" z'
    command = read_script(script).commands[0]
    assert [script[span.start : span.end] for span in command.word_spans] == ["run", '"${A[@]}"', '"${A[@]}"', "z"]


def test_a_position_inside_an_evaluated_string_is_the_position_in_the_string() -> None:
    script = "eval 'run key=8'"
    command = read_script(script).commands[0]
    assert script[command.span.start : command.span.end] == "run key=8"
    assert text_at(script, command.words[1].pieces[0].origin) == "key=8"


def test_a_word_out_of_a_string_leads_to_its_own_place_in_it() -> None:
    script = 'A="\n  one=1 \\\n  two=2"\nB="$A three=3"\nrun $B'
    places = []
    for word in words(script)[1:]:
        origin = word.pieces[0].origin
        while origin.sources:
            (origin,) = origin.sources
        places.append(text_at(script, origin))
    assert places == ["one=1", "two=2", "three=3"]


def test_unquoted_unknown_text_may_be_several_words() -> None:
    first, second = words('run $(ask) "$(ask)"')[1:]
    assert [piece.splits for piece in first.pieces if isinstance(piece, Unknown)] == [True]
    assert [piece.splits for piece in second.pieces if isinstance(piece, Unknown)] == [False]
