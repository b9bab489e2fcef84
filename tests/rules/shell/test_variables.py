"""Arrays and variables of a launch, and what a script does besides."""

import pytest

from tests.rules.pipeline import found, lines, repaired

LAUNCH = "python3 -m verl.trainer.main_ppo"


def test_an_array_that_no_launch_gets() -> None:
    script = f"A=(data.a=1 data.b=2)\n{LAUNCH} data.c=3\n"
    (finding,) = found("overrides-not-passed", script)
    assert finding.message == "A holds 2 overrides and is never passed to a launch"


def test_an_array_of_which_the_first_element_is_passed() -> None:
    script = f'A=(data.a=1 data.b=2)\n{LAUNCH} "$A"\n'
    (finding,) = found("overrides-not-passed", script)
    assert finding.message == "$A passes the first of 2 overrides only"
    assert lines("overrides-not-passed", script) == [2]


@pytest.mark.parametrize(
    "elements", ["'+ray_kwargs.ray_init.a=1' \"+data.b=$B\"", '"data.a"=1 "${B[@]}"', '"${B[@]}" data.a=1']
)
def test_quoted_overrides_and_those_of_another_array_count(elements: str) -> None:
    (finding,) = found("overrides-not-passed", f'B=(data.b=2)\nA=({elements})\n{LAUNCH} data.c=3 "${{B[@]}}"\n')
    assert finding.message == "A holds 2 overrides and is never passed to a launch"


def test_arrays_that_expand_each_other_are_looked_at_once() -> None:
    script = f'A=(data.a=1 "${{B[@]}}")\nB=("${{A[@]}}")\n{LAUNCH} "${{B[@]}}" "${{C[@]}}"\n'
    assert [one.message.split()[2] for one in found("array-undefined", script)] == ["C"]


@pytest.mark.parametrize(
    "script",
    [
        f'A=(data.a=1)\n{LAUNCH} "${{A[@]}}"\n',
        f'A=(data.a=1)\nB=("${{A[@]}}" data.b=2)\n{LAUNCH} "${{B[@]}}"\n',
        f'A=(data.a=1)\nA+=(data.b=2)\n{LAUNCH} "${{A[*]}}"\n',
        f"NAMES=(one two)\n{LAUNCH} data.c=3\n",
        "A=(data.a=1)\n",
        f'fill() {{ local -n all=$1; all+=(data.a=1 data.b=2); }}\nA=()\nfill A\n{LAUNCH} "${{A[@]}}"\n',
        f'A=(data.a=1)\nlaunch() {{ local -n all=$1; {LAUNCH} "${{all[@]}}"; }}\nlaunch A\n',
    ],
)
def test_arrays_that_are_passed_or_hold_no_overrides(script: str) -> None:
    assert not found("overrides-not-passed", script)


def test_an_array_that_is_defined_nowhere() -> None:
    (finding,) = found("array-undefined", f'ROLLOUT_ARGS=(data.a=1)\n{LAUNCH} "${{ROLLOUT_ARG[@]}}"\n')
    assert finding.help == 'write "${ROLLOUT_ARGS[@]}"'
    assert finding.severity == "error"


def test_an_array_that_is_defined_nowhere_among_the_elements_of_another() -> None:
    script = f'MODEL=("data.a=1")\nALL=(\n    "${{MODELL[@]}}"\n    data.b=2\n)\n{LAUNCH} "${{ALL[@]}}"\n'
    (finding,) = found("array-undefined", script)
    assert (lines("array-undefined", script), finding.severity, finding.help) == ([3], "error", 'write "${MODEL[@]}"')


@pytest.mark.parametrize(
    "others", ["", "ROLLOUT_ARGS=(one)\n", f'ROLLOUT_ARGS=(data.a=1)\n{LAUNCH} "${{ROLLOUT_ARGS[@]}}"\n']
)
def test_an_array_that_no_overrides_were_certainly_meant_for_is_a_warning(others: str) -> None:
    (finding,) = found("array-undefined", f'{others}{LAUNCH} "${{ROLLOUT_ARG[@]}}"\n')
    assert finding.severity == "warning"


