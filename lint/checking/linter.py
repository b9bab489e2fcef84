"""One script through the pipeline: text, tree, readings, launches, config, rules, findings."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from lint.bash.files import FileReader
from lint.bash.parser import parse
from lint.bash.reading import Reading, Unchecked
from lint.bash.scenarios import MOST_STEPS, read_scenarios, with_gap
from lint.bash.syntax import Script
from lint.bash.walk import Nodes
from lint.callers.calls import Call
from lint.checking import target
from lint.checking.called import as_called, calls_to, missing, ways, with_call, without_runner
from lint.checking.causes import without_consequences
from lint.checking.examination import Examination, GoOn, Request
from lint.checking.made_models import is_made, made_models
from lint.checking.programs import as_it_holds
from lint.checking.scenarios import merge_scenarios
from lint.checking.selection import selected, with_level
from lint.facts.model_config import consulted
from lint.facts.models import nearest_model
from lint.files.sources import Files
from lint.findings import Finding
from lint.fixes.fix import is_sound
from lint.launch.compose import compose
from lint.launch.foreign import with_launch_config
from lint.launch.hydra_node import is_hydra_key
from lint.launch.launch import Launch
from lint.launch.launches import Launches
from lint.launch.sweep import MOST_OF_A_SWEEP
from lint.launch.unreached import unreached
from lint.launch.written import written_span
from lint.memory.inputs import NotEnough
from lint.regular import regular
from lint.rules.rule import Rule
from lint.schema.load import release_of
from lint.settings import ScriptSettings
from lint.subject.subject import ScriptSubject, Subject
from lint.suppression import directives
from lint.text import Source, Span

TAKES_ARGUMENTS = regular(r"\$\{?[1-9#]")
MOST_ARGUMENTS = 4
MOST_LAUNCHES = 400  # of one script that are judged; a launch takes some five milliseconds
REPORT = "https://github.com/recipe-lint/recipe-lint/issues"


@dataclass(frozen=True)
class Understood:
    """A script as far as it was understood: its tree, its readings, and its launches with all that is known of them.

    `subjects` are what the script starts by itself, `called` what it starts under `calls` only.
    """

    script: Script
    readings: tuple[Reading, ...]
    subjects: tuple[Subject, ...]
    sources: Mapping[str, Source]
    calls: tuple[Call, ...] = ()  # how the workflows of its repository start it
    called: tuple[Subject, ...] = ()
    unjudged: tuple[Unchecked, ...] = ()  # launches beyond a bound; what workflows start and the repository lacks
    made: frozenset[str] = frozenset()  # folders into which it writes models itself
    beyond: tuple[Launch, ...] = ()  # launches that are not judged, as there are too many

    @cached_property
    def passages(self) -> Mapping[Span, Mapping[str, str]]:
        """The undecided tests that every way to a launch passes, by the span of its command."""
        found: dict[Span, dict[str, str]] = {}
        for launch in (subject.launch for subject in (*self.subjects, *self.called)):
            tests = {name: value for name, value in launch.command.scenario.items() if name.startswith("line ")}
            before = found.get(launch.command.span, tests)
            found[launch.command.span] = {name: value for name, value in tests.items() if before.get(name) == value}
        return found

    @cached_property
    def nodes(self) -> Nodes:
        """Every node of the script's tree, by kind."""
        return Nodes(self.script.body)

    @cached_property
    def launches(self) -> tuple[Launch, ...]:
        """What the script starts by itself, each once (several runners may be known for one)."""
        return tuple({id(subject.launch): subject.launch for subject in self.subjects}.values())


