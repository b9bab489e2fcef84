"""Which commands are launches, and where their parts are written."""

from dataclasses import replace

import pytest

from lint.bash.origins import wrap
from lint.bash.reading import Known, Origin, RunCommand, Text, Unknown
from lint.launch.find import find
from lint.text import Span
from tests.launch.witness import command, launch

PPO = "verl.trainer.main_ppo"


@pytest.mark.parametrize(
    ("line", "launcher"),
    [
        (f"python -m {PPO}", "python"),
        (f"python3.11 -u -X dev -W ignore -m {PPO}", "python"),
        (f"/usr/bin/python3 -um {PPO}", "python"),
        (f"python3 -m{PPO}", "python"),
        (f"python3 -W ignore -OOum{PPO}", "python"),
        (f"python3 -mtorch.distributed.run --nnodes 2 -m {PPO}", "python torch.distributed.run"),
        ("python3 verl/trainer/main_ppo.py", "python"),
        ("python3 /root/verl/verl/trainer/main_ppo.py", "python"),
        (f"torchrun --nnodes 2 --nproc_per_node=8 -m {PPO}", "torchrun"),
        ("torchrun --standalone verl/trainer/main_ppo.py", "torchrun"),
        (f"python -m torch.distributed.run --nproc_per_node 8 -m {PPO}", "python torch.distributed.run"),
        (f"uv run --frozen --extra vllm python3 -m {PPO}", "uv run python"),
        (f"uv run -m {PPO}", "uv run"),
        ("uv run verl/trainer/main_ppo.py", "uv run"),
        (f"uv -v run --extra fsdp torchrun --nnodes 2 -m {PPO}", "uv run torchrun"),
        (f"accelerate launch --num_processes 8 -m {PPO}", "accelerate launch"),
        (f"accelerate launch --num-processes 8 --config_file a.yaml --module {PPO}", "accelerate launch"),
        (f"torchrun --nproc-per-node 8 --master_addr x --virtual-local-rank -m {PPO}", "torchrun"),
        (f"deepspeed --num_gpus 8 --module {PPO}", "deepspeed"),
        (f"msrun --worker_num 8 --join True -m {PPO}", "msrun"),
        (f"env -u X A=1 B=2 python3 -m {PPO}", "env python"),
        (f"nohup stdbuf -oL timeout -k 5 5h python3 -m {PPO}", "nohup stdbuf timeout python"),
        (f"exec -a name command time -p python3 -m {PPO}", "exec command time python"),
        (f"srun -N 2 --gres=gpu:8 --ntasks-per-node 1 python3 -m {PPO}", "srun python"),
        (f"numactl -N 0 -m 0 taskset 0xff nice -n 5 python3 -m {PPO}", "numactl taskset nice python"),
        (f"mpirun -np 16 --mca btl tcp -x LD_LIBRARY_PATH python3 -m {PPO}", "mpirun python"),
        (f"nsys profile -o out -t cuda python3 -m {PPO}", "nsys profile python"),
        (f"conda run -n verl python3 -m {PPO}", "conda run python"),
        (f"torchrun --nnodes 1 -m wrapper.launch {PPO}", "torchrun"),
        (f"python3 -m debugpy --listen 5678 --wait-for-client -m {PPO}", "python debugpy"),
        ("python3 -m debugpy --listen 5678 verl/trainer/main_ppo.py", "python debugpy"),
        (f"debugpy --connect host:5678 --configure-subProcess true -m {PPO}", "debugpy"),
        (f"python3 -m pdb -c continue -m {PPO}", "python pdb"),
        (f"python3 -m cProfile -o out -m {PPO}", "python cProfile"),
        (f"python3 -m viztracer --max_stack_depth 9 -m {PPO}", "python"),
        (f"docker compose -f stack.yaml exec -T -e A=1 trainer python3 -m {PPO}", "docker compose exec python"),
        (f"docker-compose run --rm -v /data:/data trainer python3 -m {PPO}", "docker-compose run python"),
        (f"qsub -lselect=2 -q gpu -- /usr/bin/python3 -m {PPO}", "qsub python"),
    ],
)
def test_finds_the_entry_point_through_every_launcher(line: str, launcher: str) -> None:
    found = launch(*line.split(), "trainer.nnodes=2")
    assert (found.entry_point, found.launcher) == (PPO, launcher)
    assert [override.key for override in found.overrides] == ["trainer.nnodes"]


