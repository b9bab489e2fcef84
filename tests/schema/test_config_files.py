"""Config files are read as OmegaConf reads them."""

import pytest
import yaml
from omegaconf._utils import get_yaml_loader

from lint.schema.config_files import BadConfigFile, read_config

DOCUMENTS = [
    "lr: 1e-6\nmin: 1.0e-5\nhalf: .5\nminus: -1_000\nhex: 0x10\noctal: 010\nbinary: 0b11",
    "inf: .inf\nminus: -.INF\nword: inf",
    "on: on\nyes: yes\nn: n\nTrue: True\nquoted: 'yes'",
    "date: 2024-01-02\ntime: 12:30:45\nversion: 1.2.3",
    "nothing: null\ntilde: ~\nempty:\ntext: ''",
    "list: [1, 'a', null, {b: 2}]\ndict: {}\nnested:\n  deep:\n    - x: 1",
    "interpolation: ${a.b}\nmissing: ???\nmarks: '@#%'",
    "base: &base {a: 1}\nuse:\n  <<: *base\n  b: 2",
    "# only a comment\n",
    "",
]


@pytest.mark.parametrize("text", DOCUMENTS)
def test_reads_every_scalar_as_omegaconf_does(text: str) -> None:
    theirs = yaml.load(text, Loader=get_yaml_loader()) or {}
    assert repr(dict(read_config(text, "x.yaml").body)) == repr(theirs)


def test_takes_the_defaults_list_out_of_the_body() -> None:
    found = read_config("defaults:\n  - a: b\n  - _self_\nx: 1", "x.yaml")
    assert found.defaults == ({"a": "b"}, "_self_")
    assert found.body == {"x": 1}


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("# @package _global_\nx: 1", "_global_"),
        ("\n#@package a.b\nx: 1", "a.b"),
        ("# words\n# @package a\nx: 1", None),
        ("x: 1 # @package a", None),
    ],
)
def test_reads_the_package_header_of_the_first_comments(text: str, package: "str | None") -> None:
    assert read_config(text, "x.yaml").package == package


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: 1\na: 2", "some/file.yaml:2:1: found duplicate key a"),
        ("b: 1\na: [1", "some/file.yaml:3:1: "),
        ("- 1\n- 2", "not a mapping"),
        ("defaults: {a: b}", "must be a list"),
        ("# @package\nx: 1", "header"),
        ("!!python/object:os.system x", "could not determine a constructor"),
    ],
)
def test_names_what_is_wrong_with_a_file(text: str, reason: str) -> None:
    with pytest.raises(BadConfigFile, match=reason):
        read_config(text, "some/file.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "a0: &a0 [x, x, x]\n" + "".join(f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 9)}]\n" for i in range(12)),
        "a: &a [*a]\n",
        "a: " + "{a: " * 500 + "1" + "}" * 500,
        "a: " + "[" * 5000,
    ],
    ids=["aliases of aliases", "an alias of itself", "deep", "deep and unfinished"],
)
def test_a_file_that_would_fill_memory_is_refused(text: str) -> None:
    with pytest.raises(BadConfigFile):
        read_config(text, "some/file.yaml")
