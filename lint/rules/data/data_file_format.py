"""A data file has an ending that the data set does not read.

## What it finds
`data.train_files` or `data.val_files` that end otherwise than `.parquet`, `.json` or `.jsonl` (for fine-tuning and up
to 0.6 other than `.parquet`), unless a class of one's own (`data.custom_cls.path`) reads them. A folder has no ending:
only fine-tuning reads one.

## Why it hurts
The data set goes by the ending. Nothing tells before the workers are there.

## When it fails
at start: ValueError: Unsupported file format; fine-tuning and 0.6: an error of the Parquet reader

## Example that fails
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.train_files=/data/gsm8k/train.csv  # <- here
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Example that passes
```bash
SETTINGS=(
    actor_rollout_ref.rollout.name=vllm
    algorithm.adv_estimator=grpo
    actor_rollout_ref.actor.use_dynamic_bsz=True
    data.train_files=/data/gsm8k/train.parquet
)
python3 -m verl.trainer.main_ppo "${SETTINGS[@]}"
```

## Fix
Convert the file; the scripts of `examples/data_preprocess` show how.

## Sources
- verl/utils/dataset/rl_dataset.py :: RLHFDataset._read_files_and_tokenize (0.6.1: parquet alone; 0.7.1 to 0.9.1)
- verl/utils/dataset/multiturn_sft_dataset.py :: _read_files_and_process (0.6.1 to 0.9.1: pandas.read_parquet)
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from lint.facts.entry_points import processes_of
from lint.findings import Finding
from lint.rules.data._files import TRAINING, VALIDATION, paths
from lint.rules.rule import rule
from lint.subject.derived import at_least, follows_verl, trains
from lint.subject.subject import Subject

READ = (".parquet", ".json", ".jsonl")


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """The ending of each file that the script sets."""
    if not (follows_verl(subject) and trains(subject)) or subject.string("data.custom_cls.path") is not None:
        return
    fine_tuning = processes_of(subject.launch.entry_point) == "one for each device"
    read = READ if at_least(subject, "0.7.1") and not fine_tuning else READ[:1]
    for key in (TRAINING, VALIDATION):
        for path in paths(subject.value(key)) if subject.is_set(key) else []:
            ending = posixpath.splitext(path.rstrip("/"))[1]
            if path.endswith(read) or (fine_tuning and not ending):
                continue
            yield subject.finding(
                check,
                f"{key} has {path}, and the data set reads {', '.join(read)}"
                + ("" if ending else ": this has no ending, as a folder"),
                key=key,
                help=f"name files that end in {' or '.join(read)}",
            )