@pytest.mark.parametrize(
    "line",
    [
        "ls -l",
        "python3",
        "python3 -",
        "python3 -c print(1)",
        "python3 -m pytest -x tests",
        "python3 -m vllm.entrypoints.api_server --port 80",
        "python3 tool.py input=1",
        "torchrun --nproc-per-node=2",
        f"torchrun --no-python bash -c {PPO}",
        f"echo python -m {PPO}",
        "ray start --head",
        "env A=1",
    ],
)
def test_other_commands_are_no_launches(line: str) -> None:
    assert find(command(line.split())) is None


def test_a_python_program_with_dotted_overrides_is_a_launch() -> None:
    found = launch("python3", "recipe/mine/main_mine.py", "actor.lr=1")
    assert found.entry_point == "recipe.mine.main_mine"


def test_reads_hydras_flags() -> None:
    found = launch("python3", "-m", PPO, "--config-path=cfg", "-cn", "other", "--config-d", "more", "a.b=1", "-m")
    flags = (found.config_path, found.config_name, found.config_dir)
    assert [flag.value for flag in flags if flag is not None] == ["cfg", "other", "more"]
    assert found.multirun
    assert found.other == ()


def test_what_argparse_does_not_take_is_kept_apart() -> None:
    found = launch("python3", "-m", PPO, "a.b=1", "word", "--mine", "c.d=2", "-1")
    assert [override.key for override in found.overrides] == ["a.b"]
    assert found.other == (4, 5, 6, 7)


def test_words_after_two_dashes_are_overrides() -> None:
    assert [override.key for override in launch("python3", "-m", PPO, "--", "a.b=1").overrides] == ["a.b"]


def test_splits_an_override_and_knows_where_its_parts_are() -> None:
    override = launch("python3", "-m", PPO, "++a.b@c.d=x=1").overrides[0]
    assert (override.prefix, override.key, override.package, override.index) == ("++", "a.b", "c.d", 3)
    assert override.value is not None
    assert override.value.value == "x=1"
    start = len(f"python3 -m {PPO} ")
    assert (override.key_span.start, override.key_span.end) == (start + 2, start + 5)
    assert (override.value_span.start, override.value_span.end) == (start + 10, start + 13)


def test_a_deletion_needs_no_value() -> None:
    override = launch("python3", "-m", PPO, "~a.b").overrides[0]
    assert (override.prefix, override.key, override.value) == ("~", "a.b", None)


# ------------------------------------------------------------------------------------- words that expansions pass on


def passed_on(*pieces: "Known | Unknown") -> RunCommand:
    """A launch with one more word, whose pieces come out of `"${ARGS[@]}"` at 100 to 112."""
    base = command(["python3", "-m", PPO])
    use = Span("script.sh", 100, 112)
    wrapped = wrap(Text(pieces), use, "expansion", "ARGS")
    return replace(base, words=(*base.words, wrapped), word_spans=(*base.word_spans, use))


def literal(text: str, start: int) -> Known:
    return Known(text, Origin(Span("script.sh", start, start + len(text)), "literal"))


def test_an_override_is_placed_where_the_array_element_is_written() -> None:
    size = Known("8", Origin(Span("script.sh", 15, 22), "expansion", "SIZE", (literal("8", 3).origin,)))
    found = find(passed_on(literal("+a.size=", 7), size))
    assert found is not None
    override = found.overrides[0]
    assert (override.span.start, override.span.end) == (7, 22)
    assert (override.key_span.start, override.key_span.end) == (8, 14)
    assert (override.value_span.start, override.value_span.end) == (15, 22)


def test_an_unknown_value_stays_unknown_and_an_unknown_key_is_no_override() -> None:
    unknown = Unknown("output of `date`", Origin(Span("script.sh", 15, 22), "substitution"))
    found = find(passed_on(literal("a.b=", 7), unknown))
    assert found is not None
    assert found.overrides[0].value is not None
    assert found.overrides[0].value.value is None
    found = find(passed_on(literal("a.", 7), unknown, literal("=1", 30)))
    assert found is not None
    assert (found.overrides, found.other) == ((), (3,))


