"""Behaviours are read from the code of a tree, whatever version it says it is."""

from pathlib import Path

from lint.schema.behaviours import awaited_behaviours, behaviours, gone_behaviours, known_behaviours
from lint.schema.load import load, shipped
from lint.schema.source_tree import Folder


def tree(folder: Path, files: dict[str, str]) -> Folder:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return Folder(folder)


def test_a_behaviour_holds_where_its_pattern_is_found(tmp_path: Path) -> None:
    path = "verl/workers/rollout/vllm_rollout/utils.py"
    assert "explicit_false_reaches_vllm" in behaviours(tree(tmp_path, {path: "def _optional_bool_vllm_args(): ...\n"}))


def test_an_absent_pattern_counts_only_where_the_file_exists(tmp_path: Path) -> None:
    assert "fsdp2_stages_shard" not in behaviours(tree(tmp_path, {"verl/__init__.py": ""}))
    path = "verl/workers/engine/fsdp/transformer_impl.py"
    assert "fsdp2_stages_shard" in behaviours(tree(tmp_path, {path: "class FSDPEngine: ...\n"}))
    assert "fsdp2_stages_shard" not in behaviours(tree(tmp_path, {path: "_skip_staging = True\n"}))


def test_the_release_that_defers_gradients_is_the_one_whose_recipe_ran_out_of_memory() -> None:
    """verl 0.9.0 keeps gradients unsharded between micro-batches; 0.8.0 does not, 0.9.1 has a key for it."""
    assert "deferred_gradient_sync" not in load("0.8.0").behaviours
    assert "deferred_gradient_sync" in load("0.9.0").behaviours


def test_every_probe_tells_some_releases_from_others() -> None:
    for name in set(known_behaviours()) - set(awaited_behaviours()) - set(gone_behaviours()):
        holders = [release for release in shipped() if name in load(release).behaviours]
        assert 0 < len(holders) < len(shipped()), name


def test_what_is_awaited_is_in_no_release_yet() -> None:
    shown = {name for release in shipped() for name in load(release).behaviours}
    assert set(awaited_behaviours()) & shown == set()


def test_what_is_gone_is_in_no_shipped_release_but_in_older_code(tmp_path: Path) -> None:
    shown = {name for release in shipped() for name in load(release).behaviours}
    assert set(gone_behaviours()) & shown == set()
    old = {
        "setup.py": "VLLM_REQUIRES = ['tensordict<=0.6.2', 'vllm<=0.8.2']\n",
        "pyproject.toml": 'dependencies = ["vllm<=0.6.3"]\n',
        "verl/workers/fsdp_workers.py": "class ActorRolloutRefWorker: ...\n",
        "verl/workers/actor/dp_actor.py": "entropy = self.compute_entropy_from_logits(logits)\n",
        "verl/workers/rollout/vllm_rollout/vllm_rollout_spmd.py": "LLM(enable_sleep_mode=True)\n",
    }
    assert set(gone_behaviours()) <= set(behaviours(tree(tmp_path, old)))
