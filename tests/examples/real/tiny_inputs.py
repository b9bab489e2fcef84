"""Makes a model folder and data files, as small as verl accepts them. Runs under a Python that has verl.

usage: python tiny_inputs.py FOLDER
"""

import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config

SPECIAL = {"unk_token": "<unk>", "eos_token": "<eos>", "pad_token": "<pad>"}


def make_model(folder: Path) -> None:
    """A Qwen3 of two layers without weights, and a tokenizer of printable ASCII."""
    tokens = [chr(code) for code in range(32, 127)] + list(SPECIAL.values())
    vocabulary = {token: number for number, token in enumerate(tokens)}
    characters = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    characters.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=characters, **SPECIAL)
    tokenizer.chat_template = "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}{% endfor %}"
    tokenizer.save_pretrained(folder)
    Qwen3Config(
        architectures=["Qwen3ForCausalLM"],
        vocab_size=len(vocabulary),
        hidden_size=64,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=16,
        num_key_value_heads=8,
        head_dim=8,
    ).save_pretrained(folder)


def make_data(file: Path, rows: int) -> None:
    """Questions in the columns that verl's data set reads."""
    table = [
        {
            "data_source": "openai/gsm8k",
            "prompt": [{"role": "user", "content": f"{number} + {number} = ?"}],
            "ability": "math",
            "reward_model": {"style": "rule", "ground_truth": str(2 * number)},
            "extra_info": {"index": number, "split": "train"},
        }
        for number in range(rows)
    ]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(table), file)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    make_model(target / "model")
    make_data(target / "data.parquet", rows=2048)