def test_an_unknown_word_among_options_is_taken_for_options() -> None:
    base = command(["torchrun", "OPTIONS", "-m", PPO])
    unknown = Text((Unknown("unset", Origin(Span("script.sh", 0, 1), "unset"), splits=True),))
    found = find(replace(base, words=(base.words[0], unknown, *base.words[2:])))
    assert found is not None
    assert found.entry_point == PPO


# ------------------------------------------------------------------------------------------------------ environment


def test_launchers_add_to_the_environment() -> None:
    found = launch("env", "A=b=c", "mpirun", "-x", "B=1", "python", "-m", PPO)
    assert {name: text.value for name, text in found.environment.items()} == {"A": "b=c", "B": "1"}


def test_options_of_launchers_are_kept() -> None:
    found = launch("torchrun", "--nnodes", "2", "--nproc_per_node=8", "-m", PPO)
    assert {name: text.value for name, text in found.launcher_options.items()} == {
        "--nnodes": "2",
        "--nproc_per_node": "8",
    }


def test_an_option_whose_value_is_not_known_is_kept_as_unknown() -> None:
    unknown = Unknown("value of $NODES", Origin(Span("run.sh", 0, 1), "unset"))
    known = Known("--nnodes=", Origin(Span("run.sh", 0, 1), "literal"))
    plain = command(["torchrun", "--nnodes=", "-m", PPO])
    words = (plain.words[0], Text((known, unknown)), *plain.words[2:])
    found = find(replace(plain, words=words))
    assert found is not None
    assert found.launcher_options["--nnodes"] == Text((unknown,))


@pytest.mark.parametrize("flags", ["-m ", "-u -m ", "-um ", "-m", "-um"])
def test_a_program_of_unknown_name_that_runs_a_module_is_a_python(flags: str) -> None:
    unknown = Text((Unknown("output of `which python3`", Origin(Span("run.sh", 0, 1), "substitution")),))
    plain = command(["python3", *f"{flags}{PPO}".split(), "trainer.nnodes=2"])
    found = find(replace(plain, words=(unknown, *plain.words[1:])))
    assert found is not None
    assert (found.entry_point, found.launcher) == (PPO, "python")


def test_a_program_of_unknown_name_that_has_another_option_m_is_none() -> None:
    unknown = Text((Unknown("output of `which grep`", Origin(Span("run.sh", 0, 1), "substitution")),))
    plain = command(["grep", "-m1", "trainer.nnodes=2", "run.sh"])
    assert find(replace(plain, words=(unknown, *plain.words[1:]))) is None


@pytest.mark.parametrize("flags", ["-m", "-um"])
def test_the_span_of_an_entry_point_leaves_out_the_option_before_it(flags: str) -> None:
    span = launch("python3", f"{flags}{PPO}", "trainer.nnodes=2").entry_span
    assert (span.end - span.start, span.start) == (len(PPO), len(f"python3 {flags}"))


def test_a_word_that_is_not_known_may_be_no_override() -> None:
    """So that a flag may follow it, and overrides that flag."""
    known = launch("python3", "-m", PPO, "words", "--config-name=other", "a.b=1")
    words = list(known.command.words)
    words[3] = Text((Unknown("output of `cat args`", Origin(Span("run.sh", 0, 0), "substitution"), splits=True),))
    found = find(replace(known.command, words=tuple(words)))
    assert found is not None
    assert ([one.key for one in found.overrides], found.other) == (["a.b"], (3,))


def test_a_deletion_without_quotes_is_one_although_bash_looks_for_a_user_of_that_name() -> None:
    origin = Origin(Span("x.sh", 0, 1), "environment")
    deletion, home = (Text((Unknown(f"home directory of {name}", origin),)) for name in ("data.val_files", "alice"))
    words = tuple(Text((Known(word, origin),)) for word in ("python3", "-m", PPO))
    found = find(replace(command(["python3"]), words=(*words, deletion, home), word_spans=(origin.span,) * 5))
    assert found is not None
    assert [(override.prefix, override.key, override.value) for override in found.overrides] == [
        ("~", "data.val_files", None)
    ]
    assert found.other == (4,)