def examine(source: Source, request: Request, files: Files, go_on: GoOn = lambda: None) -> Examination:
    """Everything that our own rules find in one script. Raises only what `go_on` does, which is asked before each rule:
    a defect of the tool is a finding about it."""
    try:
        understood = understand(source, request, files)
    except Exception as error:
        return Examination(source.path, (internal_error(error, Span(source.path, 0, 0), "reading it"),), transient=True)
    found = objections(understood, request.settings, files, go_on)
    shown, held_back = without_consequences(found, understood.launches)
    merged = tuple(with_level(finding, request.settings) for finding in shown)
    return Examination(
        path=source.path,
        findings=merged,
        unchecked=(*_unchecked(understood), *held_back),
        launches=len({launch.command.span for launch in understood.launches}),
        whole=whole_expansions(understood.readings),
        looked_up=files.looked_up,
        transient=any(finding.rule == "internal-error" for finding in merged),
    )


def understand(source: Source, request: Request, files: Files) -> Understood:
    """Read a script under every scenario, and compose the config of each of its launches."""
    script = parse(source)
    facts = directives.parse(script).facts
    schema = target.find_schema(source.path, facts, request)
    environment = {**request.settings.environment, **request.given.environment}
    readings = read(script, environment, files)
    calls = calls_to(script, files)
    called, unread = as_called(script, calls, readings, environment, files)
    sources = {source.path: source, **files.sources}
    release = release_of(schema)
    launches = Launches()
    every = list(ways(launches.of(readings), ((one, launches.of([one.reading])) for one in called)))
    found, beyond = every[:MOST_LAUNCHES], tuple(way.launch for way in every[MOST_LAUNCHES:])
    scenarios = [way.launch.command.conditions for way in found if way.by_itself]  # a call's words are no toggles
    made = made_models((*readings, *(one.reading for one in called)))
    own: list[Subject] = []
    others: list[Subject] = []
    for way in found:
        launch = way.launch
        composition = compose(launch, with_launch_config(schema, launch, files.roots))
        config = composition.config
        branch = target.kind_of_branch(launch.command.conditions, scenarios)
        model = target.find_launch_model(config, facts, request.settings, request.given, made)
        stated = target.stated_model(facts, request.settings, request.given)
        for path in filter(None, (stated, *(target.model_path(config, key) for key in target.MODEL_PATHS))):
            for place in consulted(path):
                files.watch(place)
        tokens = target.expected_tokens(facts)
        for runner, group in way.by_device(branch):
            device, cluster = target.find_cluster(
                config, launch.environment, facts, request.settings, request.given, branch, runner
            )
            subject = Subject(
                launch,
                config,
                release,
                model,
                device,
                cluster,
                {},
                sources,
                composition,
                tokens,
                calls=group,
                kind=branch,
            )
            (own if way.by_itself else others).append(subject)
    said = f"launches that are not checked from here on: {len(beyond)} of {len(every)}"
    unjudged = (*missing(calls, files), *unread, *(Unchecked(launch.entry_span, said) for launch in beyond[:1]))
    return Understood(script, readings, tuple(own), sources, calls, tuple(others), unjudged, made, beyond)


def read(script: Script, environment: Mapping[str, str], files: FileReader) -> tuple[Reading, ...]:
    """The readings of a script under each of its scenarios; what the caller must give is unknown, not missing.

    A script that starts nothing without arguments is read again as if it were given some.
    """
    first = _read(script, environment, files, ())
    taken = TAKES_ARGUMENTS.search(script.source.text)
    if taken is None or any(Launches().of(first)):
        return first
    steps = sum(reading.steps for reading in first)
    for count in range(1, MOST_ARGUMENTS + 1):
        if steps >= MOST_STEPS:
            span = Span(script.source.path, *taken.span())
            return (*first[:-1], with_gap(first[-1], span, f"as if it were given {count} or more arguments"))
        readings = _read(script, environment, files, (None,) * count)
        if any(Launches().of(readings)):
            return readings
        steps += sum(reading.steps for reading in readings)
    return first


