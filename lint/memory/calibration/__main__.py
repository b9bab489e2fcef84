"""`python -m lint.memory.calibration` prints every row's error, every label's probability, and what they are worth."""

from __future__ import annotations

from lint.memory.calibration.labels import labels, undecidable_labels, workflow_labels
from lint.memory.calibration.measured import comparisons, table
from lint.memory.calibration.reliability import reliability_table
from lint.memory.calibration.scores import label_table, undecidable_table, workflow_table

if __name__ == "__main__":
    print(table(comparisons()))
    print(label_table(decided := labels()))
    print(reliability_table(decided))
    print(undecidable_table(undecidable_labels(), decided))
    print(workflow_table(workflow_labels()))
