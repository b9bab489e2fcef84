"""A small report with everything in it that an output format can meet."""

from lint.bash.reading import Unchecked
from lint.findings import Edit, Finding, Fix, Related
from lint.output.report import Report
from lint.text import Source, Span

TEXT = """\
#!/usr/bin/env bash
gen_tp=6
echo "模型 ready"  # 注释
python3 -m verl.trainer.main_ppo \\
\tactor_rollout_ref.rollout.tensor_model_parallel_size=${gen_tp} \\
    trainer.note="tab\there \x1b[31mred"
"""


def span(text: str, path: str = "run.sh") -> Span:
    """Where `text` stands in the script."""
    start = TEXT.index(text)
    return Span(path, start, start + len(text))


OVERRIDE = "actor_rollout_ref.rollout.tensor_model_parallel_size=${gen_tp}"

ERROR = Finding(
    rule="syntax-error",
    severity="error",
    confidence="high",
    span=span(OVERRIDE),
    message="tensor_model_parallel_size 6 does not divide 64 attention heads: 64 = 10 x 6 + 4",
    key="actor_rollout_ref.rollout.tensor_model_parallel_size",
    value="6",
    help="write 4 or 8",
    note="Qwen3-8B has 64 heads",
    related=(Related(Span("run.sh", TEXT.index("6"), TEXT.index("6") + 1), "value of gen_tp comes from here"),),
    fix=Fix("write 8", True, (Edit(Span("run.sh", TEXT.index("6"), TEXT.index("6") + 1), "8"),)),
    scenario={"DEVICE": "npu"},
)
WARNING = Finding("SC2034", "warning", "high", span("ready"), "a %message, with: commas,\nand a line end")
INFO = Finding("empty-script", "info", "low", span("tab\there \x1b[31mred"), "control \x1b]0;characters\x07")

REPORT = Report(
    findings=(WARNING, ERROR, INFO),
    unchecked=(Unchecked(Span("other.sh", 0, 0), "the file is a binary file, not a script"),),
    scripts=2,
    launches=1,
    sources={"run.sh": Source("run.sh", TEXT)},
    suppressed=1,
)

CLEAN = Report(findings=(), scripts=1, launches=1)