def _read(
    script: Script, environment: Mapping[str, str], files: FileReader, arguments: Sequence[None]
) -> tuple[Reading, ...]:
    required: frozenset[str] = frozenset()
    steps = 0
    while True:
        readings = read_scenarios(
            script, environment=environment, arguments=arguments, files=files, required_as_unknown=required
        )
        demanded = [found for reading in readings for found in reading.required if found.name not in required]
        steps += sum(reading.steps for reading in readings)
        if not demanded:
            return readings
        if steps >= MOST_STEPS:
            return (*readings[:-1], with_gap(readings[-1], demanded[0].span))
        required |= {found.name for found in demanded}


# ----------------------------------------------------------------------------------------------------------- rules


def objections(
    understood: Understood, settings: ScriptSettings, files: FileReader, go_on: GoOn = lambda: None
) -> list[Finding]:
    """What the rules find in a script that was understood, each finding once."""
    return merge_scenarios(_run_rules(understood, settings, files, go_on))


def _run_rules(
    understood: Understood, settings: ScriptSettings, files: FileReader, go_on: GoOn
) -> Iterator[tuple[Finding, Mapping[str, str]]]:
    """What each rule finds, with all conditions under which it was looked at."""
    script, readings = understood.script, understood.readings
    subjects = (*understood.subjects, *understood.called)
    whole = ScriptSubject(
        script,
        readings,
        understood.launches,
        understood.sources,
        {},
        understood.nodes,
        files,
        understood.calls,
        understood.subjects,
    )
    for rule in selected(subjects[0].release if subjects else None, settings):  # one release for all of them
        go_on()
        options = {**rule.options, **settings.rules[rule.name]} if rule.name in settings.rules else rule.options
        looked_at: Sequence[Subject | ScriptSubject] = (whole,) if rule.scope == "script" else subjects
        if options:
            looked_at = [replace(subject, options=options) for subject in looked_at]
        for index, finding in _run(rule, looked_at):
            subject = looked_at[index]
            if isinstance(subject, ScriptSubject):
                yield finding, finding.scenario
                continue
            shown = as_it_holds(finding, rule, subject)
            if subject.calls and (index >= len(understood.subjects) or _needs_runner(finding, rule, subject)):
                shown = with_call(shown, subject.calls[0])
            command = subject.launch.command
            shown = _without_passage(shown, understood.passages[command.span])
            decided = command.conditions.items() - command.scenario.items()
            yield shown, {**dict(decided), **shown.scenario}


def _needs_runner(finding: Finding, rule: Rule, subject: Subject) -> bool:
    """Whether a finding is made for the device of the runner that starts the launch, and not if no device is known."""
    without = without_runner(subject)
    if without is None:
        return False
    return all((one.span, one.message) != (finding.span, finding.message) for _, one in _run(rule, (without,)))


def _run(rule: Rule, subjects: Sequence[Subject | ScriptSubject]) -> Iterator[tuple[int, Finding]]:
    """The findings of one rule, each with the position of its subject. If the rule fails on one, a finding says so, and
    the others go on."""
    for index, subject in enumerate(subjects):
        try:
            for finding in rule.check(subject):
                unsound = finding.fix is not None and not is_sound(finding.fix, subject.sources)
                yield index, replace(finding, fix=None) if unsound else finding
        except Exception as error:
            yield index, internal_error(error, _beginning(subject), f"rule {rule.name}")


def _beginning(subject: Subject | ScriptSubject) -> Span:
    """Where a finding stands that is about all of a subject."""
    return Span(subject.script.source.path, 0, 0) if isinstance(subject, ScriptSubject) else subject.launch.entry_span


def _without_passage(finding: Finding, passage: Mapping[str, str]) -> Finding:
    """The finding without the conditions that hold whenever its launch is reached at all."""
    if not passage or not finding.scenario:
        return finding
    left = {name: value for name, value in finding.scenario.items() if passage.get(name) != value}
    return replace(finding, scenario=left)