@pytest.mark.parametrize(
    "script",
    [
        f'mapfile -t A < overrides.txt\n{LAUNCH} "${{A[@]}}"\n',
        f'for A in x; do {LAUNCH} "${{A[@]}}"; done\n',
        f'{LAUNCH} "${{A[@]:-data.a=1}}"\n',
        f'source settings.sh\n{LAUNCH} "$@"\n',
    ],
)
def test_arrays_that_come_from_somewhere(script: str) -> None:
    assert not found("array-undefined", script)


def test_a_variable_in_small_letters_that_nothing_sets() -> None:
    (finding,) = found("variable-unset", f"gen_tp=8\n{LAUNCH} actor_rollout_ref.rollout.n=$gen_tpp\n")
    assert (finding.severity, finding.help) == ("warning", "write gen_tp")


def test_a_variable_whose_case_differs() -> None:
    (finding,) = found("variable-unset", f"last_layer=6\n{LAUNCH} data.a=$LAST_LAYER\n")
    assert (finding.severity, finding.help) == ("warning", "write last_layer")


def test_a_variable_in_capitals_may_come_from_the_site() -> None:
    (finding,) = found("variable-unset", f"{LAUNCH} data.train_files=$HDFS_ROOT/train.parquet\n")
    assert (finding.severity, finding.confidence) == ("info", "medium")


def test_an_assignment_to_itself_gives_no_value() -> None:
    script = f'CKPT="${{CKPT}}"\n{LAUNCH} actor_rollout_ref.actor.megatron.dist_checkpointing_path=$CKPT\n'
    (finding,) = found("variable-unset", script)
    assert finding.severity == "info"


def test_a_default_that_goes_to_another_name() -> None:
    script = f"last_layer=${{LAST_LAYER:-6}}\n{LAUNCH} data.a=${{LAST_LAYER}}\n"
    (finding,) = found("variable-unset", script)
    assert (finding.severity, finding.help) == ("warning", "write last_layer")


def test_a_variable_that_ends_a_script_with_set_u() -> None:
    script = f'set -u\ncase "${{DEVICE}}" in gpu) X=1 ;; *) X=2 ;; esac\n{LAUNCH} data.a=$X\n'
    (finding,) = found("variable-unbound", script)
    assert (
        finding.message == "DEVICE is set nowhere in this script: set -u ends it here unless the environment holds it"
    )


@pytest.mark.parametrize(
    ("script", "severity"),
    [
        (f"gen_tp=8\nset -u\n{LAUNCH} actor_rollout_ref.rollout.n=$gen_tpp\n", "error"),
        (f"set -u\ngen_tp=8\necho $gen_tpp\n{LAUNCH} data.a=$gen_tp $DATA\n", "error"),  # whatever else is missing
        (f"set -u\ngen_tp=8\n{LAUNCH} data.a=$gen_tp\necho $gen_tpp\n", "warning"),  # the launch has run
        (f"set -u\ngen_tp=8\nif [[ $1 == x ]]; then echo $gen_tpp; fi\n{LAUNCH} data.a=1\n", "warning"),
        (f"set -u\n{LAUNCH} trainer.default_local_dir=$ckpts_home/x\n", "warning"),
        (f"set -u\n{LAUNCH} trainer.default_local_dir=$CKPTS_HOME/x\n", "info"),
    ],
)
def test_what_ends_the_script_before_its_launch_for_everybody_is_an_error(script: str, severity: str) -> None:
    (finding,) = (one for one in found("variable-unbound", script) if "DATA" not in one.message)
    assert finding.severity == severity


def test_a_variable_that_one_device_sets_only() -> None:
    """verl's run_qwen3_30b_veomni.sh: the folder of the checkpoints is set for NPUs."""
    script = (
        "DEVICE=${DEVICE:-$(python3 -c 'import torch_npu' && echo npu || echo gpu)}\n"
        "case $DEVICE in npu) export CKPT_DIR=./checkpoints ;; gpu) ;; esac\n"
        f"{LAUNCH} trainer.default_local_dir=$CKPT_DIR\n"
    )
    (finding,) = found("variable-unset", script)
    assert finding.message.startswith("CKPT_DIR is set under other conditions only: trainer.default_local_dir gets")
    assert finding.scenario == {"DEVICE": "gpu"}
    assert not found("variable-unset", script.replace("gpu) ;;", "gpu) CKPT_DIR='' ;;"))


