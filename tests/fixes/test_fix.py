"""Edits change what they name and leave every other character as it was."""

from hypothesis import given
from hypothesis import strategies as st

from lint.bash.reading import Known, Origin, Text, Unknown
from lint.findings import Edit, Finding, Fix
from lint.fixes.fix import apply, deciding_edit, edited
from lint.text import Source, Span


def edit(start: int, end: int, text: str) -> Edit:
    return Edit(Span("run.sh", start, end), text)


def finding(*edits: Edit, safe: bool = True) -> Finding:
    return Finding("one", "error", "high", edits[0].span, "m", fix=Fix("write it", safe, edits))


SOURCES = {"run.sh": Source("run.sh", "gen_tp=6 n=4\n")}


def test_fixes_that_do_not_touch_are_applied_together() -> None:
    applied = apply([finding(edit(7, 8, "8")), finding(edit(11, 12, "16"))], SOURCES, unsafe=False)
    assert applied.texts == {"run.sh": "gen_tp=8 n=16\n"}
    assert len(applied.fixed) == 2


def test_of_fixes_that_touch_the_first_is_applied() -> None:
    applied = apply([finding(edit(7, 8, "8")), finding(edit(7, 8, "4"))], SOURCES, unsafe=False)
    assert applied.texts == {"run.sh": "gen_tp=8 n=4\n"}
    assert len(applied.fixed) == 1


def test_a_fix_is_applied_whole_or_not_at_all() -> None:
    applied = apply([finding(edit(7, 8, "8")), finding(edit(11, 12, "1"), edit(7, 8, "4"))], SOURCES, unsafe=False)
    assert applied.texts == {"run.sh": "gen_tp=8 n=4\n"}


def test_unsafe_fixes_wait_to_be_asked_for() -> None:
    unsafe = [finding(edit(7, 8, "8"), safe=False)]
    assert apply(unsafe, SOURCES, unsafe=False).texts == {}
    assert apply(unsafe, SOURCES, unsafe=True).texts == {"run.sh": "gen_tp=8 n=4\n"}


def test_the_same_fix_of_two_findings_is_applied_once() -> None:
    applied = apply([finding(edit(7, 8, "8")), finding(edit(7, 8, "8"))], SOURCES, unsafe=False)
    assert applied.texts == {"run.sh": "gen_tp=8 n=4\n"}
    assert len(applied.fixed) == 2


@given(st.text(min_size=3, max_size=40), st.data())
def test_everything_outside_the_edits_stays(text: str, data: st.DataObject) -> None:
    bounds = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=4, max_size=4, unique=True)))
    first, second = edit(bounds[0], bounds[1], "<"), edit(bounds[2], bounds[3], ">")
    expected = f"{text[: bounds[0]]}<{text[bounds[1] : bounds[2]]}>{text[bounds[3] :]}"
    assert edited(text, [second, first]) == expected


# ------------------------------------------------------------------------------------- the literal that decides


def literal(text: str, script: str) -> Origin:
    start = script.index(text)
    return Origin(Span("run.sh", start, start + len(text)), "literal")


def through(name: str, source: Origin) -> Origin:
    return Origin(Span("run.sh", 0, 0), "expansion", name, (source,))


def deciding(script: str, value: str, written: str, new: str) -> str | None:
    """The script with the value changed, where it reaches its use through two variables."""
    origin = through("b", through("a", literal(written, script)))
    found = deciding_edit(Text((Known(value, origin),)), new, {"run.sh": Source("run.sh", script)})
    return None if found is None else edited(script, [found])


def test_the_edit_stands_at_the_assignment() -> None:
    assert deciding("gen_tp=6\n", "6", "6", "8") == "gen_tp=8\n"
    assert deciding("path='a b'\n", "a b", "'a b'", "c") == "path=c\n"
    assert deciding("path=x\n", "x", "x", "c d") == "path='c d'\n"


def test_a_value_that_is_not_one_literal_has_no_edit() -> None:
    sources = {"run.sh": Source("run.sh", "a=4\nb=8\n")}
    four, eight = literal("4", "a=4\nb=8\n"), literal("8", "a=4\nb=8\n")
    product = Origin(Span("run.sh", 0, 0), "arithmetic", None, (four, eight))
    joined = Text((Known("4", four), Known("8", eight)))
    assert deciding_edit(Text((Known("32", product),)), "16", sources) is None
    assert deciding_edit(joined, "16", sources) is None
    assert deciding_edit(Text((Unknown("output of `date`", four),)), "16", sources) is None
    assert deciding_edit(Text((Known("4", Origin(Span("run.sh", 0, 1), "environment", "X")),)), "16", sources) is None
