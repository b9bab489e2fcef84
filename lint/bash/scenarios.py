"""Every way a script's toggles can be set: the default, and each other value of each toggle once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from lint.bash.budget import STEPS
from lint.bash.evaluator import read
from lint.bash.files import FileReader
from lint.bash.reading import Reading, Unchecked
from lint.bash.syntax import Script
from lint.text import Span

MOST = 24  # readings of one script
MOST_STEPS = STEPS  # of all of them together


def read_scenarios(
    script: Script,
    *,
    environment: Mapping[str, str] = {},
    arguments: Sequence[str | None] = (),
    files: FileReader,
    required_as_unknown: Collection[str] = (),
) -> tuple[Reading, ...]:
    """The default reading first, then one for each alternative value of each toggle, as far as the bounds allow.

    A toggle that only another toggle's value brings to light is covered under that value. A variable that
    `environment` gives is not a toggle. Where the default reading requires a variable that is not taken for unknown
    yet, it is given alone: whoever wants the others reads again.
    """

    def under(scenario: Mapping[str, str]) -> Reading:
        return read(
            script,
            scenario=scenario,
            environment=environment,
            arguments=arguments,
            files=files,
            required_as_unknown=required_as_unknown,
        )

    readings = [under({})]
    if any(required.name not in required_as_unknown for required in readings[0].required):
        return tuple(readings)
    seen = {(toggle.name, toggle.default) for toggle in readings[0].toggles}
    seen |= {item for command in readings[0].commands for item in command.scenario.items()}
    waiting = list(readings)
    while waiting:
        reading = waiting.pop(0)
        for toggle in reading.toggles:
            for value in toggle.values:
                if (toggle.name, value) in seen or toggle.name in reading.scenario:
                    continue
                if len(readings) >= MOST:
                    reason = (
                        f"not read under every value: {toggle.name}={value} and what follows, after {MOST} readings"
                    )
                    return (*readings[:-1], with_note(readings[-1], toggle.span, reason))
                if sum(one.steps for one in readings) >= MOST_STEPS:
                    return (*readings[:-1], with_gap(readings[-1], toggle.span))
                seen.add((toggle.name, value))
                found = under({**reading.scenario, toggle.name: value})
                readings.append(found)
                waiting.append(found)
    return tuple(readings)


def with_gap(reading: Reading, span: Span, how: str = "under every value") -> Reading:
    """The reading with a note that the script was not read under everything that it depends on."""
    return with_note(reading, span, f"not read {how}: that takes more than {MOST_STEPS} steps")


def with_note(reading: Reading, span: Span, reason: str) -> Reading:
    """The reading with a note of what was not read."""
    return replace(reading, unchecked=(*reading.unchecked, Unchecked(span, reason)))
