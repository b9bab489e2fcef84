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
        ("qwen3_06b_ppo", {0.6, 3.06}),
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


def test_the_end_of_a_path_tells_the_model() -> None:
    """verl's grpo_3b_gsm8k_fsdp2_2_6.sh: only the folder of the models depends on who runs it."""
    launch = f"python3 -m verl.trainer.main_ppo {MODEL}=$HOME/models/Qwen2.5-3B {NAME}=qwen3_06b\n"
    (finding,) = pipeline.found("name-says-other-model", launch)
    assert finding.message == "experiment_name is named qwen3_06b, and the model is Qwen2.5-3B"


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


@pytest.mark.parametrize(
    ("model", "name", "finds"),
    [
        ("Qwen/Qwen3-8B", "qwen2_5_8b_grpo", True),
        ("Qwen/Qwen3-8B", "llama3_8b_grpo", True),
        ("Qwen/Qwen2.5-7B", "qwen2_7b", False),
        ("Qwen/Qwen2.5-1.5B", "qwen1_5b", False),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B", "r1_qwen_1_5b", False),
        ("Qwen/Qwen3-8B", "gsm8k_grpo", False),
    ],
)
def test_an_experiment_that_is_named_after_another_family(model: str, name: str, finds: bool) -> None:
    assert bool(findings("name-says-other-model", subject({MODEL: model, NAME: name}, model=None))) is finds


# ------------------------------------------------------------------------------------------ what a script is called

LAUNCH = "python3 -m verl.trainer.main_ppo "
LOSS = "actor_rollout_ref.actor.policy_loss.loss_mode"


@pytest.mark.parametrize(
    ("path", "overrides", "finds"),
    [
        ("gspo_trainer/run_a.sh", "algorithm.adv_estimator=grpo", True),
        ("gspo_trainer/run_a.sh", f"{LOSS}=gspo", False),
        ("run_gspo_qwen3.sh", "algorithm.adv_estimator=grpo", True),
        ("grpo_trainer/run_a.sh", "algorithm.adv_estimator=rloo", True),
        ("grpo_trainer/run_a.sh", "algorithm.adv_estimator=grpo_passk", False),
        ("grpo_trainer/run_rloo.sh", "algorithm.adv_estimator=rloo", False),  # one of both is enough
        ("ppo_trainer/run_a.sh", "algorithm.adv_estimator=grpo", True),
        ("run_ppo_a.sh", "algorithm.adv_estimator=grpo", False),  # the trainers are all called ppo
        ("dapo_trainer/run_a.sh", "algorithm.filter_groups.enable=True", False),
        ("dapo_trainer/run_a.sh", "reward.reward_manager.name=dapo", False),
        ("dapo_trainer/run_a.sh", "algorithm.adv_estimator=grpo", True),
        ("sft/run_a.sh", "algorithm.adv_estimator=grpo", False),
        ("gspo_trainer/run_a.sh", f"{LOSS}=$(cat loss)", False),
    ],
)
def test_scripts_that_are_named_after_an_algorithm(path: str, overrides: str, finds: bool) -> None:
    assert bool(pipeline.found("name-says-other-algorithm", f"{LAUNCH}{overrides}\n", path)) is finds


def test_the_algorithm_that_runs_is_named_with_what_would_make_the_other() -> None:
    (finding,) = pipeline.found("name-says-other-algorithm", f"{LAUNCH}{LOSS}=vanilla\n", "gspo_trainer/run_a.sh")
    assert finding.message == "gspo_trainer/run_a.sh is named after gspo, and runs with loss_mode vanilla"
    assert finding.help == f"set {LOSS}=gspo, or name the script after what it runs"


@pytest.mark.parametrize(
    ("name", "overrides", "finds"),
    [
        ("run_a_megatron.sh", "", True),
        ("run_a_megatron.sh", "model_engine=megatron", False),
        ("run_a_mindspeed.sh", "model_engine=megatron", False),
        ("run_a_fsdp.sh", "actor_rollout_ref.actor.strategy=fsdp2", False),
        ("run_a_fsdp2.sh", "", True),
        ("run_a_fsdp2.sh", "actor_rollout_ref.actor.fsdp_config.strategy=fsdp2", False),
        ("run_a_megatron_fsdp.sh", "", False),
        ("run_a_megatron_lite.sh", "", False),
        ("run_a_sglang.sh", "actor_rollout_ref.rollout.name=vllm", True),
        ("run_a_sgl.sh", "actor_rollout_ref.rollout.name=sglang_async", False),
        ("run_a_vllm_sgl.sh", "actor_rollout_ref.rollout.name=sglang", False),
        ("run_a_fsdp2.sh", "actor_rollout_ref.actor.strategy=$(cat engine)", False),
    ],
)
def test_scripts_that_are_named_after_an_engine(name: str, overrides: str, finds: bool) -> None:
    assert bool(pipeline.found("name-says-other-engine", f"{LAUNCH}{overrides}\n", name)) is finds