def internal_error(error: Exception, span: Span, doing: str) -> Finding:
    """The finding about a defect of the tool."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "unknown place"
    text = " ".join(str(error).split())[:200]
    return Finding(
        rule="internal-error",
        severity="error",
        confidence="high",
        span=span,
        message=f"recipe-lint failed on this script ({doing}): {type(error).__name__}: {text} at {place}",
        help=f"this is a defect of the tool, not of the script; please report it with the script at {REPORT}",
    )


# --------------------------------------------------------------------------------------------------- what was read


def _unchecked(understood: Understood) -> tuple[Unchecked, ...]:
    places = [unchecked for reading in understood.readings for unchecked in reading.unchecked]
    places.extend(understood.unjudged)
    for subject in understood.subjects:
        if subject.composition is not None and subject.composition.unchecked is not None:
            places.append(Unchecked(subject.launch.entry_span, subject.composition.unchecked))
        if subject.model is None:
            places.extend(_unknown_model(subject, understood.made))
        places.extend(_uncomputed_memory(subject))
        places.extend(_unknown_words(subject))
        places.extend(_unknown_sweeps(subject))
    found = (*understood.launches, *understood.beyond)
    places.extend(unreached(understood.script, understood.nodes, understood.readings, found))
    return tuple(dict.fromkeys(places))


def _unknown_model(subject: Subject, made: frozenset[str]) -> Iterator[Unchecked]:
    """What is not checked because nobody knows the sizes of a model."""
    for key in target.MODEL_PATHS:
        setting = subject.config.get(key)
        if setting is None or setting.override is None:
            continue
        name = target.model_path(subject.config, key)
        near = nearest_model(name) if name else None
        meant = f", did you mean {near}?" if near else ""
        said = f"the model {name!r} is not known{meant}" if name else f"the value of {key} is not known"
        if is_made(subject.config, key, made):
            said = "the script makes this model itself"
        reason = f"{said}: sizes and memory are not checked against it (state one with `# recipe-lint: model=`)"
        yield Unchecked(setting.override.span, reason)


def _unknown_words(subject: Subject) -> Iterator[Unchecked]:
    """Words of a launch that may set any key: no default is judged then."""
    command = subject.launch.command
    for index in subject.launch.other if subject.composition is not None and subject.composition.partly_known else ():
        word = command.words[index]
        if word.value is None:
            reason = f"{word.shown} may set any key of the launch: what it does not set by itself is not judged"
            yield Unchecked(written_span(command, index), reason)


def _unknown_sweeps(subject: Subject) -> Iterator[Unchecked]:
    """What a multirun starts beyond the launches that are read."""
    if subject.launch.is_of_many:
        reason = f"of this multirun {MOST_OF_A_SWEEP} launches at most are checked: not every combination of its values"
        yield Unchecked(subject.launch.entry_span, reason)
    for override in subject.launch.overrides if subject.launch.multirun else ():
        read = None if subject.composition is None else subject.composition.parsed.get(override.index)
        if read is not None and read.sweep is not None and not is_hydra_key(read.key):
            reason = f"{override.key} sweeps over values that are not known: none of them is checked"
            yield Unchecked(override.span, reason)


def _uncomputed_memory(subject: Subject) -> Iterator[Unchecked]:
    """Why the rules about memory, if they ran, could not compute it, where model and devices are known."""
    inputs = subject.computed.get("memory")
    if isinstance(inputs, NotEnough) and None not in (subject.model, subject.device, subject.cluster):
        yield Unchecked(subject.launch.entry_span, f"memory is not checked: {'; '.join(inputs.reasons)}")


def whole_expansions(readings: Iterable[Reading]) -> frozenset[Span]:
    """Unquoted expansions that in every scenario were one word, without a character that IFS or globbing acts on."""
    found: dict[Span, bool] = {}
    for reading in readings:
        for span, whole in reading.whole.items():
            found[span] = whole and found.get(span, True)
    return frozenset(span for span, whole in found.items() if whole)