def test_a_value_written_as_a_variable() -> None:
    """verl's run_qwen35_35b_a3b_math_dynamic_megatron.sh: nobody has a variable named True."""
    launch = f"{LAUNCH} actor_rollout_ref.actor.fsdp_config.param_offload=${{True}}\n"
    (ends,) = found("variable-unbound", f"set -u\n{launch}")
    (empty,) = found("variable-unset", launch)
    assert (ends.severity, ends.confidence, ends.help) == ("error", "high", "write True")
    assert (empty.severity, empty.help) == ("warning", "write True")


@pytest.mark.parametrize(
    "script",
    [
        f": ${{DATA:?the folder of the data}}\nset -u\n{LAUNCH} data.a=$DATA\n",
        f'set -u\nX=${{X:-1}}\nfor i in 1 2; do echo "$i"; done\n{LAUNCH} data.a=$X $HOME $# $?\n',
        f"set -u\nfor ((i = 0; i < 2; i++)); do echo $i; done\n((n += 1))\n{LAUNCH} data.a=$n\n",
        f"{LAUNCH} data.a=$DEVICE\n",
    ],
)
def test_variables_that_do_not_end_the_script(script: str) -> None:
    assert not found("variable-unbound", script)


@pytest.mark.parametrize("value", ["$HOME/data", "${X:-8}", "${X-}", "${X:+8}", "$PWD"])
def test_variables_that_have_a_value_or_a_default(value: str) -> None:
    assert not found("variable-unset", f"{LAUNCH} data.a={value}\n")


def test_a_step_that_may_fail_before_the_launch() -> None:
    script = f"python3 -m verl.model_merger merge\n{LAUNCH} data.a=1\n"
    assert lines("preparation-unchecked", script) == [1]


@pytest.mark.parametrize(
    "script",
    [
        f"set -e\npython3 prepare.py\n{LAUNCH} data.a=1\n",
        f"python3 prepare.py || exit 1\n{LAUNCH} data.a=1\n",
        f"if ! python3 prepare.py; then exit 1; fi\n{LAUNCH} data.a=1\n",
        f"mkdir -p logs\n{LAUNCH} data.a=1\n",
        f"{LAUNCH} data.a=1\npython3 evaluate.py\n",
    ],
)
def test_steps_that_are_checked_or_harmless(script: str) -> None:
    assert not found("preparation-unchecked", script)


@pytest.mark.parametrize(
    ("command", "finds"),
    [
        ("pkill -9 python", True),
        ("sudo killall python3", True),
        ("sed -i s/a/b/ /usr/lib/python3.11/site-packages/vllm/x.py", True),
        ("F=/sglang/layers/q.py; sed -i 314d $F", True),
        ("pkill -f my_monitor.py", False),
        ("sed -i s/a/b/ config.yaml", False),
        ("ray stop", False),
    ],
)
def test_changes_to_the_host(command: str, finds: bool) -> None:
    assert bool(found("host-changed", f"{command}\n")) is finds


def test_all_edits_of_one_file_are_one_finding() -> None:
    (finding,) = found("host-changed", "sed -i 1d /opt/vllm/a.py\nsed -i 2d /opt/vllm/a.py\n")
    assert len(finding.related) == 1


@pytest.mark.parametrize(
    ("assignment", "finds"),
    [
        ("WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567", True),
        ("export HF_TOKEN='hf_AbCdEfGhIjKlMnOp1234'", True),
        ("WANDB_API_KEY=your_api_key_goes_here_1", False),
        ("WANDB_API_KEY=$KEY", False),
        ("max_token=8192", False),
        ("TOKENIZER=Qwen2Tokenizer1234567890", False),
        ("REDIS_URL=redis://user:word@host:6379", True),
        ("REDIS_URL=redis://host:6379", False),
    ],
)
def test_secrets(assignment: str, finds: bool) -> None:
    assert bool(found("secret-in-script", f"{assignment}\n")) is finds


