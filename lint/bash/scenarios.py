"""Every way a script's own toggles can be set: the default, and each other value of each toggle once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lint.bash.evaluator import read
from lint.bash.files import FileReader
from lint.bash.reading import Reading
from lint.bash.syntax import Script

MOST = 24  # readings of one script


def read_scenarios(
    script: Script,
    *,
    environment: Mapping[str, str] = {},
    arguments: Sequence[str | None] = (),
    files: FileReader,
    required_as_unknown: Collection[str] = (),
) -> tuple[Reading, ...]:
    """The default reading first, then one for each alternative value of each toggle, at most `MOST` in all.

    A toggle that only another toggle's value brings to light is covered under that value. A variable that
    `environment` gives is not a toggle.
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
    seen = {(toggle.name, toggle.default) for toggle in readings[0].toggles}
    seen |= {item for command in readings[0].commands for item in command.scenario.items()}
    waiting = list(readings)
    while waiting and len(readings) < MOST:
        reading = waiting.pop(0)
        for toggle in reading.toggles:
            for value in toggle.values:
                if (toggle.name, value) in seen or toggle.name in reading.scenario or len(readings) >= MOST:
                    continue
                seen.add((toggle.name, value))
                found = under({**reading.scenario, toggle.name: value})
                readings.append(found)
                waiting.append(found)
    return tuple(readings)
