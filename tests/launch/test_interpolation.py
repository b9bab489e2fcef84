"""Interpolations resolve as OmegaConf resolves them."""

import pytest
from omegaconf import OmegaConf

from lint.launch.config import UNKNOWN
from lint.launch.effective import Defaults
from lint.launch.interpolation import Resolver, Unresolvable, followed_key, is_valid, split_key

TREE = {
    "a": {"b": 1, "text": "x", "list": [1, {"c": 2}], "none": None, "node": {"n": 5}},
    "up": {"down": {"own": 3, "sibling": "${.own}", "above": "${..side}"}, "side": 4},
}


@pytest.mark.parametrize(
    "text",
    [
        "${a.b}",
        "${a.text}/${a.b}",
        "pre-${a.b}-post",
        "${a.list}",
        "${a.list.1.c}",
        "${a.list[0]}",
        "${a[text]}",
        "${a.none}",
        "${a.node}",
        "${up.down.sibling}",
        "${up.down.above}",
        "${oc.select:a.b}",
        "${oc.select:a.b,7}",
        "${oc.select:a.nothing,7}",
        "${oc.select:a.nothing,false}",
        "${oc.select:a.nothing,null}",
        "${oc.select:a.nothing,1e-6}",
        "${oc.select:a.nothing,some text}",
        "${oc.select:a.nothing,'quoted, text'}",
        "${oc.select:a.nothing}",
        "${oc.select:a.nothing,${a.b}}",
        "${oc.select:a.nothing,${oc.select:a.other,9}}",
    ],
)
def test_resolves_to_what_omegaconf_resolves_to(text: str) -> None:
    theirs = OmegaConf.to_container(OmegaConf.create({**TREE, "value": text}), resolve=True)
    assert isinstance(theirs, dict)
    ours = Resolver(TREE, {}).resolve(text, "value")
    assert ours == theirs["value"]
    assert type(ours) is type(theirs["value"])


@pytest.mark.parametrize("text", ["${a.nothing}", "${nothing}", "${a.text.more}", "x${a.list.9}", "${a.list.x}"])
def test_what_leads_nowhere_is_an_error(text: str) -> None:
    with pytest.raises(Unresolvable):
        Resolver(TREE, {}).resolve(text, "value")


def test_a_circle_is_an_error() -> None:
    with pytest.raises(Unresolvable, match="circle"):
        Resolver({"a": "${b}", "b": "${a}"}, {}).resolve("${a}", "c")


@pytest.mark.parametrize("text", ["${now:%Y}", "${oc.env:HOME}", "x ${mine:1}", "\\${a.b}", "${a.${x}}", "${a.b"])
def test_what_only_a_run_could_tell_is_unknown(text: str) -> None:
    assert Resolver(TREE, {}).resolve(text, "value") is UNKNOWN


def test_a_variable_that_the_launch_sets_is_known() -> None:
    assert Resolver(TREE, {"DIR": "/data"}).resolve("${oc.env:DIR}/x", "value") == "/data/x"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("${a.b}", "a.b"),
        ("${.x}", "here.x"),
        ("${..x}", "x"),
        ("${oc.select:a.b,3}", "a.b"),
        ("${a.b}/x", None),
        ("${oc.env:X}", None),
        ("plain", None),
        (3, None),
    ],
)
def test_knows_which_key_a_value_follows(text: object, key: "str | None") -> None:
    assert followed_key(text, "here.value") == key


@pytest.mark.parametrize(("text", "valid"), [("${a.b}", True), ("${", False), ("${a", False), ("${a:b,'c'}", True)])
def test_tells_text_that_omegaconf_cannot_read(text: str, valid: bool) -> None:
    assert is_valid(text) is valid


def test_splits_keys_with_brackets() -> None:
    assert split_key("a.b[0].c[d]") == ("a", "b", "0", "c", "d")


def test_a_default_that_asks_the_environment_is_not_that_of_another_launch() -> None:
    defaults = Defaults({"a": "${oc.env:NAME}", "b": "${a}", "c": "${d}", "d": 1})
    assert [defaults.value("b", {"NAME": name}) for name in ("one", "two")] == ["one", "two"]
    assert [defaults.value("c", {"NAME": name}) for name in ("one", "two")] == [1, 1]
