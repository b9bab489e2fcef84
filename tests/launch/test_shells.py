"""Launches that a script gives to another shell: the trainer is found in its text, with what that shell knows."""

from collections.abc import Sequence

import pytest

from lint.bash.files import NoFiles
from lint.bash.parser import parse
from lint.checking.linter import read
from lint.launch.launch import Launch
from lint.launch.launches import Launches
from lint.text import Source

TRAINER = "python3 -m verl.trainer.main_ppo"


def launches_of(script: str) -> Sequence[Launch]:
    """The launches of a script that is read without any other file."""
    return list(Launches().of(read(parse(Source("run.sh", script)), {}, NoFiles())))


@pytest.mark.parametrize(
    ("line", "launcher"),
    [
        (f"nohup bash -c '{TRAINER} trainer.nnodes=2' > log 2>&1 &", "nohup python"),
        (f"srun -N 2 --gres=gpu:8 bash -c '{TRAINER} trainer.nnodes=2'", "srun python"),
        (f"bash -lc '{TRAINER} trainer.nnodes=2'", "python"),
        (f"ssh host 'cd /verl && {TRAINER} trainer.nnodes=2'", "ssh python"),
        (f"ssh host {TRAINER} trainer.nnodes=2", "ssh python"),
        (f"pdsh -Rssh -w node[1-4] 'cd /verl; {TRAINER} trainer.nnodes=2'", "pdsh python"),
        (f"pdsh -w node1,node2 {TRAINER} trainer.nnodes=2", "pdsh python"),
        (f"bsub -q gpu -n 4 '{TRAINER} trainer.nnodes=2'", "bsub python"),
        (f"bsub <<'END'\n#BSUB -n 4\n{TRAINER} trainer.nnodes=2\nEND", "bsub python"),
        (f"qsub -lselect=2 -q gpu -- /bin/bash -c '{TRAINER} trainer.nnodes=2'", "qsub python"),
        (f"docker compose exec -T trainer bash -c '{TRAINER} trainer.nnodes=2'", "docker compose exec python"),
        (f"docker exec box bash -c '{TRAINER} trainer.nnodes=2'", "docker exec python"),
        (f"docker run --rm image {TRAINER} trainer.nnodes=2", "docker run python"),
        (f"singularity exec --nv image.sif bash -c '{TRAINER} trainer.nnodes=2'", "singularity exec python"),
        (f"kubectl exec pod -- bash -c '{TRAINER} trainer.nnodes=2'", "kubectl exec python"),
        (f"timeout 5h xvfb-run -a conda run -n verl {TRAINER} trainer.nnodes=2", "timeout xvfb-run conda run python"),
        (f"tmux new-session -d -s train '{TRAINER} trainer.nnodes=2'", "tmux new-session python"),
        (f"tmux send-keys -t train '{TRAINER} trainer.nnodes=2' Enter", "tmux send-keys python"),
        (f"screen -dmS train bash -c '{TRAINER} trainer.nnodes=2'", "screen python"),
        (f"script -c '{TRAINER} trainer.nnodes=2' log", "script python"),
        (f"flock lock -c '{TRAINER} trainer.nnodes=2'", "flock python"),
        (f"sbatch --wrap='{TRAINER} trainer.nnodes=2'", "sbatch python"),
        (f"sbatch <<'END'\n#!/bin/bash\nsrun {TRAINER} trainer.nnodes=2\nEND", "sbatch srun python"),
        (f"ray job submit --working-dir . -- {TRAINER} trainer.nnodes=2", "ray job submit python"),
        (f"ray job submit --no-wait {TRAINER} trainer.nnodes=2", "ray job submit python"),
        (f"ray job submit -- bash -c '{TRAINER} trainer.nnodes=2'", "ray job submit python"),
        (f"eval '{TRAINER} trainer.nnodes=2'", "python"),
        (f"echo '{TRAINER} trainer.nnodes=2' | bash", "python"),
    ],
)
def test_a_launch_behind_every_shell(line: str, launcher: str) -> None:
    (found,) = launches_of(line)
    assert (found.entry_point, found.launcher) == ("verl.trainer.main_ppo", launcher)
    (override,) = found.overrides
    assert line[override.key_span.start : override.key_span.end] == "trainer.nnodes"
    assert line[override.value_span.start : override.value_span.end] == "2"


def test_ray_hands_on_what_the_runtime_environment_names() -> None:
    variables = '{"env_vars": {"VLLM_USE_V1": "1", "N": 2}, "working_dir": "."}'
    (found,) = launches_of(f"export A=1\nray job submit --runtime-env-json '{variables}' -- {TRAINER} trainer.nnodes=2")
    assert {name: text.value for name, text in found.environment.items()} == {"VLLM_USE_V1": "1", "N": "2"}
    assert "A" in found.command.outermost.environment


@pytest.mark.parametrize("text", ["", "{", "[]", '{"env_vars": 1}', '{"env_vars": null}', "{" * 5000])
def test_a_runtime_environment_that_is_no_json_is_left_out(text: str) -> None:
    (found,) = launches_of(f"ray job submit --runtime-env-json='{text}' -- {TRAINER}")
    assert found.environment == {}


def test_ray_gives_words_to_a_shell_again() -> None:
    (found,) = launches_of(f"ray job submit -- {TRAINER} \"data.train_files=['a','b']\" 'trainer.project_name=a b'")
    assert [o.value.value for o in found.overrides if o.value is not None] == ["[a,b]", "a b"]
