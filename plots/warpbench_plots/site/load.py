"""Reads the runs of a site: one that cannot be read, or not be combined with others, is left out with its reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from warpbench_plots.errors import PlotsError, Refused
from warpbench_plots.guards import one_machine, one_source
from warpbench_plots.results.run import Experiment, Run, by_experiment, read_run


@dataclass(frozen=True)
class Loaded:
    """The experiments that can be shown, their runs, and the directories left out with the reasons."""

    experiments: list[Experiment]
    runs: list[Run]
    left_out: list[tuple[Path, PlotsError]]


def load(directories: Sequence[Path], specs: Path | None = None) -> Loaded:
    """Raises the first reason where no directory can be shown, and refuses an experiment on two machines."""
    read: list[Run] = []
    kept: dict[str, list[Run]] = {}
    left_out: list[tuple[Path, PlotsError]] = []
    for directory in directories:
        try:
            run = read_run(directory, specs)
            if not run.records:
                raise Refused(f"{directory}: holds no finished trial; finish the run, or leave it out")
            read.append(run)
        except PlotsError as error:
            left_out.append((directory, error))
    one_machine(read, "a site shows one machine; `make site` renders each")
    for run in read:
        try:
            members = [*kept.get(run.spec.experiment, []), run]
            (experiment,) = by_experiment(members)
            one_source(experiment.records, run.spec.experiment)
            kept[run.spec.experiment] = members
        except PlotsError as error:
            left_out.append((run.path, error))
    runs = [run for members in kept.values() for run in members]
    if not runs:
        raise left_out[0][1]
    return Loaded(by_experiment(runs), runs, left_out)
