"""Names that say something else than the values."""

import pytest

from lint.rules.naming.name_says_other_model import sizes
from tests.rules import pipeline
from tests.rules.factory import findings, subject

MODEL, NAME = "actor_rollout_ref.model.path", "trainer.experiment_name"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("qwen2_5_7b_grpo", {7.0, 5.7}),
        ("qwen2_5_1_5b", {5.0, 1.5}),
        ("run_qwen1_5b_gdpo.sh", {5.0, 1.5}),
        ("qwen2.5-0.5b", {0.5}),
        ("Qwen3-30B-A3B", {30.0}),
        ("run_qwen3_8b_fsdp.sh", {8.0, 3.8}),
        ("bucket_512_8bit", set()),
        ("gsm8k", set()),
        ("910B-fsdp2-tp2", set()),
    ],
)
def test_sizes_in_names(name: str, found: set[float]) -> None:
    assert sizes(name) == found


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("Qwen2.5-1.5B", "qwen1_5b"),
        ("Qwen2.5-7B", "qwen2_5_7b"),
        ("Qwen2-72B", "qwen2_70b"),
        ("Qwen3-8B", "from_4b_8b"),
    ],
)
def test_names_that_may_mean_the_model(model: str, name: str) -> None:
    assert not findings("name-says-other-model", subject({MODEL: f"Qwen/{model}", NAME: name}))


def test_an_experiment_that_is_named_after_another_model() -> None:
    (finding,) = findings("name-says-other-model", subject({MODEL: "Qwen/Qwen3-8B", NAME: "qwen3_4b"}))
    assert finding.message == "experiment_name is named qwen3_4b, and the model is Qwen/Qwen3-8B"
    assert not findings("name-says-other-model", subject({MODEL: "/models/mine", NAME: "qwen3_4b"}))


@pytest.mark.parametrize(
    ("path", "finds"),
    [
        ("/home/alice/models/q", True),
        ("/mnt/hdfs/bob/q", True),
        ("/home/user/q", False),
        ("/home/model/q", False),
        ("/data/q", False),
        ("Qwen/Q", False),
    ],
)
def test_paths_of_one_person(path: str, finds: bool) -> None:
    assert bool(findings("personal-path", subject({MODEL: path}))) is finds


@pytest.mark.parametrize(
    ("assignment", "finds"),
    [
        ("export https_proxy=http://10.0.0.1:3128", True),
        ("HTTP_PROXY=proxy:80", True),
        ("http_proxy=http://127.0.0.1:7890", False),
        ("http_proxy=", False),
        ("http_proxy=$SITE_PROXY", False),
    ],
)
def test_a_proxy_of_one_site(assignment: str, finds: bool) -> None:
    assert bool(pipeline.found("site-proxy", f"{assignment}\n")) is finds
