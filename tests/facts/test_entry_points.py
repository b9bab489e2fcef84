"""Entry points that have another name in another release."""

from lint.bash.programs.launchers import is_launcher
from lint.facts.entry_points import (
    entry_point_in,
    launchers_of_processes,
    processes_of,
    renamed_entry_points,
    successor_of,
)
from lint.schema.load import load, shipped


def test_a_module_that_moved_is_named_in_both_directions() -> None:
    old, new = (f"{place}.fully_async_policy.fully_async_main" for place in ("recipe", "verl.experimental"))
    assert (entry_point_in("0.9.1", old), entry_point_in("0.6.1", new)) == (new, old)
    assert (entry_point_in("0.6.1", old), entry_point_in("0.9.1", new)) == (old, new)


def test_what_a_program_was_merged_into_may_have_been_another_one_before() -> None:
    assert entry_point_in("0.9.0", "verl.trainer.main_ppo_sync") == "verl.trainer.main_ppo"
    assert entry_point_in("0.8.0", "verl.trainer.main_ppo") == "verl.trainer.main_ppo"


def test_what_does_the_work_of_a_program_that_is_gone_is_not_the_same_program() -> None:
    gone = "verl.trainer.fsdp_sft_trainer"
    assert (entry_point_in("0.9.1", gone), successor_of(gone)) == (gone, "verl.trainer.sft_trainer")


def test_every_renaming_agrees_with_the_modules_of_the_releases() -> None:
    for one in renamed_entry_points():
        assert one.since in shipped()
        for release in shipped()[shipped().index(one.since) :]:
            assert one.old not in load(release).entry_points


def test_it_is_known_of_every_entry_point_how_many_processes_it_is() -> None:
    assert {name for release in shipped() for name in load(release).entry_points if processes_of(name) is None} == set()


def test_a_launcher_of_processes_is_one_that_the_reader_knows() -> None:
    assert all(is_launcher(name) or name.startswith("torch.distributed.") for name in launchers_of_processes())