def test_characters_that_look_like_others() -> None:
    assert lines("lookalike-character", f"{LAUNCH} data.a=1\uff0c2\n") == [1]
    assert lines("lookalike-character", f"{LAUNCH} data.a=\u201cx\u201d\n") == [1]
    assert not found(
        "lookalike-character", f"echo '\u5b8c\u6210\uff0c\u597d'  # \u6ce8\u91ca\uff1a\n{LAUNCH} data.a=1\n"
    )


def test_line_ends() -> None:
    script = f"set -x\r\n{LAUNCH} data.a=1\r\n"
    (finding,) = found("line-ends", script)
    assert finding.message.startswith("2 lines end")
    assert repaired("line-ends", script) == script.replace("\r", "")


@pytest.mark.parametrize(("count", "finds"), [(8, True), (16, False)])
def test_the_devices_that_ray_start_announces(count: int, finds: bool) -> None:
    script = f"ray start --head --resources='{{\"NPU\": {count}}}'\n{LAUNCH} trainer.n_gpus_per_node=16\n"
    assert bool(found("ray-device-count", script)) is finds


def test_exports_after_ray_start() -> None:
    late = f"ray start --head\nexport HCCL_BUFFSIZE=300\n{LAUNCH} data.a=1\n"
    assert lines("not-reaching-workers", late) == [2]
    assert not found("not-reaching-workers", f"export HCCL_BUFFSIZE=300\nray start --head\n{LAUNCH} data.a=1\n")
    assert not found("not-reaching-workers", f"export HCCL_BUFFSIZE=300\n{LAUNCH} data.a=1\n")


def test_exports_on_a_cluster_that_was_started_elsewhere() -> None:
    (finding,) = found("not-reaching-workers", f"export HCCL_BUFFSIZE=300\n{LAUNCH} trainer.nnodes=4\n")
    assert finding.severity == "info"
    given = "'+ray_kwargs.ray_init.runtime_env.env_vars.HCCL_BUFFSIZE=\"300\"'"
    assert not found("not-reaching-workers", f"export HCCL_BUFFSIZE=300\n{LAUNCH} trainer.nnodes=4 {given}\n")


def test_a_variable_that_verl_sends_is_not_exported_instead() -> None:
    """verl leaves out of the workers' environment what the driver has already (get_ppo_ray_runtime_env)."""
    one = f"export CUDA_DEVICE_MAX_CONNECTIONS=1\n{LAUNCH} trainer.nnodes=4\n"
    (alone,), (beside,) = (
        found("not-reaching-workers", one),
        found("not-reaching-workers", f"export HCCL_BUFFSIZE=300\n{one}"),
    )
    removed = "remove the export of CUDA_DEVICE_MAX_CONNECTIONS: verl sends it to workers that need it"
    assert alone.help == f"{removed}, unless the driver has it"
    assert beside.help is not None
    assert beside.help.startswith(f"{alone.help}; for the others, export before ray start")


def test_a_value_at_the_top_that_the_launch_does_not_use() -> None:
    (finding,) = found("setting-not-used", f"TRAIN_BATCH_SIZE=512\n{LAUNCH} data.train_batch_size=256\n")
    assert finding.message == "TRAIN_BATCH_SIZE=512 is not used: the launch has data.train_batch_size=256"


@pytest.mark.parametrize(
    "script",
    [
        f"train_batch_size=512\n{LAUNCH} data.train_batch_size=$train_batch_size\n",
        f"train_batch_size=512\nA=$((train_batch_size * 2))\n{LAUNCH} data.train_batch_size=1024\n",
        f"train_batch_size=512\n{LAUNCH} data.train_batch_size=512\n",
        f"export name=x\n{LAUNCH} actor_rollout_ref.rollout.name=vllm trainer.project_name=$name\n",
    ],
)
def test_values_that_are_used_or_agree(script: str) -> None:
    assert not found("setting-not-used", script)