def test_a_toggle_may_turn_a_script_into_what_it_is_not_named_after() -> None:
    script = f"LOSS=${{LOSS:-gspo}}\nif [[ $LOSS == vanilla ]]; then echo; fi\n{LAUNCH}{LOSS}=$LOSS\n"
    assert not pipeline.found("name-says-other-algorithm", script, "gspo_trainer/run_a.sh")


# ------------------------------------------------------------------------------------------------- lists of recipes

LISTED = {"examples/README.md": "<!-- recipes -->\n[a](grpo/run_a.sh) [b](grpo/run_b.sh)\n<!-- end -->\n"}


def test_a_script_that_the_list_leaves_out() -> None:
    (finding,) = pipeline.found("recipe-not-listed", LAUNCH, "examples/gspo/run_a.sh", LISTED)
    assert finding.message == "examples/README.md lists 2 recipes, and gspo/run_a.sh is not among them"
    assert not pipeline.found("recipe-not-listed", LAUNCH, "examples/grpo/run_a.sh", LISTED)


def test_a_script_that_starts_no_trainer_belongs_in_no_list() -> None:
    assert not pipeline.found("recipe-not-listed", "ray start --head\n", "examples/launch.sh", LISTED)


def test_a_readme_without_marks_is_no_list() -> None:
    prose = {"examples/README.md": "See [a](grpo/run_a.sh).\n"}
    for rule in ("recipe-not-listed", "listed-recipe-missing"):
        assert not pipeline.found(rule, LAUNCH, "examples/grpo/run_b.sh", prose)


def test_the_nearest_list_counts() -> None:
    nearer = {**LISTED, "examples/grpo/README.md": "<!-- recipes --> [c](run_c.sh) <!-- end -->"}
    assert not pipeline.found("recipe-not-listed", LAUNCH, "examples/grpo/run_c.sh", nearer)
    assert pipeline.found("recipe-not-listed", LAUNCH, "examples/grpo/run_a.sh", nearer)


def test_entries_without_a_file_are_found_where_they_stand() -> None:
    there = {**LISTED, "examples/grpo/run_a.sh": LAUNCH}
    (finding,) = pipeline.found("listed-recipe-missing", LAUNCH, "examples/grpo/run_a.sh", there)
    assert finding.message == "the list of recipes links grpo/run_b.sh, and there is no such file"
    text = LISTED["examples/README.md"]
    assert finding.span.path == "examples/README.md"
    assert text[finding.span.start : finding.span.end] == "grpo/run_b.sh"


@pytest.mark.parametrize("path", ["Qwen/Qwen3-33B", "$HOME/models/Qwen3-33B"])
def test_a_model_that_is_nearly_a_known_one_is_a_warning(path: str) -> None:
    script = f"python3 -m verl.trainer.main_ppo {MODEL}={path}"
    (finding,) = pipeline.found("model-misspelled", script)
    assert finding.severity == "warning"
    assert "Qwen3-32B has nearly the same" in finding.message
    assert not pipeline.found("model-misspelled", f"# recipe-lint: model=Qwen3-32B\n{script}")


@pytest.mark.parametrize("path", ["Qwen/Qwen3-32B", "our/house-model-7b", "/data/checkpoints/final"])
def test_a_model_that_is_known_or_like_no_other_is_no_misspelling(path: str) -> None:
    assert not pipeline.found("model-misspelled", f"python3 -m verl.trainer.main_ppo {MODEL}={path}")


def test_a_model_that_the_script_makes_under_a_known_name_is_no_misspelling() -> None:
    make = "python3 scripts/init_random_model.py --output_path Qwen2.5-0.5B"
    launch = f"python3 -m verl.trainer.main_ppo {MODEL}=Qwen2.5-0.5B"
    assert not pipeline.found("model-misspelled", f"{make}\n{launch}")
