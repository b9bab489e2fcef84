"""Values that are packed once there are many."""

import pytest

from lint import packed
from lint.packed import Packed, sequence
from lint.text import Source


def test_what_is_packed_comes_back_equal_and_in_order() -> None:
    kept: Packed[str, Source] = Packed()
    sources = {f"{number}.sh": Source(f"{number}.sh", f"x={number}\ny=\udcff\n") for number in range(packed.FEW + 20)}
    kept.update(sources)
    assert dict(kept) == sources
    assert list(kept) == list(sources)
    assert len(kept) == len(sources)


def test_a_later_value_replaces_a_packed_one() -> None:
    kept: Packed[str, int] = Packed()
    kept.update({str(number): number for number in range(packed.FEW + 2)})
    last = str(packed.FEW + 1)
    assert kept[last] == packed.FEW + 1
    kept[last] = -1
    assert kept[last] == -1
    del kept[last]
    assert last not in kept
    assert "0" in kept


def test_a_sequence_is_the_same_however_long_it_is() -> None:
    for length in (0, packed.SHORT - 1, packed.SHORT, packed.SHORT + packed.PAGE + 1):
        values = sequence(f"value {number}" for number in range(length))
        assert list(values) == [f"value {number}" for number in range(length)]
        assert len(values) == length
    assert values[-1] == f"value {length - 1}"
    assert values[packed.PAGE - 1 : packed.PAGE + 1] == (f"value {packed.PAGE - 1}", f"value {packed.PAGE}")
    with pytest.raises(IndexError):
        values[length]