@pytest.mark.parametrize(
    ("options", "finds"),
    [
        ("", True),
        ("--runtime-env=environment.yaml ", False),
        ("""--runtime-env-json='{"env_vars": {"HCCL_BUFFSIZE": "300"}}' """, False),
    ],
)
def test_exports_before_a_job_is_submitted(options: str, finds: bool) -> None:
    script = f"export HCCL_BUFFSIZE=300\nray job submit {options}-- {LAUNCH} data.a=1\n"
    assert bool(found("not-reaching-workers", script)) is finds


def test_the_name_of_a_variable_is_not_its_value() -> None:
    script = f"model_path=Qwen/Qwen3-8B\n{LAUNCH} actor_rollout_ref.model.path=model_path\n"
    assert lines("dollar-missing", script) == [2]
    (finding,) = found("dollar-missing", script)
    assert finding.help == "write actor_rollout_ref.model.path=${model_path}"


@pytest.mark.parametrize(
    "script",
    [
        f"gen_tp=${{gen_tp:-4}}\n{LAUNCH} actor_rollout_ref.rollout.tensor_model_parallel_size=gen_tp\n",
        f"# gen_tp: of the rollout\ngen_tp=4\n{LAUNCH} actor_rollout_ref.rollout.tensor_model_parallel_size=gen_tp\n",
        f"GEN_TP=4\necho $GEN_TP\n{LAUNCH} actor_rollout_ref.rollout.tensor_model_parallel_size=GEN_TP\n",
    ],
    ids=["default from outside", "named in a comment", "capitals that are read elsewhere"],
)
def test_a_name_without_its_dollar(script: str) -> None:
    assert len(found("dollar-missing", script)) == 1


@pytest.mark.parametrize(
    "script",
    [
        f'fsdp=fsdp2\n{LAUNCH} critic.strategy=fsdp actor_rollout_ref.actor.strategy="$fsdp"\n',  # is read
        f'grpo=grpo\n{LAUNCH} algorithm.adv_estimator="$grpo"\n',  # a value that equals its name
        f"export model_path=x\n./other.sh model_path\n{LAUNCH} actor_rollout_ref.model.path=model_path\n",
        f"RUN_NAME=x\necho $RUN_NAME\n{LAUNCH} +ray_kwargs.ray_init.runtime_env.env_vars.KEY=RUN_NAME\n",
    ],
)
def test_words_that_may_be_meant(script: str) -> None:
    assert not found("dollar-missing", script)


def test_a_variable_that_a_launcher_joins_is_named() -> None:
    script = (
        "ray job submit -- python3 -m verl.trainer.main_ppo trainer.nnodes=2 data.train_batch_size=${gen_tp} a.b=1\n"
    )
    assert [one.message.partition(" is set")[0] for one in found("variable-unset", script)] == ["gen_tp"]
    assert not found("variable-unset", f"gen_tp=4\n{script}")


@pytest.mark.parametrize(
    ("arithmetic", "column"), [("PROMPT_LENGHT + 512", 11), ("512 + 2 * PROMPT_LENGHT", 21), ("(PROMPT_LENGHT)", 12)]
)
def test_a_name_in_arithmetic_that_nothing_sets_ends_the_script_too(arithmetic: str, column: int) -> None:
    script = f'set -u\nPROMPT_LENGTH=512\nlength=$(({arithmetic}))\n{LAUNCH} data.max_length=$length "$@"\n'
    (finding,) = found("variable-unbound", script)
    assert (finding.severity, finding.help) == ("error", "write PROMPT_LENGTH")
    assert finding.span.start - script.index("length=$((") + 1 == column


@pytest.mark.parametrize(
    "arithmetic", ["0x1F + 16#ff", "LENGTH + 1", "i = 2", "LENGTH > 0 || OTHER", "${OTHER:-1} + OTHER"]
)
def test_arithmetic_that_reads_no_variable_without_a_value(arithmetic: str) -> None:
    script = f'set -u\nLENGTH=512\nlength=$(({arithmetic}))\n{LAUNCH} data.max_length=$length "$@"\n'
    assert not found("variable-unbound", script)
