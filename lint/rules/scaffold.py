"""Starts a new rule: `python -m lint.rules.scaffold GROUP RULE_NAME` writes the module with its headings.

The module is wrong on purpose until it is filled in: the tests refuse a rule whose documentation is empty.
"""

from __future__ import annotations

import sys

from lint.rules.documentation import HEADINGS, MOMENTS
from lint.rules.registry import ROOM, rule_modules

BODIES = {
    "When it fails": f"<one of: {', '.join(MOMENTS)}>: ...",
    "Example that fails": "```bash\npython3 -m verl.trainer.main_ppo \\\n    key=value  # <- here\n```",
    "Example that passes": "```bash\npython3 -m verl.trainer.main_ppo \\\n    key=other\n```",
    "Sources": "- file :: function (release that was read)",
}

CODE = '''
from __future__ import annotations

from collections.abc import Iterator

from lint.findings import Finding
from lint.rules.rule import rule
from lint.subject.subject import Subject


@rule(severity="error")
def check(subject: Subject) -> Iterator[Finding]:
    """One sentence: the condition."""
    raise NotImplementedError
'''


def new_rule(group: str, name: str) -> str:
    """Write the module of a new rule and return its path. Raises ValueError if the name is taken or not a name."""
    stem = name.replace("-", "_")
    if not stem.isidentifier() or not group.isidentifier():
        raise ValueError(f"{group!r} and {name!r} must be words of letters, digits and dashes")
    if stem.replace("_", "-") in rule_modules():
        raise ValueError(f"there is a rule {name} already: {rule_modules()[stem.replace('_', '-')]}")
    folder = ROOM / group
    folder.mkdir(exist_ok=True)
    if not (folder / "__init__.py").exists():
        (folder / "__init__.py").write_text('"""<what the rules of this group are about>."""\n')
    headings = "\n\n".join(f"## {heading}\n{BODIES.get(heading, '...')}" for heading in HEADINGS)
    path = folder / f"{stem}.py"
    path.write_text(f'"""<one sentence>.\n\n{headings}\n"""\n{CODE}')
    return str(path)


if __name__ == "__main__":
    try:
        print(new_rule(*sys.argv[1:]))
    except (TypeError, ValueError) as problem:
        sys.exit(f"usage: python -m lint.rules.scaffold GROUP RULE_NAME ({problem})")
